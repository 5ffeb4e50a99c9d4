package aws

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/model/credential/obtain"
	"github.com/beonauto/auto/engine/patience"
)

// around are surroundings with the files of a folder and the variables given.
func around(home folder, variables map[string]string) *surroundings {
	return &surroundings{
		region: "eu-central-1", home: func() string { return home.path }, run: obtain.Run,
		now:    func() time.Time { return time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC) },
		lookup: func(name string) (string, bool) { text, ok := variables[name]; return text, ok },
	}
}

func set(double *double, more ...string) map[string]string {
	variables := double.variables()
	for i := 0; i < len(more); i += 2 {
		variables[more[i]] = more[i+1]
	}
	return variables
}

// TestRefresh takes new keys before the old ones are over, and keeps the old
// ones while there are no new ones.
func TestRefresh(t *testing.T) {
	t.Parallel()
	double := newDouble(t)
	now := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	surroundings := around(newFolder(t, "", ""), set(double, "AWS_CONTAINER_CREDENTIALS_FULL_URI", double.URL+"/container"))
	surroundings.now = func() time.Time { return now }
	surroundings.connect()
	surroundings.near.Sleep = func(context.Context, time.Duration) error { return nil }
	source := from(surroundings)
	get := func(after time.Duration, want int) {
		t.Helper()
		now = now.Add(after)
		if got, err := source.kept.Get(t.Context()); err != nil || got.id != "ASIATASK" {
			t.Errorf("%v, %v", got.id, err)
		}
		if got := len(double.requests()); got != want {
			t.Errorf("asked %d times, want %d", got, want)
		}
	}
	double.expires = now.Add(time.Hour)
	get(0, 1)
	get(54*time.Minute, 1)
	double.expires = now.Add(2 * time.Hour)
	get(2*time.Minute, 2)
	double.refuse["/container"] = http.StatusInternalServerError
	get(119*time.Minute-2*time.Minute, 5) // three attempts
	get(20*time.Second, 5)
	get(11*time.Second, 8)
	now = now.Add(time.Minute)
	if got, err := source.kept.Get(t.Context()); err == nil {
		t.Errorf("gave %v after its end", got.id)
	}
}

// TestMachineIsAway keeps a machine's keys for a while after their end.
func TestMachineIsAway(t *testing.T) {
	t.Parallel()
	double := newDouble(t)
	now := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	surroundings := around(newFolder(t, "", ""), set(double))
	surroundings.now = func() time.Time { return now }
	surroundings.connect()
	surroundings.near.Sleep = func(context.Context, time.Duration) error { return nil }
	source := from(surroundings)
	for _, step := range []struct {
		after time.Duration
		away  bool
		want  string
	}{{0, false, "ASIAMACHINE"}, {time.Hour + 9*time.Minute, true, "ASIAMACHINE"}, {2 * time.Minute, true, ""}, {time.Minute, false, "ASIAMACHINE"}} {
		now = now.Add(step.after)
		delete(double.refuse, "/latest")
		if step.away {
			double.refuse["/latest"] = http.StatusServiceUnavailable
		}
		if got, err := source.kept.Get(t.Context()); got.id != step.want || (err == nil) != (step.want != "") {
			t.Errorf("%+v: %v, %v", step, got.id, err)
		}
	}
}

// TestKeysBesideAMissingProfile is more lenient than the SDK: keys that are set
// need no profile.
func TestKeysBesideAMissingProfile(t *testing.T) {
	t.Parallel()
	source := from(around(newFolder(t, "", ""), map[string]string{"AWS_PROFILE": "gone", "AWS_ACCESS_KEY_ID": "AKIAENV", "AWS_SECRET_ACCESS_KEY": "s"}))
	if got, err := source.kept.Get(t.Context()); err != nil || got.id != "AKIAENV" {
		t.Errorf("%v, %v", got.id, err)
	}
}

// TestNothing says which ways there are, and why none gave keys.
func TestNothing(t *testing.T) {
	t.Parallel()
	_, err := from(around(newFolder(t, "", ""), map[string]string{"AWS_EC2_METADATA_DISABLED": "true"})).kept.Get(t.Context())
	const want = "the metadata service of EC2: AWS_EC2_METADATA_DISABLED is true (before it: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not both set; AWS_WEB_IDENTITY_TOKEN_FILE is not set; " +
		`no profile "default" in AWS's config and credentials files; neither AWS_CONTAINER_CREDENTIALS_RELATIVE_URI nor AWS_CONTAINER_CREDENTIALS_FULL_URI is set)`
	if err == nil || err.Error() != want {
		t.Errorf("said %v", err)
	}
}

// TestNothingSecretIsSaid lets every service refuse with all that it was sent.
func TestNothingSecretIsSaid(t *testing.T) {
	t.Parallel()
	echo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		sent := fmt.Sprint(r.Header, r.PostForm, r.URL)
		w.WriteHeader(http.StatusForbidden)
		text, _ := json.Marshal(sent)
		if r.URL.Path == "/" {
			fmt.Fprintf(w, "<ErrorResponse><Error><Code>SignatureDoesNotMatch</Code><Message>It should have been %s\nx-amz-security-token:canary-token-1</Message></Error></ErrorResponse>", sent)
			return
		}
		fmt.Fprintf(w, `{"error":"denied","message":%s}`, text)
	}))
	t.Cleanup(echo.Close)
	variables := map[string]string{
		"AWS_ENDPOINT_URL_STS": echo.URL, "AWS_ENDPOINT_URL_SSO": echo.URL + "/sso", "AWS_ENDPOINT_URL_SSO_OIDC": echo.URL + "/oidc", "AWS_ENDPOINT_URL_SIGNIN": echo.URL + "/signin",
		"AWS_CONTAINER_CREDENTIALS_FULL_URI": echo.URL + "/container", "AWS_CONTAINER_AUTHORIZATION_TOKEN": "canary-container",
	}
	config := signOnConfig + "[profile base]\naws_access_key_id = AKIABASE\naws_secret_access_key = canary-secret\naws_session_token = canary-token-1\n" +
		"[profile role]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = base\n[profile prints]\ncredential_process = echo canary-printed\n" +
		"[profile half]\naws_secret_access_key = canary-half\n[profile container]\noutput = json\n"
	home := newFolder(t, config, "")
	home.signOn(t, "tea", past)
	home.signOn(t, "https://tea.awsapps.com/start", soon)
	home.login(t, "arn:aws:iam::123456789012:user/me", past)
	token := home.write(t, "token", "canary-identity")
	secrets := []string{"canary", "signed-on", "client-secret", "secret-held", "token-held", "PRIVATE KEY"}
	for _, profile := range []string{"role", "new", "old", "login", "prints", "half", "container", "web"} {
		all := map[string]string{"AWS_PROFILE": profile}
		for name, text := range variables {
			all[name] = text
		}
		if profile == "web" {
			all["AWS_WEB_IDENTITY_TOKEN_FILE"], all["AWS_ROLE_ARN"] = token, "arn:aws:iam::1:role/r"
		}
		_, err := from(around(home, all)).kept.Get(t.Context())
		if err == nil {
			t.Errorf("%s: gave keys", profile)
			continue
		}
		for _, secret := range secrets {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%s: said %v", profile, err)
			}
		}
	}
}

// TestCachesAreKept refreshes a sign-in and writes it where the other tools of
// AWS read it, with what else they keep there.
func TestCachesAreKept(t *testing.T) {
	t.Parallel()
	double := newDouble(t)
	home := newFolder(t, signOnConfig, "")
	signedOn, login := home.signOn(t, "tea", past), home.login(t, "arn:aws:iam::123456789012:user/me", past)
	read := func(path string) map[string]any {
		t.Helper()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		held := map[string]any{}
		if err := json.Unmarshal(text, &held); err != nil {
			t.Fatal(err)
		}
		return held
	}
	for _, profile := range []string{"new", "login"} {
		if _, err := from(around(home, set(double, "AWS_PROFILE", profile))).kept.Get(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	held := read(signedOn)
	if held["accessToken"] != "refreshed" || held["refreshToken"] != "next" || held["expiresAt"] != "2026-12-01T10:00:00Z" || held["registrationExpiresAt"] != soon || held["startUrl"] == nil {
		t.Errorf("the cache of single sign-on holds %v", held)
	}
	held = read(login)
	keys, _ := held["accessToken"].(map[string]any)
	if keys["accessKeyId"] != "ASIALOGIN" || keys["accountId"] != "123456789012" || keys["expiresAt"] != "2026-12-01T09:15:00Z" || held["refreshToken"] != "next" || held["idToken"] != "who" || held["dpopKey"] == nil {
		t.Errorf("the cache of aws login holds %v", held)
	}
	for _, path := range []string{signedOn, login} {
		if stat, err := os.Stat(path); err != nil || stat.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", path, stat.Mode(), err)
		}
		if left, err := filepath.Glob(path + ".*"); err != nil || len(left) > 0 {
			t.Errorf("left %v, %v", left, err)
		}
	}
	// A process after this one signs in with what was written.
	before := len(double.requests())
	if got, err := from(around(home, set(double, "AWS_PROFILE", "login"))).kept.Get(t.Context()); err != nil || got.id != "ASIALOGIN" || len(double.requests()) != before {
		t.Errorf("%v, %v", got.id, err)
	}
}

// TestBusyIdentity asks again where STS does not know a fresh token yet.
func TestBusyIdentity(t *testing.T) {
	t.Parallel()
	asked := 0
	double := newDouble(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked < 3 {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, "<ErrorResponse><Error><Type>Sender</Type><Code>InvalidIdentityToken</Code><Message>No OpenIDConnect provider found &amp; more</Message></Error></ErrorResponse>")
			return
		}
		double.answer(w, r)
	}))
	t.Cleanup(server.Close)
	home := newFolder(t, "", "")
	surroundings := around(home, map[string]string{"AWS_WEB_IDENTITY_TOKEN_FILE": home.write(t, "token", "jwt"), "AWS_ROLE_ARN": "arn:aws:iam::1:role/pod", "AWS_ENDPOINT_URL_STS": server.URL})
	surroundings.connect()
	surroundings.remote.Sleep = func(context.Context, time.Duration) error { return nil }
	if got, err := from(surroundings).kept.Get(t.Context()); err != nil || got.id != "ASIAPOD" || asked != 3 {
		t.Errorf("%v, %v after %d", got.id, err, asked)
	}
	asked = -10
	_, err := from(surroundings).kept.Get(t.Context())
	var refused *obtain.Refused
	if !errors.As(err, &refused) || refused.Code != "InvalidIdentityToken" || refused.Message != "No OpenIDConnect provider found & more" {
		t.Errorf("said %v", err)
	}
}

// TestOwnAuthorities reaches STS by the authorities that AWS's settings name.
func TestOwnAuthorities(t *testing.T) {
	t.Parallel()
	double := newDouble(t)
	secured := httptest.NewTLSServer(http.HandlerFunc(double.answer))
	t.Cleanup(secured.Close)
	home := newFolder(t, "", "")
	bundle := home.write(t, "bundle.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secured.Certificate().Raw})))
	home.write(t, ".aws/config", "[default]\naws_access_key_id = AKIA\naws_secret_access_key = s\n[profile r]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = default\nca_bundle = "+bundle+"\n[profile s]\nrole_arn = arn:aws:iam::1:role/s\nsource_profile = default\n")
	for _, test := range []struct{ profile, bundle, want string }{
		{"r", "", "ASIAR"}, {"s", bundle, "ASIAS"}, {"s", "", ""}, {"s", home.path, ""}, {"s", home.write(t, "none.pem", "moon"), ""},
	} {
		surroundings := around(home, map[string]string{"AWS_PROFILE": test.profile, "AWS_CA_BUNDLE": test.bundle, "AWS_ENDPOINT_URL_STS": secured.URL})
		surroundings.connect()
		surroundings.remote.Sleep = func(context.Context, time.Duration) error { return nil }
		if got, err := from(surroundings).kept.Get(t.Context()); got.id != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%+v: %v, %v", test, got.id, err)
		}
	}
}

// TestOneAsks lets many requests at once ask one time.
func TestOneAsks(t *testing.T) {
	t.Parallel()
	double := newDouble(t)
	source := from(around(newFolder(t, "", ""), set(double, "AWS_CONTAINER_CREDENTIALS_FULL_URI", double.URL+"/container")))
	done := make(chan error)
	for range 20 {
		go func() {
			_, err := source.kept.Get(t.Context())
			done <- err
		}()
	}
	for range 20 {
		if err := patience.Receive(t, done); err != nil {
			t.Error(err)
		}
	}
	if got := len(double.requests()); got != 1 {
		t.Errorf("asked %d times", got)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := from(around(newFolder(t, "", ""), set(double, "AWS_CONTAINER_CREDENTIALS_FULL_URI", double.URL+"/container"))).kept.Get(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("said %v", err)
	}
}
