package aws

import (
	"context"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"
)

// This file uses the session that `aws login` left in its cache, and refreshes
// it with a proof of the key that the session is bound to (RFC 9449).

// session is what of a cached session is read here.
type session struct {
	AccessKeyID     string    `json:"accessKeyId"`
	SecretAccessKey string    `json:"secretAccessKey"`
	SessionToken    string    `json:"sessionToken"`
	AccountID       string    `json:"accountId,omitempty"`
	ExpiresAt       time.Time `json:"expiresAt"`
}

func (s session) keys() keys {
	return keys{id: s.AccessKeyID, secret: s.SecretAccessKey, token: s.SessionToken, expires: s.ExpiresAt}
}

// login is the way of a profile with a login_session.
func (s *surroundings) login(of *profile) *way {
	return &way{name: "the session of `aws login` of profile " + of.name, fetch: func(ctx context.Context) (keys, error) {
		got, err := s.loginKeys(ctx, of)
		if err != nil {
			return keys{}, fmt.Errorf("%w; run `aws login --profile %s`", err, of.name)
		}
		return got, nil
	}}
}

func (s *surroundings) loginKeys(ctx context.Context, of *profile) (keys, error) {
	folder := s.get("AWS_LOGIN_CACHE_DIRECTORY")
	if folder == "" {
		folder = filepath.Join(s.home(), ".aws", "login", "cache")
	}
	sum := sha256.Sum256([]byte(strings.TrimSpace(of.loginSession)))
	path := filepath.Join(folder, hex.EncodeToString(sum[:])+".json")
	cache, err := readCache(path)
	if err != nil {
		return keys{}, fmt.Errorf("the session: %w", err)
	}
	var held session
	if err := json.Unmarshal(cache["accessToken"], &held); err != nil || !held.keys().complete() || held.ExpiresAt.IsZero() {
		return keys{}, errors.New("the cached session cannot be read")
	}
	if s.now().Before(held.ExpiresAt) {
		return held.keys(), nil
	}
	return s.refreshLogin(ctx, of, path, cache, held)
}

func (s *surroundings) refreshLogin(ctx context.Context, of *profile, path string, cache cacheFile, held session) (keys, error) {
	asked := map[string]string{"clientId": cache.text("clientId"), "refreshToken": cache.text("refreshToken"), "grantType": "refresh_token"}
	if asked["clientId"] == "" || asked["refreshToken"] == "" {
		return keys{}, errors.New("the session has expired and cannot be refreshed")
	}
	address, err := s.address(signIn, s.region, of)
	if err != nil {
		return keys{}, errors.New("the address of the sign-in service is no URL")
	}
	address = address.JoinPath("v1", "token")
	proof, err := proof(cache.text("dpopKey"), address, s.now())
	if err != nil {
		return keys{}, err
	}
	var read struct {
		AccessToken  session `json:"accessToken"`
		RefreshToken string  `json:"refreshToken"`
		ExpiresIn    int64   `json:"expiresIn"`
	}
	if err := s.post(ctx, "AWS Sign-In", address, http.Header{"Dpop": {proof}}, asked, &read); err != nil {
		return keys{}, fmt.Errorf("the session has expired and was not refreshed: %w", err)
	}
	renewed := read.AccessToken
	renewed.AccountID, renewed.ExpiresAt = held.AccountID, s.now().Add(time.Duration(read.ExpiresIn)*time.Second).UTC()
	if !renewed.keys().complete() {
		return keys{}, errors.New("the answer of AWS Sign-In holds no keys")
	}
	cache.set("accessToken", renewed)
	if read.RefreshToken != "" {
		cache.set("refreshToken", read.RefreshToken)
	}
	// Each refresh token serves once: a session that is not written is over.
	if err := cache.write(path); err != nil {
		return keys{}, errors.New("the refreshed session cannot be written to its cache")
	}
	return renewed.keys(), nil
}

// proof shows that whoever refreshes holds the session's key.
func proof(key string, address *url.URL, at time.Time) (string, error) {
	block, _ := pem.Decode([]byte(key))
	if block == nil {
		return "", errors.New("the session's key cannot be read")
	}
	private, err := x509.ParseECPrivateKey(block.Bytes)
	if err != nil {
		return "", errors.New("the session's key cannot be read")
	}
	public, err := private.PublicKey.Bytes()
	if err != nil || len(public) != 65 {
		return "", errors.New("the session's key is none of the curve P-256")
	}
	encode := base64.RawURLEncoding.EncodeToString
	header, err := json.Marshal(map[string]any{"typ": "dpop+jwt", "alg": "ES256", "jwk": map[string]string{
		"kty": "EC", "crv": "P-256", "x": encode(public[1:33]), "y": encode(public[33:]),
	}})
	if err != nil {
		return "", err
	}
	claims, err := json.Marshal(map[string]any{"jti": rand.Text(), "htm": http.MethodPost, "htu": address.String(), "iat": at.Unix()})
	if err != nil {
		return "", err
	}
	signed := encode(header) + "." + encode(claims)
	sum := sha256.Sum256([]byte(signed))
	r, v, err := ecdsa.Sign(rand.Reader, private, sum[:])
	if err != nil {
		return "", err
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	v.FillBytes(signature[32:])
	return signed + "." + encode(signature), nil
}
