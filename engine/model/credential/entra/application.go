package entra

import (
	"bytes"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1" // the thumbprint that AD FS asks for
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/crypto/pkcs12"

	"github.com/beonauto/auto/engine/model/credential/obtain"
)

// This file signs in at Entra ID itself: as an application with a secret, a
// certificate or the token of a federation, and as a person with a password.

// publicAuthority is everybody's Entra ID; AZURE_AUTHORITY_HOST names that of
// another cloud.
const publicAuthority = "https://login.microsoftonline.com"

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

// ofEnvironment is an application or a person of the variables.
func (s *surroundings) ofEnvironment(ctx context.Context) (token, error) {
	for _, name := range []string{"AZURE_TENANT_ID", "AZURE_CLIENT_ID"} {
		if s.get(name) == "" {
			return token{}, notSet(name + " is not set")
		}
	}
	form := url.Values{"grant_type": {"client_credentials"}, "scope": {scope}}
	switch {
	case s.get("AZURE_CLIENT_SECRET") != "":
		form.Set("client_secret", s.get("AZURE_CLIENT_SECRET"))
	case s.get("AZURE_CLIENT_CERTIFICATE_PATH") != "":
		endpoint, err := s.endpoint()
		if err != nil {
			return token{}, err
		}
		assertion, err := s.assertion(endpoint)
		if err != nil {
			return token{}, &unavailable{err}
		}
		form.Set("client_assertion_type", assertionType)
		form.Set("client_assertion", assertion)
	case s.get("AZURE_USERNAME") != "" && s.get("AZURE_PASSWORD") != "":
		form = url.Values{"grant_type": {"password"}, "scope": {scope + " openid offline_access profile"}, "username": {s.get("AZURE_USERNAME")}, "password": {s.get("AZURE_PASSWORD")}}
	case s.get("AZURE_USERNAME") != "":
		return token{}, notSet("AZURE_PASSWORD is not set")
	default:
		return token{}, notSet("none of AZURE_CLIENT_SECRET, AZURE_CLIENT_CERTIFICATE_PATH and AZURE_USERNAME is set")
	}
	return s.signIn(ctx, form)
}

// ofWorkload is an application whose token a file holds: a pod of Kubernetes, or
// a job of a pipeline.
func (s *surroundings) ofWorkload(ctx context.Context) (token, error) {
	for _, name := range []string{"AZURE_CLIENT_ID", "AZURE_FEDERATED_TOKEN_FILE", "AZURE_TENANT_ID"} {
		if s.get(name) == "" {
			return token{}, notSet(name + " is not set")
		}
	}
	// The file is read each time: whoever writes it renews it.
	assertion, err := os.ReadFile(s.get("AZURE_FEDERATED_TOKEN_FILE"))
	if err != nil {
		return token{}, errors.New("AZURE_FEDERATED_TOKEN_FILE: the file cannot be read")
	}
	return s.signIn(ctx, url.Values{
		"grant_type": {"client_credentials"}, "scope": {scope}, "client_assertion_type": {assertionType}, "client_assertion": {string(assertion)},
	})
}

// endpoint is where the tenant's tokens are asked for.
func (s *surroundings) endpoint() (*url.URL, error) {
	host := s.get("AZURE_AUTHORITY_HOST")
	if host == "" {
		host = publicAuthority
	}
	address, err := url.Parse(host)
	if err != nil || address.Scheme != "https" || address.Host == "" {
		return nil, notSet("AZURE_AUTHORITY_HOST: Expected an https URL")
	}
	if address.Path == "" {
		address.Path = "/" // a path is joined to it
	}
	tenant := s.get("AZURE_TENANT_ID")
	if strings.IndexFunc(tenant, func(r rune) bool {
		return r != '.' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) >= 0 {
		return nil, notSet("AZURE_TENANT_ID: Expected letters, digits, points and hyphens")
	}
	if s.isADFS() {
		return address.JoinPath("adfs", "oauth2", "token"), nil
	}
	return address.JoinPath(tenant, "oauth2", "v2.0", "token"), nil
}

// isADFS tells of a company's own service in place of Entra ID.
func (s *surroundings) isADFS() bool { return s.get("AZURE_TENANT_ID") == "adfs" }

// signIn asks for a token for the client of the variables.
func (s *surroundings) signIn(ctx context.Context, form url.Values) (token, error) {
	endpoint, err := s.endpoint()
	if err != nil {
		return token{}, err
	}
	form.Set("client_id", s.get("AZURE_CLIENT_ID"))
	request := &http.Request{Method: http.MethodPost, URL: endpoint, Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Accept": {"application/json"}}}
	answer, err := s.remote.Ask(ctx, request, []byte(form.Encode()))
	if err != nil {
		return token{}, err
	}
	return s.read("Microsoft Entra ID", answer, form.Get("client_secret"), form.Get("password"), form.Get("client_assertion"))
}

// read reads the answer of OAuth, and that of the machine's services, which
// write numbers as texts.
func (s *surroundings) read(service string, answer *obtain.Answer, secrets ...string) (token, error) {
	var read struct {
		AccessToken string `json:"access_token"`
		ExpiresIn   loose  `json:"expires_in"`
		ExpiresOn   loose  `json:"expires_on"`
		Code        string `json:"error"`
		Description string `json:"error_description"`
		Message     string `json:"message"`
	}
	err := json.Unmarshal(answer.Body, &read)
	if !answer.OK() {
		if read.Description == "" {
			read.Description = read.Message
		}
		return token{}, &obtain.Refused{Service: service, Status: answer.Status, Code: obtain.Shown(read.Code, secrets...), Message: obtain.Shown(read.Description, secrets...)}
	}
	if err != nil {
		return token{}, errors.New("the answer of " + service + " cannot be read")
	}
	got := token{text: read.AccessToken}
	switch seconds := read.ExpiresIn.number(); {
	case seconds > 0:
		got.expires = s.now().Add(time.Duration(seconds) * time.Second)
	case read.ExpiresOn.number() > 0:
		got.expires = time.Unix(read.ExpiresOn.number(), 0)
	default:
		// An end that is not told is near: the token serves the calls at hand.
		got.expires = s.now().Add(time.Minute)
	}
	return got, nil
}

// loose is a number that may be written as a text.
type loose struct{ text string }

// UnmarshalJSON takes any value; one that is no number counts as none.
func (l *loose) UnmarshalJSON(text []byte) error {
	l.text = strings.Trim(string(text), `"`)
	return nil
}

func (l loose) number() int64 {
	var number float64
	if _, err := fmt.Sscan(l.text, &number); err != nil {
		return 0
	}
	return int64(number)
}

// assertion proves that the application holds its certificate's key.
func (s *surroundings) assertion(endpoint *url.URL) (string, error) {
	certificates, key, err := certificate(s.get("AZURE_CLIENT_CERTIFICATE_PATH"), s.get("AZURE_CLIENT_CERTIFICATE_PASSWORD"))
	if err != nil {
		return "", fmt.Errorf("AZURE_CLIENT_CERTIFICATE_PATH: %w", err)
	}
	header := map[string]any{"typ": "JWT", "alg": "PS256"}
	if sum := sha1.Sum(certificates[0].Raw); s.isADFS() {
		header["alg"], header["x5t"] = "RS256", base64.RawURLEncoding.EncodeToString(sum[:])
	} else {
		sum := sha256.Sum256(certificates[0].Raw)
		header["x5t#S256"] = base64.RawURLEncoding.EncodeToString(sum[:])
	}
	if send := s.get("AZURE_CLIENT_SEND_CERTIFICATE_CHAIN"); send == "1" || strings.EqualFold(send, "true") {
		chain := []string{}
		for _, each := range certificates {
			chain = append(chain, base64.StdEncoding.EncodeToString(each.Raw))
		}
		header["x5c"] = chain
	}
	now, client := s.now(), s.get("AZURE_CLIENT_ID")
	claims := map[string]any{
		"aud": endpoint.String(), "iss": client, "sub": client, "jti": rand.Text(), "nbf": now.Unix(), "exp": now.Add(10 * time.Minute).Unix(),
	}
	return signed(header, claims, key)
}

func signed(header, claims map[string]any, key *rsa.PrivateKey) (string, error) {
	first, err := json.Marshal(header)
	if err != nil {
		return "", err
	}
	second, err := json.Marshal(claims)
	if err != nil {
		return "", err
	}
	text := base64.RawURLEncoding.EncodeToString(first) + "." + base64.RawURLEncoding.EncodeToString(second)
	sum := sha256.Sum256([]byte(text))
	var signature []byte
	if header["alg"] == "PS256" {
		signature, err = rsa.SignPSS(rand.Reader, key, crypto.SHA256, sum[:], &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash})
	} else {
		signature, err = rsa.SignPKCS1v15(nil, key, crypto.SHA256, sum[:])
	}
	if err != nil {
		return "", errors.New("the certificate's key cannot sign")
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}

// certificate reads the certificates, that of the key first, and the key.
func certificate(path, password string) ([]*x509.Certificate, *rsa.PrivateKey, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, errors.New("the file cannot be read")
	}
	blocks := pemBlocks(text)
	if len(blocks) == 0 {
		if blocks, err = pkcs12.ToPEM(text, password); errors.Is(err, pkcs12.ErrIncorrectPassword) {
			return nil, nil, errors.New("AZURE_CLIENT_CERTIFICATE_PASSWORD is not the file's password")
		} else if err != nil {
			return nil, nil, errors.New("the file is neither PEM nor a PKCS #12 file with the older ciphers; `openssl pkcs12 -in FILE -nodes` makes PEM of any")
		}
	}
	var certificates []*x509.Certificate
	var key *rsa.PrivateKey
	for _, block := range blocks {
		switch {
		case block.Type == "CERTIFICATE":
			read, err := x509.ParseCertificate(block.Bytes)
			if err != nil {
				return nil, nil, errors.New("a certificate in the file cannot be read")
			}
			certificates = append(certificates, read)
		case strings.HasSuffix(block.Type, "PRIVATE KEY") && key != nil:
			return nil, nil, errors.New("the file holds more than one private key")
		case strings.HasSuffix(block.Type, "PRIVATE KEY"):
			if key = rsaKey(block.Bytes); key == nil {
				return nil, nil, errors.New("the private key in the file is no RSA key, or it is encrypted")
			}
		}
	}
	if key == nil {
		return nil, nil, errors.New("the file holds no private key")
	}
	for i, each := range certificates {
		if key.PublicKey.Equal(each.PublicKey) {
			certificates[0], certificates[i] = certificates[i], certificates[0]
			return certificates, key, nil
		}
	}
	return nil, nil, errors.New("the file holds no certificate of its private key")
}

func pemBlocks(text []byte) []*pem.Block {
	blocks := []*pem.Block{}
	for {
		block, rest := pem.Decode(bytes.TrimSpace(text))
		if block == nil {
			return blocks
		}
		blocks, text = append(blocks, block), rest
	}
}

func rsaKey(der []byte) *rsa.PrivateKey {
	if read, err := x509.ParsePKCS8PrivateKey(der); err == nil {
		key, _ := read.(*rsa.PrivateKey)
		return key
	}
	key, err := x509.ParsePKCS1PrivateKey(der)
	if err != nil {
		return nil
	}
	return key
}
