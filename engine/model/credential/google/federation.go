package google

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/model/credential/aws"
	"github.com/beonauto/auto/engine/model/credential/obtain"
)

// This file gives tokens for the identities of others: a token of theirs, the
// subject token, is exchanged for one of Google (RFC 8693).

const (
	exchangeService = "https://sts.googleapis.com/v1/token"
	accessTokenType = "urn:ietf:params:oauth:token-type:access_token"
)

// subjectSource says where a subject token comes from: one of its four.
type subjectSource struct {
	File    string            `json:"file"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Format  struct {
		Type  string `json:"type"`
		Field string `json:"subject_token_field_name"`
	} `json:"format"`
	Executable *struct {
		Command      string `json:"command"`
		Milliseconds *int   `json:"timeout_millis"`
		OutputFile   string `json:"output_file"`
	} `json:"executable"`
	EnvironmentID string `json:"environment_id"`
	RegionURL     string `json:"region_url"`
	Verification  string `json:"regional_cred_verification_url"`
	SessionURL    string `json:"imdsv2_session_token_url"`
}

func (s *surroundings) federated(of *file) (func(context.Context) (token, error), error) {
	if of.Audience == "" || of.SubjectTokenType == "" {
		return nil, errors.New("the file has no audience or no subject_token_type")
	}
	if of.UserProject != "" && !strings.Contains(of.Audience, "/workforcePools/") {
		return nil, errors.New("workforce_pool_user_project stands beside an audience that is no workforce pool")
	}
	subject, err := s.subject(of)
	if err != nil {
		return nil, err
	}
	exchanged := func(ctx context.Context) (token, error) {
		proof, err := subject(ctx)
		if err != nil {
			return token{}, err
		}
		return s.exchanged(ctx, of, proof)
	}
	if of.ImpersonationURL == "" {
		return exchanged, nil
	}
	return func(ctx context.Context) (token, error) { return s.impersonated(ctx, of, exchanged) }, nil
}

func (s *surroundings) exchanged(ctx context.Context, of *file, proof string) (token, error) {
	form := url.Values{
		"grant_type": {"urn:ietf:params:oauth:grant-type:token-exchange"}, "audience": {of.Audience}, "scope": {scope},
		"requested_token_type": {accessTokenType}, "subject_token": {proof}, "subject_token_type": {of.SubjectTokenType},
	}
	if of.UserProject != "" && of.ClientID == "" {
		options, err := json.Marshal(map[string]string{"userProject": of.UserProject})
		if err != nil {
			return token{}, err
		}
		form.Set("options", string(options))
	}
	address := of.TokenURL
	if address == "" {
		address = exchangeService
	}
	got, _, err := s.exchange(ctx, address, form, basic(of), proof, of.ClientSecret)
	return got, err
}

// basic are the client's own credentials, where a file has them.
func basic(of *file) http.Header {
	if of.ClientID == "" || of.ClientSecret == "" {
		return nil
	}
	return http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte(of.ClientID+":"+of.ClientSecret))}}
}

// federatedPerson is a person of another identity provider who signed in.
func (s *surroundings) federatedPerson(of *file) (func(context.Context) (token, error), error) {
	if of.ClientID == "" || of.ClientSecret == "" || of.RefreshToken == "" || of.TokenURL == "" {
		return nil, errors.New("the file lacks one of refresh_token, token_url, client_id and client_secret")
	}
	refresh := of.RefreshToken
	return func(ctx context.Context) (token, error) {
		form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refresh}}
		got, next, err := s.exchange(ctx, of.TokenURL, form, basic(of), refresh, of.ClientSecret)
		if err == nil && next != "" {
			refresh = next
		}
		return got, err
	}, nil
}

// subject gives what reads the subject token.
func (s *surroundings) subject(of *file) (func(context.Context) (string, error), error) {
	source := &of.From
	switch {
	case strings.HasPrefix(source.EnvironmentID, "aws"):
		if source.EnvironmentID != "aws1" {
			return nil, errors.New("environment_id: Expected aws1")
		}
		return func(ctx context.Context) (string, error) { return s.ofAWS(ctx, of) }, nil
	case source.File != "":
		return func(context.Context) (string, error) {
			text, err := os.ReadFile(source.File)
			if err != nil {
				return "", errors.New("the file of the subject token cannot be read")
			}
			return source.in([]byte(strings.TrimSpace(string(text))))
		}, nil
	case source.URL != "":
		return func(ctx context.Context) (string, error) {
			text, err := s.fetched(ctx, http.MethodGet, source.URL, source.Headers)
			if err != nil {
				return "", err
			}
			return source.in(text)
		}, nil
	case source.Executable != nil:
		return s.executable(of)
	}
	return nil, errors.New("credential_source: Expected one of file, url, executable and environment_id")
}

// in reads a subject token as its format says it is written.
func (f *subjectSource) in(text []byte) (string, error) {
	switch f.Format.Type {
	case "", "text":
		return string(text), nil
	case "json":
		var read map[string]any
		if err := json.Unmarshal(text, &read); err != nil {
			return "", errors.New("the subject token cannot be read as JSON")
		}
		if proof, ok := read[f.Format.Field].(string); ok {
			return proof, nil
		}
		return "", errors.New("what holds the subject token has no text " + f.Format.Field)
	}
	return "", errors.New("format: Expected one of text, json")
}

// fetched asks a service that gives a piece of a subject token.
func (s *surroundings) fetched(ctx context.Context, method, from string, headers map[string]string) ([]byte, error) {
	address, err := url.Parse(from)
	if err != nil || address.Host == "" {
		return nil, errors.New("an address in credential_source is no URL")
	}
	request := &http.Request{Method: method, URL: address, Header: http.Header{}}
	secrets := []string{}
	for name, value := range headers {
		request.Header.Set(name, value)
		secrets = append(secrets, value)
	}
	by := s.remote
	if address.Scheme == "http" {
		by = s.near
	}
	answer, err := by.Ask(ctx, request, nil)
	if err != nil {
		return nil, err
	}
	if !answer.OK() {
		return nil, refused(address.Host, answer, secrets...)
	}
	return answer.Body, nil
}

// identity is an identity of AWS: keys, and the region they are used in.
type identity struct{ region, id, secret, session string }

// ofAWS is the proof of an identity of AWS: a signed question who one is, which
// Google asks in turn.
func (s *surroundings) ofAWS(ctx context.Context, of *file) (string, error) {
	who := identity{cmp.Or(s.get("AWS_REGION"), s.get("AWS_DEFAULT_REGION")), s.get("AWS_ACCESS_KEY_ID"), s.get("AWS_SECRET_ACCESS_KEY"), s.get("AWS_SESSION_TOKEN")}
	if who.region == "" || who.id == "" || who.secret == "" {
		if err := s.fill(ctx, &who, &of.From); err != nil {
			return "", err
		}
	}
	question := cmp.Or(of.From.Verification, "https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15")
	address, err := url.Parse(strings.Replace(question, "{region}", who.region, 1))
	if err != nil || address.Host == "" {
		return "", errors.New("regional_cred_verification_url is no URL")
	}
	request := &http.Request{Method: http.MethodPost, URL: address, Header: http.Header{"X-Goog-Cloud-Target-Resource": {of.Audience}}}
	service, _, _ := strings.Cut(address.Host, ".")
	aws.Sign(request, who.id, who.secret, who.session, service, who.region, s.now())
	return written(request)
}

// fill asks the metadata service of AWS for what the variables do not hold.
func (s *surroundings) fill(ctx context.Context, who *identity, source *subjectSource) error {
	headers := map[string]string{}
	if source.SessionURL != "" {
		text, err := s.fetched(ctx, http.MethodPut, source.SessionURL, map[string]string{"X-Aws-Ec2-Metadata-Token-Ttl-Seconds": "300"})
		if err != nil {
			return fmt.Errorf("the metadata service of AWS: %w", err)
		}
		headers["X-Aws-Ec2-Metadata-Token"] = string(text)
	}
	if who.id == "" || who.secret == "" {
		role, err := s.fetched(ctx, http.MethodGet, source.URL, headers)
		if err != nil {
			return fmt.Errorf("the role of AWS: %w", err)
		}
		text, err := s.fetched(ctx, http.MethodGet, source.URL+"/"+string(role), headers)
		if err != nil {
			return fmt.Errorf("the keys of AWS: %w", err)
		}
		var read struct {
			ID      string `json:"AccessKeyId"`
			Secret  string `json:"SecretAccessKey"`
			Session string `json:"Token"`
		}
		if err := json.Unmarshal(text, &read); err != nil || read.ID == "" || read.Secret == "" {
			return errors.New("the metadata service of AWS gives no keys")
		}
		who.id, who.secret, who.session = read.ID, read.Secret, read.Session
	}
	if who.region == "" {
		zone, err := s.fetched(ctx, http.MethodGet, source.RegionURL, headers)
		if err != nil {
			return fmt.Errorf("the region of AWS: %w", err)
		}
		// A zone is its region with a letter behind it.
		who.region = string(zone[:max(0, len(zone)-1)])
	}
	return nil
}

// written is a signed request as Google takes it.
func written(request *http.Request) (string, error) {
	type header struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	}
	headers := []header{{"Host", request.URL.Host}}
	for name, values := range request.Header {
		headers = append(headers, header{name, values[0]})
	}
	slices.SortFunc(headers, func(a, b header) int { return strings.Compare(a.Key, b.Key) })
	text, err := json.Marshal(struct {
		URL     string   `json:"url"`
		Method  string   `json:"method"`
		Headers []header `json:"headers"`
	}{request.URL.String(), request.Method, headers})
	if err != nil {
		return "", err
	}
	return url.QueryEscape(string(text)), nil
}

// The times that a program may take.
const (
	programTime      = 30 * time.Second
	shortestProgram  = 5 * time.Second
	longestProgram   = 2 * time.Minute
	allowExecutables = "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES"
)

// executable is the subject token that a program prints, or printed before.
func (s *surroundings) executable(of *file) (func(context.Context) (string, error), error) {
	program := of.From.Executable
	words := strings.Fields(program.Command)
	if len(words) == 0 {
		return nil, errors.New("credential_source: the executable has no command")
	}
	limit := programTime
	if program.Milliseconds != nil {
		limit = time.Duration(*program.Milliseconds) * time.Millisecond
		if limit < shortestProgram || limit > longestProgram {
			return nil, errors.New("timeout_millis: Expected 5 to 120 seconds")
		}
	}
	environment := []string{
		"GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE=" + of.Audience, "GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE=" + of.SubjectTokenType, "GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE=0",
	}
	if _, after, found := strings.Cut(of.ImpersonationURL, "/serviceAccounts/"); found {
		environment = append(environment, "GOOGLE_EXTERNAL_ACCOUNT_IMPERSONATED_EMAIL="+strings.TrimSuffix(after, ":generateAccessToken"))
	}
	if program.OutputFile != "" {
		environment = append(environment, "GOOGLE_EXTERNAL_ACCOUNT_OUTPUT_FILE="+program.OutputFile)
	}
	return func(ctx context.Context) (string, error) {
		if text, err := os.ReadFile(program.OutputFile); err == nil && len(text) > 0 {
			if proof, err := s.printed(text, true); err == nil {
				return proof, nil
			}
		}
		if s.get(allowExecutables) != "1" {
			return "", errors.New("the file names a program, and " + allowExecutables + " is not 1")
		}
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		made := exec.CommandContext(ctx, words[0], words[1:]...)
		made.Env = append(os.Environ(), environment...)
		out, err := s.run(ctx, made)
		if err != nil {
			return "", fmt.Errorf("the program of the subject token: %w", err)
		}
		return s.printed(out, program.OutputFile != "")
	}, nil
}

// printed reads what a program prints, which is never shown but for the reason
// it gives itself.
func (s *surroundings) printed(text []byte, wantsEnd bool) (string, error) {
	var read struct {
		Version int    `json:"version"`
		Success *bool  `json:"success"`
		Type    string `json:"token_type"`
		Expires int64  `json:"expiration_time"`
		IDToken string `json:"id_token"`
		SAML    string `json:"saml_response"`
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	if err := json.Unmarshal(text, &read); err != nil {
		return "", errors.New("what the program printed cannot be read")
	}
	switch {
	case read.Version != 1 || read.Success == nil:
		return "", errors.New("what the program printed is not of version 1")
	case !*read.Success:
		return "", errors.New("the program gave no token: " + obtain.Shown(read.Code+" "+read.Message))
	case read.Expires == 0 && wantsEnd:
		return "", errors.New("the program did not say when its token is over")
	case read.Expires != 0 && read.Expires < s.now().Unix():
		return "", errors.New("the token of the program is over")
	}
	proof := ""
	switch read.Type {
	case "urn:ietf:params:oauth:token-type:jwt", "urn:ietf:params:oauth:token-type:id_token":
		proof = read.IDToken
	case "urn:ietf:params:oauth:token-type:saml2":
		proof = read.SAML
	}
	if proof == "" {
		return "", errors.New("what the program printed holds no token of a type that is known")
	}
	return proof, nil
}
