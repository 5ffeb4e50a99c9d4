package aws

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// double answers as STS, the sign-on services, a container's service and the
// metadata service of EC2 do, and keeps what it was asked.
type double struct {
	*httptest.Server
	lock    sync.Mutex
	asked   []string
	refuse  map[string]int // statuses by the beginnings of paths
	expires time.Time
}

func newDouble(t *testing.T) *double {
	t.Helper()
	made := &double{refuse: map[string]int{}, expires: time.Date(2099, 1, 2, 3, 4, 5, 0, time.UTC)}
	made.Server = httptest.NewServer(http.HandlerFunc(made.answer))
	t.Cleanup(made.Close)
	return made
}

func (d *double) requests() []string {
	d.lock.Lock()
	defer d.lock.Unlock()
	return slices.Clone(d.asked)
}

func (d *double) answer(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	said := r.Method + " " + r.URL.String()
	switch r.URL.Path {
	case "/":
		_ = r.ParseForm()
		if strings.HasPrefix(r.PostForm.Get("RoleSessionName"), "given") {
			said += " session=" + r.PostForm.Get("RoleSessionName")
		}
		r.PostForm.Del("RoleSessionName")
		said += " " + r.PostForm.Encode() + " by " + signer(r)
	case "/signin/v1/token":
		said += " " + string(body) + fmt.Sprintf(" proven=%t", strings.Count(r.Header.Get("Dpop"), ".") == 2)
	case "/oidc/token":
		said += " " + string(body)
	case "/sso/federation/credentials":
		said += " token=" + r.Header.Get("X-Amz-Sso_bearer_token")
	case "/container":
		said += " token=" + r.Header.Get("Authorization")
	default:
		said += " token=" + r.Header.Get("X-Aws-Ec2-Metadata-Token")
	}
	d.lock.Lock()
	d.asked = append(d.asked, said)
	d.lock.Unlock()
	for begin, status := range d.refuse {
		if strings.HasPrefix(r.URL.Path, begin) {
			w.WriteHeader(status)
			return
		}
	}
	d.give(w, r)
}

// signer is who signed a request.
func signer(r *http.Request) string {
	_, rest, found := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	if !found {
		return "nobody"
	}
	id, rest, _ := strings.Cut(rest, "/")
	parts := strings.Split(rest, "/")
	return id + " with " + r.Header.Get("X-Amz-Security-Token") + " for " + parts[1] + " " + parts[2]
}

func (d *double) give(w http.ResponseWriter, r *http.Request) {
	until := d.expires.Format(time.RFC3339)
	switch r.URL.Path {
	case "/":
		action, role := r.PostForm.Get("Action"), r.PostForm.Get("RoleArn")
		w.Header().Set("Content-Type", "text/xml")
		fmt.Fprintf(w, `<%[1]sResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><%[1]sResult><AssumedRoleUser><Arn>%[2]s/x</Arn><AssumedRoleId>R:x</AssumedRoleId></AssumedRoleUser><Credentials><AccessKeyId>ASIA%[3]s</AccessKeyId><SecretAccessKey>secret-of-sts</SecretAccessKey><SessionToken>token-of-sts/+=</SessionToken><Expiration>%[4]s</Expiration></Credentials></%[1]sResult></%[1]sResponse>`,
			action, role, strings.ToUpper(role[strings.LastIndexByte(role, '/')+1:]), until)
	case "/sso/federation/credentials":
		fmt.Fprintf(w, `{"roleCredentials":{"accessKeyId":"ASIASSO","secretAccessKey":"secret-of-sso","sessionToken":"token-of-sso","expiration":%d}}`, d.expires.UnixMilli())
	case "/oidc/token":
		fmt.Fprint(w, `{"accessToken":"refreshed","expiresIn":3600,"refreshToken":"next","tokenType":"Bearer"}`)
	case "/signin/v1/token":
		fmt.Fprint(w, `{"accessToken":{"accessKeyId":"ASIALOGIN","secretAccessKey":"secret-of-login","sessionToken":"token-of-login"},"expiresIn":900,"refreshToken":"next","tokenType":"aws_sigv4"}`)
	case "/container":
		fmt.Fprintf(w, `{"AccessKeyId":"ASIATASK","SecretAccessKey":"secret-of-task","Token":"token-of-task","Expiration":%q}`, until)
	case "/latest/api/token":
		w.Header().Set("X-Aws-Ec2-Metadata-Token-Ttl-Seconds", "300")
		fmt.Fprint(w, "session-of-machine")
	case "/latest/meta-data/iam/security-credentials/":
		fmt.Fprint(w, "tea-role")
	case "/latest/meta-data/iam/security-credentials/tea-role":
		fmt.Fprintf(w, `{"Code":"Success","Type":"AWS-HMAC","AccessKeyId":"ASIAMACHINE","SecretAccessKey":"secret-of-machine","Token":"token-of-machine","Expiration":%q}`, until)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// variables point every service of AWS at the double.
func (d *double) variables() map[string]string {
	return map[string]string{
		"AWS_ENDPOINT_URL_STS": d.URL, "AWS_ENDPOINT_URL_SSO": d.URL + "/sso", "AWS_ENDPOINT_URL_SSO_OIDC": d.URL + "/oidc", "AWS_ENDPOINT_URL_SIGNIN": d.URL + "/signin",
		"AWS_EC2_METADATA_SERVICE_ENDPOINT": d.URL,
	}
}

// folder is a home with the files of AWS's tools.
type folder struct{ path string }

func newFolder(t *testing.T, config, credentials string) folder {
	t.Helper()
	made := folder{t.TempDir()}
	made.write(t, ".aws/config", config)
	made.write(t, ".aws/credentials", credentials)
	return made
}

func (f folder) write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(f.path, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// signOn writes the token that `aws sso login` leaves.
func (f folder) signOn(t *testing.T, name, expires string) string {
	t.Helper()
	sum := sha1.Sum([]byte(name))
	return f.write(t, ".aws/sso/cache/"+hex.EncodeToString(sum[:])+".json",
		`{"startUrl":"https://tea.awsapps.com/start","region":"eu-west-1","accessToken":"signed-on","expiresAt":"`+expires+`","clientId":"client","clientSecret":"client-secret","refreshToken":"refresh","registrationExpiresAt":"2099-01-01T00:00:00Z"}`)
}

// login writes the session that `aws login` leaves.
func (f folder) login(t *testing.T, session, expires string) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{
		"accessToken": map[string]string{"accessKeyId": "ASIAHELD", "secretAccessKey": "secret-held", "sessionToken": "token-held", "accountId": "123456789012", "expiresAt": expires},
		"tokenType":   "aws_sigv4", "refreshToken": "refresh", "idToken": "who", "clientId": "arn:aws:signin:::devtools/same-device",
		"dpopKey": string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})),
	})
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(session))
	return f.write(t, ".aws/login/cache/"+hex.EncodeToString(sum[:])+".json", string(text))
}

const (
	soon = "2099-01-01T00:00:00Z"
	past = "2020-01-01T00:00:00Z"
)
