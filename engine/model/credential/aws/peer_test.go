package aws

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/google/go-cmp/cmp"
)

// The AWS SDK for Go is here for this test alone. The chain is a promise that
// what works with AWS's own tools works here too: the two must take the same way
// for the same files and variables, ask the same, and come to the same keys.

const rolesConfig = `
[default]
region = eu-west-1

[profile base]
aws_access_key_id = AKIABASE
aws_secret_access_key = secret-base

[profile tea]
role_arn = arn:aws:iam::123456789012:role/tea
source_profile = base
external_id = the shop/1 &c
role_session_name = given-name
duration_seconds = 3600

[profile chained]
role_arn = arn:aws:iam::123456789012:role/chained
source_profile = tea
duration_seconds = 60

[profile own]
role_arn = arn:aws:iam::123456789012:role/own
source_profile = own
aws_access_key_id = AKIAOWN
aws_secret_access_key = secret-own

[profile loop]
role_arn = arn:aws:iam::123456789012:role/loop
source_profile = pool
[profile pool]
role_arn = arn:aws:iam::123456789012:role/pool
source_profile = loop

[profile nowhere]
role_arn = arn:aws:iam::123456789012:role/nowhere
source_profile = missing
[profile empty]
output = json
[profile fromempty]
role_arn = arn:aws:iam::123456789012:role/fromempty
source_profile = empty
[profile norole]
source_profile = base
[profile both]
role_arn = arn:aws:iam::123456789012:role/both
source_profile = base
credential_process = echo
[profile mfa]
role_arn = arn:aws:iam::123456789012:role/mfa
source_profile = base
mfa_serial = arn:aws:iam::123456789012:mfa/me
[profile machine]
role_arn = arn:aws:iam::123456789012:role/machine
credential_source = Ec2InstanceMetadata
[profile task]
role_arn = arn:aws:iam::123456789012:role/task
credential_source = EcsContainer
[profile environment]
role_arn = arn:aws:iam::123456789012:role/environment
credential_source = Environment
[profile odd]
role_arn = arn:aws:iam::123456789012:role/odd
credential_source = Moon
[profile web]
role_arn = arn:aws:iam::123456789012:role/web
web_identity_token_file = TOKENFILE
[profile program]
credential_process = printf '{"Version":1,"AccessKeyId":"AKIAPROGRAM","SecretAccessKey":"secret-program","SessionToken":"t","Expiration":"2099-01-01T00:00:00Z"}'
[profile programrole]
role_arn = arn:aws:iam::123456789012:role/programrole
source_profile = program
[profile programtwo]
credential_process = printf '{"Version":2}'
[profile programends]
credential_process = exit 3
[profile half]
aws_access_key_id = AKIAHALF
`

const signOnConfig = `
[profile new]
sso_session = tea
sso_account_id = 123456789012
sso_role_name = Developer
[sso-session tea]
sso_region = eu-west-1
sso_start_url = https://tea.awsapps.com/start
sso_registration_scopes = sso:account:access
[profile old]
sso_region = eu-west-1
sso_start_url = https://tea.awsapps.com/start
sso_account_id = 123456789012
sso_role_name = Developer
[profile partial]
sso_region = eu-west-1
[profile nosession]
sso_session = gone
sso_account_id = 1
sso_role_name = x
[profile other]
sso_session = tea
sso_region = us-east-1
sso_account_id = 123456789012
sso_role_name = Developer
[profile signedrole]
role_arn = arn:aws:iam::123456789012:role/signedrole
source_profile = new
[profile login]
login_session = arn:aws:iam::123456789012:user/me
[profile loginrole]
login_session = arn:aws:iam::123456789012:user/me
role_arn = arn:aws:iam::123456789012:role/loginrole
`

// syntaxConfig is what people's files really hold.
const syntaxConfig = "; a comment\n# another\nstray = 1\n[default] ; behind it\nAWS_ACCESS_KEY_ID = AKIADEFAULT  # mine\naws_secret_access_key=se#cret;x = y\r\n" +
	"s3 =\n  max_concurrent_requests = 20\n  aws_session_token = nested\n[profile  spaced ]\n  aws_access_key_id = AKIASPACED\n aws_secret_access_key : 'quo ted'\n" +
	"aws_session_token = \"tok\"en\"\n[plain]\naws_access_key_id = AKIAPLAIN\naws_secret_access_key = x\n[profile default]\naws_access_key_id = AKIAPROFILEDEFAULT\naws_secret_access_key = y\n" +
	"[profile long]\naws_access_key_id = AKIALONG\naws_secret_access_key = one\n  two\n\t three\naws_session_token =\n[profile twice]\naws_access_key_id = AKIAONE\naws_secret_access_key = a\n" +
	"[profile twice]\naws_secret_access_key = b\n[profile merged]\naws_access_key_id = AKIACONFIG\naws_secret_access_key = c\naws_session_token = old\n" +
	"[profile kept]\naws_access_key_id = AKIAKEPT\naws_secret_access_key = k\n[profile x y]\naws_access_key_id = AKIAXY\naws_secret_access_key = xy\n[broken\nno setting here\n"

const syntaxCredentials = "[merged]\naws_access_key_id = AKIACREDENTIALS\naws_secret_access_key = d\n[kept]\naws_session_token = alone\nrole_session_name = r\n[profile wrong]\naws_access_key_id = AKIAWRONG\naws_secret_access_key = w\n" +
	"[only]\naws_access_key_id=AKIAONLY\naws_secret_access_key=o\naws_session_token=t\n"

func TestChainPeer(t *testing.T) {
	type peerCase struct {
		name                string
		config, credentials string
		variables           map[string]string
		refuse              map[string]int
		prepare             func(t *testing.T, home folder)
	}
	tests := []peerCase{
		{name: "keys of the environment", variables: map[string]string{"AWS_ACCESS_KEY_ID": "AKIAENV", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "t"}},
		{name: "old names of keys", variables: map[string]string{"AWS_ACCESS_KEY": "AKIAENV", "AWS_SECRET_KEY": "s"}},
		{name: "half a pair of keys", config: rolesConfig, variables: map[string]string{"AWS_ACCESS_KEY_ID": "AKIAENV", "AWS_PROFILE": "base"}},
		{name: "web identity", variables: map[string]string{"AWS_WEB_IDENTITY_TOKEN_FILE": "TOKENFILE", "AWS_ROLE_ARN": "arn:aws:iam::1:role/pod", "AWS_ROLE_SESSION_NAME": "given-pod"}},
		{name: "web identity before a profile", config: rolesConfig, variables: map[string]string{"AWS_WEB_IDENTITY_TOKEN_FILE": "TOKENFILE", "AWS_ROLE_ARN": "arn:aws:iam::1:role/pod", "AWS_PROFILE": "base"}},
		{name: "web identity without a role", variables: map[string]string{"AWS_WEB_IDENTITY_TOKEN_FILE": "TOKENFILE"}},
		{name: "web identity without its file", variables: map[string]string{"AWS_WEB_IDENTITY_TOKEN_FILE": "/nowhere/token", "AWS_ROLE_ARN": "arn:aws:iam::1:role/pod"}},
		{name: "web identity refused", refuse: map[string]int{"/": 403}, variables: map[string]string{"AWS_WEB_IDENTITY_TOKEN_FILE": "TOKENFILE", "AWS_ROLE_ARN": "arn:aws:iam::1:role/pod"}},
		{name: "a missing profile", config: rolesConfig, variables: map[string]string{"AWS_PROFILE": "gone"}},
		{name: "the older name of the profile", config: rolesConfig, variables: map[string]string{"AWS_DEFAULT_PROFILE": "base"}},
		{name: "container by URL", variables: map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": "URL/container", "AWS_CONTAINER_AUTHORIZATION_TOKEN": "Basic abc"}},
		{name: "container with a token file", variables: map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": "URL/container", "AWS_CONTAINER_AUTHORIZATION_TOKEN": "no", "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": "PODFILE"}},
		{name: "container with a token of two lines", variables: map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": "URL/container", "AWS_CONTAINER_AUTHORIZATION_TOKEN": "a\nb"}},
		{name: "container elsewhere", variables: map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://192.0.2.1/container"}},
		{name: "container of no URL", variables: map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": "container"}},
		{name: "container behind a profile with keys", config: rolesConfig, variables: map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": "URL/container", "AWS_PROFILE": "base"}},
		{name: "container refused", refuse: map[string]int{"/container": 404}, variables: map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": "URL/container"}},
		{name: "the machine", variables: map[string]string{}},
		{name: "the machine without its metadata", variables: map[string]string{"AWS_EC2_METADATA_DISABLED": "TRUE"}},
		{name: "the machine's first version", refuse: map[string]int{"/latest/api/token": 403}},
		{name: "the machine's first version forbidden", refuse: map[string]int{"/latest/api/token": 403}, variables: map[string]string{"AWS_EC2_METADATA_V1_DISABLED": "true"}},
		{name: "a machine without a role", refuse: map[string]int{"/latest/meta-data": 404}},
		{name: "a role that names the shared machine", config: rolesConfig, variables: map[string]string{"AWS_PROFILE": "machine"}},
		{name: "a role of a container", config: rolesConfig, variables: map[string]string{"AWS_PROFILE": "task", "AWS_CONTAINER_CREDENTIALS_FULL_URI": "URL/container"}},
		{name: "a role of a missing container", config: rolesConfig, variables: map[string]string{"AWS_PROFILE": "task"}},
		{name: "a role with refused keys", config: rolesConfig, refuse: map[string]int{"/": 403}, variables: map[string]string{"AWS_PROFILE": "tea"}},
		{name: "STS by the profile's services", config: "[default]\naws_access_key_id = AKIAD\naws_secret_access_key = d\n[profile r]\nservices = here\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = default\n[services here]\nsts =\n  endpoint_url = URL\n", variables: map[string]string{"AWS_PROFILE": "r", "AWS_ENDPOINT_URL_STS": ""}},
		{name: "a session of single sign-on", config: signOnConfig, variables: map[string]string{"AWS_PROFILE": "new"}, prepare: func(t *testing.T, home folder) { home.signOn(t, "tea", soon) }},
		{name: "a session that is refreshed", config: signOnConfig, variables: map[string]string{"AWS_PROFILE": "new"}, prepare: func(t *testing.T, home folder) { home.signOn(t, "tea", past) }},
		{name: "a session that is not refreshed", config: signOnConfig, refuse: map[string]int{"/oidc": 400}, variables: map[string]string{"AWS_PROFILE": "new"}, prepare: func(t *testing.T, home folder) { home.signOn(t, "tea", past) }},
		{name: "a role of a session", config: signOnConfig, variables: map[string]string{"AWS_PROFILE": "signedrole"}, prepare: func(t *testing.T, home folder) { home.signOn(t, "tea", soon) }},
		{name: "no session", config: signOnConfig, variables: map[string]string{"AWS_PROFILE": "new"}},
		{name: "the older single sign-on", config: signOnConfig, variables: map[string]string{"AWS_PROFILE": "old"}, prepare: func(t *testing.T, home folder) { home.signOn(t, "https://tea.awsapps.com/start", soon) }},
		{name: "the older single sign-on is over", config: signOnConfig, variables: map[string]string{"AWS_PROFILE": "old"}, prepare: func(t *testing.T, home folder) { home.signOn(t, "https://tea.awsapps.com/start", past) }},
		{name: "a session of aws login", config: signOnConfig, variables: map[string]string{"AWS_PROFILE": "login"}, prepare: func(t *testing.T, home folder) { home.login(t, "arn:aws:iam::123456789012:user/me", soon) }},
		{name: "a session of aws login that is refreshed", config: signOnConfig, variables: map[string]string{"AWS_PROFILE": "login"}, prepare: func(t *testing.T, home folder) { home.login(t, "arn:aws:iam::123456789012:user/me", past) }},
		{name: "a role of aws login", config: signOnConfig, variables: map[string]string{"AWS_PROFILE": "loginrole"}, prepare: func(t *testing.T, home folder) { home.login(t, "arn:aws:iam::123456789012:user/me", soon) }},
		{name: "no session of aws login", config: signOnConfig, variables: map[string]string{"AWS_PROFILE": "login"}},
	}
	for _, profile := range strings.Fields("base tea chained own loop nowhere empty fromempty norole both mfa environment odd web program programrole programtwo programends half") {
		tests = append(tests, peerCase{name: "profile " + profile, config: rolesConfig, variables: map[string]string{"AWS_PROFILE": profile}})
	}
	for _, profile := range strings.Fields("partial nosession other") {
		tests = append(tests, peerCase{name: "profile " + profile, config: signOnConfig, variables: map[string]string{"AWS_PROFILE": profile}, prepare: func(t *testing.T, home folder) { home.signOn(t, "tea", soon) }})
	}
	for _, profile := range []string{"default", "spaced", "plain", "long", "twice", "merged", "kept", "x y", "wrong", "only"} {
		tests = append(tests, peerCase{name: "syntax of " + profile, config: syntaxConfig, credentials: syntaxCredentials, variables: map[string]string{"AWS_PROFILE": profile}})
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			type outcome struct {
				ID, Secret, Token string
				Failed            bool
				Asked             []string
			}
			outcomes := map[string]outcome{}
			for _, who := range []string{"ours", "peer"} {
				double := newDouble(t)
				maps.Copy(double.refuse, test.refuse)
				home := newFolder(t, "", "")
				fill := strings.NewReplacer("TOKENFILE", home.write(t, "token", "web.identity.token\n"), "PODFILE", home.write(t, "pod", "pod-token"), "URL", double.URL)
				home.write(t, ".aws/config", strings.ReplaceAll(fill.Replace(test.config), "endpoint_url = \n", ""))
				home.write(t, ".aws/credentials", test.credentials)
				if test.prepare != nil {
					test.prepare(t, home)
				}
				clear(t)
				t.Setenv("HOME", home.path)
				t.Setenv("AWS_CONFIG_FILE", filepath.Join(home.path, ".aws", "config"))
				t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(home.path, ".aws", "credentials"))
				t.Setenv("AWS_MAX_ATTEMPTS", "1")
				all := double.variables()
				maps.Copy(all, test.variables)
				for name, text := range all {
					if text != "" || name == "AWS_ENDPOINT_URL_STS" {
						t.Setenv(name, fill.Replace(text))
					}
				}
				got := outcome{}
				if who == "ours" {
					source := New("eu-central-1", nil)
					held, err := source.kept.Get(t.Context())
					got = outcome{held.id, held.secret, held.token, err != nil, nil}
					if err != nil {
						t.Log(err)
					}
				} else {
					held, err := peer(t)
					got = outcome{held.AccessKeyID, held.SecretAccessKey, held.SessionToken, err != nil, nil}
				}
				got.Asked = double.requests()
				outcomes[who] = got
			}
			if diff := cmp.Diff(outcomes["peer"], outcomes["ours"]); diff != "" {
				t.Errorf("- peer, + ours:\n%s", diff)
			}
		})
	}
}

func peer(t *testing.T) (aws.Credentials, error) {
	t.Helper()
	loaded, err := config.LoadDefaultConfig(t.Context(), config.WithRegion("eu-central-1"))
	if err != nil {
		return aws.Credentials{}, err
	}
	return loaded.Credentials.Retrieve(t.Context())
}

// clear takes every variable of AWS away.
func clear(t *testing.T) {
	t.Helper()
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "AWS_") {
			t.Setenv(name, "")
			_ = os.Unsetenv(name)
		}
	}
}

// asking is a client that keeps where it was asked to go, and refuses.
type asking struct{ host string }

func (a *asking) Do(request *http.Request) (*http.Response, error) {
	a.host = request.URL.Host
	return &http.Response{StatusCode: http.StatusBadRequest, Header: http.Header{}, Body: http.NoBody, Request: request}, nil
}

// TestAddressesPeer finds each service in each part of AWS where the SDK does.
func TestAddressesPeer(t *testing.T) {
	for _, region := range strings.Fields("eu-central-1 us-east-1 ap-southeast-7 cn-north-1 us-gov-west-1 us-gov-east-1 us-iso-east-1 us-isob-east-1 us-isof-south-1 eu-isoe-west-1 eusc-de-east-1 mx-central-1") {
		home := newFolder(t, strings.ReplaceAll(signOnConfig, "eu-west-1", region)+rolesConfig, "")
		home.signOn(t, "tea", past)
		home.signOn(t, "https://tea.awsapps.com/start", soon)
		home.login(t, "arn:aws:iam::123456789012:user/me", past)
		for _, turned := range [][]string{{}, {"AWS_USE_FIPS_ENDPOINT"}, {"AWS_USE_DUALSTACK_ENDPOINT"}, {"AWS_USE_FIPS_ENDPOINT", "AWS_USE_DUALSTACK_ENDPOINT"}} {
			for service, profile := range map[string]string{securityTokens: "tea", signOnPortal: "old", signOnTokens: "new", signIn: "login"} {
				clear(t)
				t.Setenv("HOME", home.path)
				t.Setenv("AWS_CONFIG_FILE", filepath.Join(home.path, ".aws", "config"))
				t.Setenv("AWS_PROFILE", profile)
				t.Setenv("AWS_MAX_ATTEMPTS", "1")
				for _, name := range turned {
					t.Setenv(name, "true")
				}
				asked := &asking{}
				loaded, err := config.LoadDefaultConfig(t.Context(), config.WithRegion(region), config.WithHTTPClient(asked))
				if err != nil {
					t.Fatal(err)
				}
				_, _ = loaded.Credentials.Retrieve(t.Context()) // it is refused
				ours := &surroundings{region: region, lookup: os.LookupEnv, home: func() string { return home.path }}
				if got := ours.host(service, region); got != asked.host || got == "" {
					t.Errorf("%s in %s with %v: %s, and the peer goes to %s", service, region, turned, got, asked.host)
				}
			}
		}
	}
}
