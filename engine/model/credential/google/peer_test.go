package google

import (
	"context"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"
)

// Google's own library is here for this test alone: whoever has a file of
// credentials that works with Google's tools must find that it works here, so
// the two must ask the same for the same file and come to the same token.

// double answers as Google's token services, IAM, an identity provider and the
// metadata service of AWS do, and keeps what it was asked.
type double struct {
	*httptest.Server
	lock  sync.Mutex
	asked []string
	key   *rsa.PublicKey
	fails string
}

func newDouble(t *testing.T) *double {
	t.Helper()
	made := &double{}
	made.Server = httptest.NewServer(http.HandlerFunc(made.answer))
	t.Cleanup(made.Close)
	return made
}

func (d *double) answer(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	said := r.Method + " " + r.URL.String() + " " + d.shown(string(body))
	for _, name := range []string{"Authorization", "X-Own", "X-Aws-Ec2-Metadata-Token", "X-Aws-Ec2-Metadata-Token-Ttl-Seconds", "Metadata-Flavor"} {
		if value := r.Header.Get(name); value != "" {
			said += " " + name + "=" + value
		}
	}
	d.lock.Lock()
	d.asked = append(d.asked, said)
	d.lock.Unlock()
	if d.fails != "" && strings.HasPrefix(r.URL.Path, d.fails) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error":"invalid_grant","error_description":"Token has been expired or revoked."}`)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	switch r.URL.Path {
	case "/token":
		fmt.Fprint(w, `{"access_token":"token-of-oauth","token_type":"Bearer","expires_in":3600}`)
	case "/sts":
		fmt.Fprint(w, `{"access_token":"token-of-sts","issued_token_type":"urn:ietf:params:oauth:token-type:access_token","token_type":"Bearer","expires_in":3600,"refresh_token":"next"}`)
	case "/iam/serviceAccounts/tea@house.iam.gserviceaccount.com:generateAccessToken":
		fmt.Fprint(w, `{"accessToken":"token-of-iam","expireTime":"2099-01-01T00:00:00Z"}`)
	case "/subject":
		fmt.Fprint(w, "subject-of-url")
	case "/subject.json":
		fmt.Fprint(w, `{"token":"subject-of-json"}`)
	case "/aws/session":
		fmt.Fprint(w, "session-of-machine")
	case "/aws/zone":
		fmt.Fprint(w, "eu-west-1b")
	case "/aws/role":
		fmt.Fprint(w, "tea-role")
	case "/aws/role/tea-role":
		fmt.Fprint(w, `{"Code":"Success","AccessKeyId":"ASIAMACHINE","SecretAccessKey":"secret-of-machine","Token":"token-of-machine"}`)
	case "/computeMetadata/v1/instance/service-accounts/default/token":
		fmt.Fprint(w, `{"access_token":"token-of-machine","expires_in":1800,"token_type":"Bearer"}`)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// shown is a body with what differs from call to call judged in place of shown.
func (d *double) shown(body string) string {
	form, err := url.ParseQuery(body)
	if err != nil || !strings.Contains(body, "=") {
		var read any
		if json.Unmarshal([]byte(body), &read) == nil {
			text, _ := json.Marshal(read)
			return string(text)
		}
		return body
	}
	if claim := form.Get("assertion"); claim != "" {
		form.Set("assertion", d.claim(claim))
	}
	if proof, err := url.QueryUnescape(form.Get("subject_token")); err == nil && strings.HasPrefix(proof, "{") {
		form.Set("subject_token", question(proof))
	}
	return form.Encode()
}

// claim is a signed claim without its times.
func (d *double) claim(text string) string {
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return "no claim"
	}
	signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if rsa.VerifyPKCS1v15(d.key, crypto.SHA256, sum[:], signature) != nil {
		return "a claim that the key did not sign"
	}
	said := ""
	for _, part := range parts[:2] {
		plain, _ := base64.RawURLEncoding.DecodeString(part)
		var read map[string]any
		_ = json.Unmarshal(plain, &read)
		if from, ok := read["iat"].(float64); ok {
			read["exp"] = read["exp"].(float64) - from
			delete(read, "iat")
		}
		shown, _ := json.Marshal(read)
		said += string(shown)
	}
	return said
}

// question is a signed question to AWS without its time and signature.
func question(proof string) string {
	var read struct {
		URL, Method string
		Headers     []struct{ Key, Value string }
	}
	_ = json.Unmarshal([]byte(proof), &read)
	said := []string{read.Method, read.URL}
	for _, header := range read.Headers {
		value := header.Value
		switch strings.ToLower(header.Key) {
		case "authorization":
			value, _, _ = strings.Cut(value, ", Signature=")
			value = value[:strings.Index(value, "/")] + value[strings.Index(value, "/")+9:]
		case "x-amz-date":
			value = ""
		}
		said = append(said, strings.ToLower(header.Key)+"="+value)
	}
	slices.Sort(said[2:])
	return strings.Join(said, " ")
}

func TestFilesPeer(t *testing.T) {
	const federation = `"type":"external_account","audience":"//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/x","subject_token_type":"urn:ietf:params:oauth:token-type:jwt","token_url":"URL/sts"`
	const speaksFor = `"service_account_impersonation_url":"URL/iam/serviceAccounts/tea@house.iam.gserviceaccount.com:generateAccessToken"`
	const program = `{"version":1,"success":true,"token_type":"urn:ietf:params:oauth:token-type:id_token","id_token":"of-program","expiration_time":4070908800}`
	keys := map[string]string{"AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "AKIAENV", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "t"}
	for _, test := range []struct {
		name, file string
		variables  map[string]string
		fails      string
	}{
		{name: "a service account", file: `{"type":"service_account","client_email":"tea@house","private_key_id":"k1","private_key":"KEY","token_uri":"URL/token"}`},
		{name: "a service account with an audience", file: `{"type":"gdch_service_account","client_email":"tea@house","private_key":"KEY","token_uri":"URL/token","audience":"https://else.test"}`},
		{name: "a service account with a broken key", file: `{"type":"service_account","client_email":"tea@house","private_key":"xyz","token_uri":"URL/token"}`},
		{name: "a service account that is refused", fails: "/token", file: `{"type":"service_account","client_email":"tea@house","private_key":"KEY","token_uri":"URL/token"}`},
		{name: "a person", file: `{"type":"authorized_user","client_id":"id","client_secret":"secret","refresh_token":"1//refresh","token_uri":"URL/token"}`},
		{name: "a person who is refused", fails: "/token", file: `{"type":"authorized_user","client_id":"id","client_secret":"secret","refresh_token":"1//refresh","token_uri":"URL/token"}`},
		{name: "a federation by a file", file: `{` + federation + `,"credential_source":{"file":"SUBJECT"}}`},
		{name: "a federation by a JSON file", file: `{` + federation + `,"credential_source":{"file":"SUBJECTJSON","format":{"type":"json","subject_token_field_name":"id_token"}}}`},
		{name: "a federation by a JSON file without the field", file: `{` + federation + `,"credential_source":{"file":"SUBJECTJSON","format":{"type":"json","subject_token_field_name":"other"}}}`},
		{name: "a federation by a missing file", file: `{` + federation + `,"credential_source":{"file":"/nowhere/subject"}}`},
		{name: "a federation by a format that is none", file: `{` + federation + `,"credential_source":{"file":"SUBJECT","format":{"type":"xml"}}}`},
		{name: "a federation by URL", file: `{` + federation + `,"credential_source":{"url":"URL/subject","headers":{"X-Own":"own"}}}`},
		{name: "a federation by URL and JSON", file: `{` + federation + `,"credential_source":{"url":"URL/subject.json","format":{"type":"json","subject_token_field_name":"token"}}}`},
		{name: "a federation by URL that fails", fails: "/subject", file: `{` + federation + `,"credential_source":{"url":"URL/subject"}}`},
		{name: "a federation with a client", file: `{` + federation + `,"client_id":"c","client_secret":"s","credential_source":{"file":"SUBJECT"}}`},
		{name: "a federation that is refused", fails: "/sts", file: `{` + federation + `,"credential_source":{"file":"SUBJECT"}}`},
		{name: "a federation that speaks for an account", file: `{` + federation + `,` + speaksFor + `,"service_account_impersonation":{"token_lifetime_seconds":1200},"credential_source":{"file":"SUBJECT"}}`},
		{name: "a federation that may not speak for it", fails: "/iam", file: `{` + federation + `,` + speaksFor + `,"credential_source":{"file":"SUBJECT"}}`},
		{name: "a workforce", file: `{"type":"external_account","audience":"//iam.googleapis.com/locations/global/workforcePools/p/providers/x","workforce_pool_user_project":"proj","subject_token_type":"t","token_url":"URL/sts","credential_source":{"file":"SUBJECT"}}`},
		{name: "a project of a workforce for others", file: `{` + federation + `,"workforce_pool_user_project":"proj","credential_source":{"file":"SUBJECT"}}`},
		{name: "a federation without a source", file: `{` + federation + `}`},
		{name: "a federation without an audience", file: `{"type":"external_account","subject_token_type":"t","credential_source":{"file":"SUBJECT"}}`},
		{name: "a federation of AWS by keys", variables: keys, file: `{` + federation + `,"credential_source":{"environment_id":"aws1","region_url":"URL/aws/zone","url":"URL/aws/role","regional_cred_verification_url":"https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15"}}`},
		{name: "a federation of AWS by its machine", file: `{` + federation + `,"credential_source":{"environment_id":"aws1","region_url":"URL/aws/zone","url":"URL/aws/role","imdsv2_session_token_url":"URL/aws/session"}}`},
		{name: "a federation of AWS by its older machine", file: `{` + federation + `,"credential_source":{"environment_id":"aws1","region_url":"URL/aws/zone","url":"URL/aws/role"}}`},
		{name: "a federation of a later AWS", variables: keys, file: `{` + federation + `,"credential_source":{"environment_id":"aws2"}}`},
		{name: "a federation by a program", variables: map[string]string{"GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": "1"}, file: `{` + federation + `,` + speaksFor + `,"credential_source":{"executable":{"command":"PROGRAM","timeout_millis":5000}}}`},
		{name: "a federation by a program that is not allowed", file: `{` + federation + `,"credential_source":{"executable":{"command":"PROGRAM"}}}`},
		{name: "a federation by a program's file", file: `{` + federation + `,"credential_source":{"executable":{"command":"PROGRAM","output_file":"PRINTED"}}}`},
		{name: "a federation by a program in no time", variables: map[string]string{"GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": "1"}, file: `{` + federation + `,"credential_source":{"executable":{"command":"PROGRAM","timeout_millis":10}}}`},
		{name: "a person of a federation", file: `{"type":"external_account_authorized_user","audience":"a","refresh_token":"r","token_url":"URL/sts","client_id":"c","client_secret":"s"}`},
		{name: "a person of a federation without a client", file: `{"type":"external_account_authorized_user","audience":"a","refresh_token":"r","token_url":"URL/sts"}`},
		{name: "an account by a person", file: `{"type":"impersonated_service_account",` + speaksFor + `,"delegates":["d1"],"source_credentials":{"type":"authorized_user","client_id":"id","client_secret":"secret","refresh_token":"r","token_uri":"URL/token"}}`},
		{name: "an account by nobody", file: `{"type":"impersonated_service_account",` + speaksFor + `}`},
		{name: "no type", file: `{}`},
		{name: "another type", file: `{"type":"moon"}`},
		{name: "no JSON", file: `type: service_account`},
	} {
		t.Run(test.name, func(t *testing.T) {
			type outcome struct {
				Token  string
				Failed bool
				Asked  []string
			}
			outcomes := map[string]outcome{}
			private, pem := newKey(t)
			for _, who := range []string{"ours", "peer"} {
				double := newDouble(t)
				double.key, double.fails = &private.PublicKey, test.fails
				folder := t.TempDir()
				write := func(name, text string, mode os.FileMode) string {
					path := filepath.Join(folder, name)
					if err := os.WriteFile(path, []byte(text), mode); err != nil {
						t.Fatal(err)
					}
					return path
				}
				fill := strings.NewReplacer("SUBJECTJSON", write("subject.json", `{"id_token":"subject-of-field"}`, 0o600), "SUBJECT", write("subject", " subject-of-file\n", 0o600), "PRINTED", write("printed", program, 0o600),
					"PROGRAM", write("program", "#!/bin/sh\ntest \"$GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE\" = 0 || exit 1\necho '"+program+"'\n", 0o700),
					"KEY", strings.ReplaceAll(pem, "\n", `\n`), "URL", double.URL)
				all := map[string]string{"AWS_REGION": "", "AWS_DEFAULT_REGION": "", "AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_SESSION_TOKEN": "", "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": ""}
				maps.Copy(all, test.variables)
				for name, text := range all {
					t.Setenv(name, text)
				}
				t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", write("credentials.json", fill.Replace(test.file), 0o600))
				var token string
				var err error
				if who == "ours" {
					var got granted
					got, err = New(double.Client()).kept.Get(t.Context())
					token = got.token
					if err != nil {
						t.Log(err)
					}
				} else {
					token, err = peer(context.WithValue(t.Context(), oauth2.HTTPClient, double.Client()))
				}
				asked := []string{}
				for _, each := range double.asked {
					asked = append(asked, strings.NewReplacer(double.URL, "URL", url.QueryEscape(double.URL), "URL", double.Listener.Addr().String(), "HOST").Replace(each))
				}
				outcomes[who] = outcome{token, err != nil, asked}
			}
			if diff := cmp.Diff(outcomes["peer"], outcomes["ours"]); diff != "" {
				t.Errorf("- peer, + ours:\n%s", diff)
			}
		})
	}
}

func peer(ctx context.Context) (string, error) {
	found, err := google.FindDefaultCredentials(ctx, scope)
	if err != nil {
		return "", err
	}
	token, err := found.TokenSource.Token()
	if err != nil {
		return "", err
	}
	return token.AccessToken, nil
}
