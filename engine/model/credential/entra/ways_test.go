package entra

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/beonauto/auto/engine/model/credential/obtain"
)

// azure answers as Entra ID and as the services of Azure's machines do, and
// keeps what it was asked.
type azure struct {
	*httptest.Server
	lock  sync.Mutex
	asked []string
	give  func(w http.ResponseWriter, r *http.Request, form url.Values)
}

func newAzure(t *testing.T, give func(http.ResponseWriter, *http.Request, url.Values)) *azure {
	t.Helper()
	made := &azure{give: give}
	made.Server = httptest.NewTLSServer(http.HandlerFunc(made.answer))
	t.Cleanup(made.Close)
	return made
}

func (a *azure) answer(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	form, _ := url.ParseQuery(string(body))
	said := r.Method + " " + r.URL.String()
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range form {
			if !yield(name) {
				return
			}
		}
	}) {
		value := form.Get(name)
		if name == "client_assertion" && strings.Count(value, ".") == 2 {
			value = "a signed claim"
		}
		said += " " + name + "=" + value
	}
	for _, name := range []string{"Metadata", "X-Identity-Header", "Secret", "Authorization"} {
		if value := r.Header.Get(name); value != "" {
			said += " " + name + ":" + value
		}
	}
	a.lock.Lock()
	a.asked = append(a.asked, said)
	a.lock.Unlock()
	if a.give != nil {
		a.give(w, r, form)
		return
	}
	fmt.Fprint(w, `{"token_type":"Bearer","expires_in":3599,"access_token":"token-1"}`)
}

// to sends every request to the double, whatever its host.
type to struct{ double *azure }

func (t to) RoundTrip(request *http.Request) (*http.Response, error) {
	sent := request.Clone(request.Context())
	if t.double == nil {
		return nil, errors.New("connection refused")
	}
	sent.URL.Scheme, sent.URL.Host = "https", t.double.Listener.Addr().String()
	return t.double.Client().Transport.RoundTrip(sent)
}

// around are surroundings without a network, a tool or a variable but those
// given.
func around(double, machine *azure, variables map[string]string) *surroundings {
	still := func(context.Context, time.Duration) error { return nil }
	return &surroundings{
		lookup: func(name string) (string, bool) { text, ok := variables[name]; return text, ok },
		now:    func() time.Time { return time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC) },
		run: func(context.Context, string, time.Duration) ([]byte, error) {
			return nil, obtain.ErrNotInstalled
		},
		exists: func(string) bool { return false },
		remote: &obtain.Asker{Client: &http.Client{Transport: to{double}}, Sleep: still},
		near:   &obtain.Asker{Client: &http.Client{Transport: to{machine}}, Sleep: still},
	}
}

func sent(t *testing.T, source *Source) (string, error) {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "https://res.openai.azure.com/openai/v1/responses", nil)
	err := source.Authorize(t.Context(), request, nil)
	return request.Header.Get("Authorization"), err
}

var oneKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// application writes a key and its certificate as PEM, behind another
// certificate as chains hold it.
func application(t *testing.T) (string, *x509.Certificate) {
	t.Helper()
	key, err := oneKey()
	if err != nil {
		t.Fatal(err)
	}
	certify := func(name string, public, with any) []byte {
		template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour)}
		der, err := x509.CreateCertificate(rand.Reader, template, template, public, with)
		if err != nil {
			t.Fatal(err)
		}
		return der
	}
	other, err := rsa.GenerateKey(rand.Reader, 1024+1024)
	if err != nil {
		t.Fatal(err)
	}
	own := certify("tea", &key.PublicKey, key)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certify("authority", &other.PublicKey, other)})
	text = append(text, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own})...)
	text = append(text, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})...)
	path := write(t, "application.pem", string(text))
	read, err := x509.ParseCertificate(own)
	if err != nil {
		t.Fatal(err)
	}
	return path, read
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestWays is what each way asks, and of whom.
func TestWays(t *testing.T) {
	t.Parallel()
	pem, _ := application(t)
	assertion := write(t, "federated", "of-kubernetes")
	const form = " scope=https://cognitiveservices.azure.com/.default"
	of := func(pairs ...string) map[string]string {
		all := map[string]string{"AZURE_TENANT_ID": "house", "AZURE_CLIENT_ID": "tea"}
		for i := 0; i < len(pairs); i += 2 {
			all[pairs[i]] = pairs[i+1]
		}
		return all
	}
	machine := "api-version=%s&client_id=tea&resource=https%%3A%%2F%%2Fcognitiveservices.azure.com"
	for _, test := range []struct {
		name      string
		variables map[string]string
		remote    []string
		near      []string
	}{
		{"a secret", of("AZURE_CLIENT_SECRET", "secret"), []string{"POST /house/oauth2/v2.0/token client_id=tea client_secret=secret grant_type=client_credentials" + form}, nil},
		{"a secret before a certificate", of("AZURE_CLIENT_SECRET", "secret", "AZURE_CLIENT_CERTIFICATE_PATH", pem), []string{"POST /house/oauth2/v2.0/token client_id=tea client_secret=secret grant_type=client_credentials" + form}, nil},
		{"a certificate", of("AZURE_CLIENT_CERTIFICATE_PATH", pem), []string{"POST /house/oauth2/v2.0/token client_assertion=a signed claim client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer client_id=tea grant_type=client_credentials" + form}, nil},
		{"a company's own service", of("AZURE_TENANT_ID", "adfs", "AZURE_AUTHORITY_HOST", "https://sso.house.test/", "AZURE_CLIENT_SECRET", "secret"), []string{"POST /adfs/oauth2/token client_id=tea client_secret=secret grant_type=client_credentials" + form}, nil},
		{"a person", of("AZURE_USERNAME", "me@house.test", "AZURE_PASSWORD", "password"), []string{"POST /house/oauth2/v2.0/token client_id=tea grant_type=password password=password scope=https://cognitiveservices.azure.com/.default openid offline_access profile username=me@house.test"}, nil},
		{"a federation", of("AZURE_FEDERATED_TOKEN_FILE", assertion), []string{"POST /house/oauth2/v2.0/token client_assertion=of-kubernetes client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer client_id=tea grant_type=client_credentials" + form}, nil},
		{"an App Service", of("IDENTITY_ENDPOINT", "http://127.0.0.1:1/msi/token", "IDENTITY_HEADER", "header"), nil, []string{"GET /msi/token?" + fmt.Sprintf(machine, "2019-08-01") + " X-Identity-Header:header"}},
		{"an Azure ML", of("MSI_ENDPOINT", "http://127.0.0.1:1/msi/token", "MSI_SECRET", "header"), nil, []string{"GET /msi/token?api-version=2017-09-01&clientid=tea&resource=https%3A%2F%2Fcognitiveservices.azure.com Secret:header"}},
		{"a Cloud Shell", map[string]string{"MSI_ENDPOINT": "http://127.0.0.1:1/msi/token"}, nil, []string{"POST /msi/token resource=https://cognitiveservices.azure.com Metadata:true"}},
		{"a machine", of(), nil, []string{"GET /metadata/identity/oauth2/token", "GET /metadata/identity/oauth2/token?" + fmt.Sprintf(machine, "2018-02-01") + " Metadata:true"}},
		{"a machine selected", of("AZURE_TOKEN_CREDENTIALS", "managedidentitycredential", "AZURE_CLIENT_SECRET", "secret"), nil, []string{"GET /metadata/identity/oauth2/token", "GET /metadata/identity/oauth2/token?" + fmt.Sprintf(machine, "2018-02-01") + " Metadata:true"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			remote, near := newAzure(t, nil), newAzure(t, nil)
			source := from(around(remote, near, test.variables))
			for range 2 {
				if got, err := sent(t, source); err != nil || got != "Bearer token-1" {
					t.Fatalf("sent %q, %v", got, err)
				}
			}
			if diff := cmp.Diff([][]string{test.remote, test.near}, [][]string{remote.asked, near.asked}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestTools takes what Azure's command lines print.
func TestTools(t *testing.T) {
	t.Parallel()
	for tool, test := range map[string]struct{ printed, want string }{
		"az ":  {`{"accessToken":"of-az","expiresOn":"2026-12-01 10:00:00.000000","expires_on":1796119200,"tokenType":"Bearer"}`, "az account get-access-token -o json --resource https://cognitiveservices.azure.com"},
		"azd ": {`{"token":"of-azd","expiresOn":"2026-12-01T10:00:00Z"}`, "azd auth token -o json --no-prompt --scope https://cognitiveservices.azure.com/.default"},
		"pwsh": {`{"Token":"of-pwsh","ExpiresOn":1796119200}`, "-EncodedCommand "},
	} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			surroundings := around(nil, nil, nil)
			runs := 0
			surroundings.run = func(_ context.Context, command string, _ time.Duration) ([]byte, error) {
				if !strings.Contains(command, tool) {
					return nil, &obtain.ProgramFailed{Words: "ERROR: Please run 'az login' to setup account.\n", Cause: errors.New("exit status 1")}
				}
				if runs++; !strings.Contains(command, test.want) {
					t.Errorf("ran %s", command)
				}
				return []byte(test.printed), nil
			}
			source := from(surroundings)
			for range 2 {
				if got, err := sent(t, source); err != nil || got != "Bearer of-"+strings.TrimSpace(tool) {
					t.Errorf("sent %q, %v", got, err)
				}
			}
			if runs != 1 {
				t.Errorf("ran %d times for two requests", runs)
			}
		})
	}
}

// TestClaim checks the signature of an application's claim and all that it says.
func TestClaim(t *testing.T) {
	t.Parallel()
	path, certificate := application(t)
	thumb, old := sha256.Sum256(certificate.Raw), sha1.Sum(certificate.Raw)
	for tenant, want := range map[string]map[string]any{
		"house": {"alg": "PS256", "typ": "JWT", "x5t#S256": base64.RawURLEncoding.EncodeToString(thumb[:])},
		"adfs":  {"alg": "RS256", "typ": "JWT", "x5t": base64.RawURLEncoding.EncodeToString(old[:])},
	} {
		surroundings := around(nil, nil, map[string]string{"AZURE_TENANT_ID": tenant, "AZURE_CLIENT_ID": "tea", "AZURE_CLIENT_CERTIFICATE_PATH": path, "AZURE_CLIENT_SEND_CERTIFICATE_CHAIN": "true"})
		endpoint, err := surroundings.endpoint()
		if err != nil {
			t.Fatal(err)
		}
		claim, err := surroundings.assertion(endpoint)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(claim, ".")
		read := func(part string) map[string]any {
			text, _ := base64.RawURLEncoding.DecodeString(part)
			var all map[string]any
			if err := json.Unmarshal(text, &all); err != nil {
				t.Fatal(err)
			}
			return all
		}
		header, claims := read(parts[0]), read(parts[1])
		if chain, _ := header["x5c"].([]any); len(chain) != 2 || chain[0] != base64.StdEncoding.EncodeToString(certificate.Raw) {
			t.Errorf("%s: the chain does not begin with the certificate of the key", tenant)
		}
		delete(header, "x5c")
		if diff := cmp.Diff(want, header); diff != "" {
			t.Errorf("%s: %s", tenant, diff)
		}
		now := float64(surroundings.now().Unix())
		if claims["jti"] == "" || claims["aud"] != endpoint.String() || claims["iss"] != "tea" || claims["sub"] != "tea" || claims["nbf"] != now || claims["exp"] != now+600 {
			t.Errorf("%s: claims %v", tenant, claims)
		}
		signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
		sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
		public := certificate.PublicKey.(*rsa.PublicKey)
		if tenant == "house" {
			err = rsa.VerifyPSS(public, crypto.SHA256, sum[:], signature, nil)
		} else {
			err = rsa.VerifyPKCS1v15(public, crypto.SHA256, sum[:], signature)
		}
		if err != nil {
			t.Errorf("%s: %v", tenant, err)
		}
	}
}

// TestArc gives a token to whoever can read the key that the agent names.
func TestArc(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "1.key")
	if err := os.WriteFile(path, []byte("arc-key"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ realm, client, answered, want string }{
		{path, "", "", "Bearer token-1"},
		{path, "tea", "TEA", "Bearer token-1"},
		{path, "tea", "", ""},
		{filepath.Join(t.TempDir(), "1.key"), "", "", ""},
		{filepath.Join(folder, "1.txt"), "", "", ""},
		{"", "", "", ""},
	} {
		double := newAzure(t, func(w http.ResponseWriter, r *http.Request, _ url.Values) {
			if r.Header.Get("Authorization") == "" {
				w.Header().Set("Www-Authenticate", "Basic realm="+test.realm)
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			fmt.Fprintf(w, `{"access_token":"token-1","expires_in":"3600","client_id":%q}`, test.answered)
		})
		variables := map[string]string{"IDENTITY_ENDPOINT": "http://127.0.0.1:40342/metadata/identity/oauth2/token", "IMDS_ENDPOINT": "http://127.0.0.1:40342"}
		if test.client != "" {
			variables["AZURE_CLIENT_ID"] = test.client
		}
		surroundings := around(nil, double, variables)
		surroundings.arc = arc{"", folder}
		if got, err := sent(t, from(surroundings)); got != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%+v: sent %q, %v", test, got, err)
		}
	}
}

// TestServiceFabric trusts the certificate of the thumbprint alone.
func TestServiceFabric(t *testing.T) {
	t.Parallel()
	double := newAzure(t, nil)
	sum := sha1.Sum(double.Certificate().Raw)
	for thumbprint, want := range map[string]string{strings.ToUpper(hex.EncodeToString(sum[:])): "Bearer token-1", strings.Repeat("00", 20): "", "moon": ""} {
		surroundings := around(nil, nil, map[string]string{"IDENTITY_ENDPOINT": double.URL + "/msi", "IDENTITY_HEADER": "header", "IDENTITY_SERVER_THUMBPRINT": thumbprint})
		if got, err := sent(t, from(surroundings)); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: sent %q, %v", thumbprint, got, err)
		}
	}
	if want := []string{"GET /msi?api-version=2019-07-01-preview&resource=https%3A%2F%2Fcognitiveservices.azure.com Secret:header"}; !slices.Equal(double.asked, want) {
		t.Errorf("asked %q", double.asked)
	}
}

// TestNoToken says what was tried, and stops at a way that was set up and
// failed. Its words hold no secret.
func TestNoToken(t *testing.T) {
	t.Parallel()
	refused := newAzure(t, func(w http.ResponseWriter, _ *http.Request, form url.Values) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":"invalid_client","error_description":"AADSTS7000215: Invalid client secret %s provided.\r\nTrace ID: 1"}`, form.Get("client_secret"))
	})
	for _, test := range []struct {
		variables map[string]string
		want      string
	}{
		{map[string]string{}, "Microsoft Entra ID gave no token: the environment: AZURE_TENANT_ID is not set; workload identity: AZURE_CLIENT_ID is not set; managed identity: no service for it answers on this machine; " +
			"Azure CLI: the program is not installed; Azure Developer CLI: the program is not installed; Azure PowerShell: the program is not installed"},
		{map[string]string{"AZURE_TOKEN_CREDENTIALS": "dev"}, "Microsoft Entra ID gave no token: Azure CLI: the program is not installed; Azure Developer CLI: the program is not installed; Azure PowerShell: the program is not installed"},
		{map[string]string{"AZURE_TOKEN_CREDENTIALS": "moon"}, "AZURE_TOKEN_CREDENTIALS: Expected one of dev, prod, EnvironmentCredential, WorkloadIdentityCredential, ManagedIdentityCredential, AzureCLICredential, AzureDeveloperCLICredential, AzurePowerShellCredential"},
		{map[string]string{"AZURE_TENANT_ID": "house", "AZURE_CLIENT_ID": "tea", "AZURE_CLIENT_SECRET": "a-long-secret"}, "Microsoft Entra ID gave no token: the environment: Microsoft Entra ID answered HTTP 401 invalid_client: AADSTS7000215: Invalid client secret [redacted] provided."},
		{map[string]string{"AZURE_TOKEN_CREDENTIALS": "EnvironmentCredential", "AZURE_TENANT_ID": "a/b", "AZURE_CLIENT_ID": "tea", "AZURE_CLIENT_SECRET": "s"}, "Microsoft Entra ID gave no token: the environment: AZURE_TENANT_ID: Expected letters, digits, points and hyphens"},
		{map[string]string{"AZURE_TOKEN_CREDENTIALS": "EnvironmentCredential", "AZURE_TENANT_ID": "house", "AZURE_CLIENT_ID": "tea", "AZURE_CLIENT_SECRET": "s", "AZURE_AUTHORITY_HOST": "http://plain.test"}, "Microsoft Entra ID gave no token: the environment: AZURE_AUTHORITY_HOST: Expected an https URL"},
		{map[string]string{"AZURE_TOKEN_CREDENTIALS": "EnvironmentCredential", "AZURE_TENANT_ID": "house", "AZURE_CLIENT_ID": "tea", "AZURE_CLIENT_CERTIFICATE_PATH": "/nowhere"}, "Microsoft Entra ID gave no token: the environment: AZURE_CLIENT_CERTIFICATE_PATH: the file cannot be read"},
		{map[string]string{"AZURE_TOKEN_CREDENTIALS": "EnvironmentCredential", "AZURE_TENANT_ID": "house", "AZURE_CLIENT_ID": "tea", "AZURE_USERNAME": "me"}, "Microsoft Entra ID gave no token: the environment: AZURE_PASSWORD is not set"},
	} {
		if got, err := sent(t, from(around(refused, nil, test.variables))); got != "" || err == nil || err.Error() != test.want {
			t.Errorf("sent %q and said\n%v\nwant\n%s", got, err, test.want)
		}
	}
}

// TestMachineRefuses tells a machine without an identity, where the next way is
// tried, from one without the identity that was asked for.
func TestMachineRefuses(t *testing.T) {
	t.Parallel()
	double := newAzure(t, func(w http.ResponseWriter, r *http.Request, _ url.Values) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error":"invalid_request","error_description":"Identity not found"}`)
	})
	var failed *NoToken
	_, err := sent(t, from(around(nil, double, map[string]string{})))
	if !errors.As(err, &failed) || len(failed.Tried) != len(ways) {
		t.Errorf("said %v", err)
	}
	_, err = sent(t, from(around(nil, double, map[string]string{"AZURE_CLIENT_ID": "tea"})))
	if !errors.As(err, &failed) || len(failed.Tried) != 3 || !strings.HasSuffix(err.Error(), "the identity of AZURE_CLIENT_ID is not assigned to this machine") {
		t.Errorf("said %v", err)
	}
}

// TestCertificateFiles reads the files that tools make, and says of the others
// what to do.
func TestCertificateFiles(t *testing.T) {
	t.Parallel()
	key, err := oneKey()
	if err != nil {
		t.Fatal(err)
	}
	alone := string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}))
	path, _ := application(t)
	for _, test := range []struct{ path, password, want string }{
		{path, "", ""},
		{path, "not needed", ""},
		{"testdata/older.pfx", "open", ""},
		{"testdata/unlocked.pfx", "", ""},
		{"testdata/older.pfx", "wrong", "AZURE_CLIENT_CERTIFICATE_PASSWORD is not the file's password"},
		{"testdata/newer.pfx", "open", "the file is neither PEM nor a PKCS #12 file with the older ciphers; `openssl pkcs12 -in FILE -nodes` makes PEM of any"},
		{write(t, "text", "moon"), "", "the file is neither PEM nor a PKCS #12 file with the older ciphers; `openssl pkcs12 -in FILE -nodes` makes PEM of any"},
		{write(t, "alone.pem", alone), "", "the file holds no certificate of its private key"},
		{write(t, "two.pem", alone+alone), "", "the file holds more than one private key"},
		{write(t, "encrypted.pem", strings.ReplaceAll(alone, "RSA PRIVATE", "ENCRYPTED PRIVATE")[:200]+"\n-----END ENCRYPTED PRIVATE KEY-----\n"), "", "the private key in the file is no RSA key, or it is encrypted"},
		{"/nowhere.pem", "", "the file cannot be read"},
	} {
		certificates, private, err := certificate(test.path, test.password)
		said := ""
		if err != nil {
			said = err.Error()
		}
		if said != test.want {
			t.Errorf("%s: said %q, want %q", test.path, said, test.want)
		}
		if test.want == "" && (len(certificates) == 0 || private == nil || !private.PublicKey.Equal(certificates[0].PublicKey)) {
			t.Errorf("%s: no key with its certificate", test.path)
		}
	}
}
