package aws

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/model/credential/obtain"
)

// This file takes on roles: AssumeRole and AssumeRoleWithWebIdentity of STS.

// shortest is how long a role is taken on when nothing else is said, and the
// least that STS allows.
const shortest = 15 * time.Minute

// role is the way of a profile that takes on a role with another way's keys.
func (s *surroundings) role(of *profile, with *way) (*way, error) {
	if of.mfa != "" {
		return nil, errors.New("its role asks for a one-time code (mfa_serial), and auto asks for none: sign in with another tool, such as `aws sso login` or one that credential_process names, or set the keys of a session as AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN")
	}
	first := s.kept(with)
	fetch := func(ctx context.Context) (keys, error) {
		base, err := first.Get(ctx)
		if err != nil {
			return keys{}, fmt.Errorf("the keys for its role, from %s: %w", with.name, err)
		}
		form := url.Values{"RoleArn": {of.roleARN}, "RoleSessionName": {s.sessionName(of.roleSession)}}
		form.Set("DurationSeconds", strconv.Itoa(int(max(of.duration, shortest)/time.Second)))
		if of.externalID != "" {
			form.Set("ExternalId", of.externalID)
		}
		return s.assume(ctx, "AssumeRole", form, of, &base)
	}
	return &way{name: "the role of profile " + of.name, without: with.without, fetch: fetch}, nil
}

// webIdentity is the way of a token that a file holds. The file is read each
// time: whoever writes it renews it.
func (s *surroundings) webIdentity(name string, of *profile, file, roleARN, session string) *way {
	return &way{name: name, fetch: func(ctx context.Context) (keys, error) {
		if roleARN == "" {
			return keys{}, errors.New("the role is not set: AWS_ROLE_ARN, or role_arn in the profile")
		}
		token, err := os.ReadFile(file)
		if err != nil {
			return keys{}, errors.New("the file of the web identity token cannot be read")
		}
		form := url.Values{"RoleArn": {roleARN}, "RoleSessionName": {s.sessionName(session)}, "WebIdentityToken": {string(token)}}
		return s.assume(ctx, "AssumeRoleWithWebIdentity", form, of, nil)
	}}
}

func (s *surroundings) sessionName(given string) string {
	if given != "" {
		return given
	}
	return "auto-" + strconv.FormatInt(s.now().UnixNano(), 10)
}

// assume asks STS for a role. Without keys the question is not signed.
func (s *surroundings) assume(ctx context.Context, action string, form url.Values, of *profile, with *keys) (keys, error) {
	form.Set("Action", action)
	form.Set("Version", "2011-06-15")
	address, err := s.address(securityTokens, s.region, of)
	if err != nil {
		return keys{}, errors.New("the address of STS is no URL")
	}
	body := []byte(form.Encode())
	request := &http.Request{Method: http.MethodPost, URL: address, Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, ContentLength: int64(len(body))}
	secrets := []string{form.Get("WebIdentityToken")}
	if with != nil {
		sign(request, body, *with, "sts", s.region, s.now())
		secrets = append(secrets, with.secret, with.token)
	}
	answer, err := s.ask(ctx, request, body, busyIdentity)
	if err != nil {
		return keys{}, err
	}
	if !answer.OK() {
		return keys{}, refusedInXML("STS", answer, secrets)
	}
	read := given{AccessKeyID: element(answer, "AccessKeyId"), SecretAccessKey: element(answer, "SecretAccessKey"), SessionToken: element(answer, "SessionToken")}
	expires, err := time.Parse(time.RFC3339, element(answer, "Expiration"))
	if err != nil {
		return keys{}, errors.New("the answer of STS cannot be read")
	}
	read.Expiration = &expires
	return read.keys("STS")
}

// given are keys as several services write them.
type given struct {
	AccessKeyID     string `json:"AccessKeyId"`
	SecretAccessKey string
	SessionToken    string
	Token           string
	Expiration      *time.Time
}

func (g given) keys(service string) (keys, error) {
	got := keys{id: g.AccessKeyID, secret: g.SecretAccessKey, token: g.SessionToken}
	if got.token == "" {
		got.token = g.Token
	}
	if g.Expiration != nil {
		got.expires = *g.Expiration
	}
	if !got.complete() {
		return keys{}, errors.New("the answer of " + service + " holds no keys")
	}
	return got, nil
}

// busyIdentity tells of refusals that pass: a token that the identity provider
// has not published yet, or a provider that STS could not reach.
func busyIdentity(answer *obtain.Answer) bool {
	code := element(answer, "Code")
	return !answer.OK() && (code == "InvalidIdentityToken" || code == "IDPCommunicationError")
}

func refusedInXML(service string, answer *obtain.Answer, secrets []string) error {
	return &obtain.Refused{
		Service: service, Status: answer.Status,
		Code: obtain.Shown(element(answer, "Code")), Message: obtain.Shown(element(answer, "Message"), secrets...),
	}
}

// element is the text of the first element of a name. STS's answers hold no
// attributes there, no comments and no name twice, and a reader of all of XML
// would cost every command its tables.
func element(answer *obtain.Answer, name string) string {
	_, rest, found := strings.Cut(string(answer.Body), "<"+name+">")
	text, _, closed := strings.Cut(rest, "</"+name+">")
	if !found || !closed {
		return ""
	}
	entities := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&#39;", "'", "&#34;", `"`, "&amp;", "&")
	return strings.TrimSpace(entities.Replace(text))
}

// ask asks a service on the Internet.
func (s *surroundings) ask(ctx context.Context, request *http.Request, body []byte, again func(*obtain.Answer) bool) (*obtain.Answer, error) {
	s.connect()
	if s.failed != nil {
		return nil, s.failed
	}
	asker := *s.remote
	asker.Again = again
	return asker.Ask(ctx, request, body)
}
