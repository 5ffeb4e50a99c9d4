package entra

import (
	"context"
	"crypto/sha1" // the thumbprint that Service Fabric names
	"crypto/subtle"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/model/credential/obtain"
)

// This file asks the service of a machine for the token of its managed
// identity. Which service it is follows from the variables that it sets.

const (
	metadataService = "http://169.254.169.254/metadata/identity/oauth2/token"
	arcService      = "http://127.0.0.1:40342/metadata/identity/oauth2/token"
	probeTime       = time.Second
	arcKeyBytes     = 4096
)

// ofMachine is the managed identity of the machine: that of AZURE_CLIENT_ID, or
// the machine's own.
func (s *surroundings) ofMachine(ctx context.Context) (token, error) {
	endpoint, header := s.get("IDENTITY_ENDPOINT"), s.get("IDENTITY_HEADER")
	switch {
	case endpoint != "" && header != "" && s.get("IDENTITY_SERVER_THUMBPRINT") != "":
		return s.ofServiceFabric(ctx, endpoint, header)
	case endpoint != "" && header != "":
		return s.ask(ctx, s.near, endpoint, query("2019-08-01", "client_id", s.get("AZURE_CLIENT_ID")), "X-IDENTITY-HEADER", header)
	case s.get("MSI_ENDPOINT") != "" && s.get("MSI_SECRET") != "":
		client := s.get("AZURE_CLIENT_ID")
		if client == "" {
			client = s.get("DEFAULT_IDENTITY_CLIENT_ID")
		}
		return s.ask(ctx, s.near, s.get("MSI_ENDPOINT"), query("2017-09-01", "clientid", client), "secret", s.get("MSI_SECRET"))
	case s.get("MSI_ENDPOINT") != "":
		return s.ofCloudShell(ctx)
	case endpoint != "" && s.get("IMDS_ENDPOINT") != "", s.exists(s.arc.agent):
		return s.ofArc(ctx)
	}
	return s.ofMetadata(ctx)
}

func query(version, clientName, client string) url.Values {
	values := url.Values{"api-version": {version}, "resource": {resource}}
	if client != "" {
		values.Set(clientName, client)
	}
	return values
}

// ask asks a machine's service with one header.
func (s *surroundings) ask(ctx context.Context, by *obtain.Asker, endpoint string, values url.Values, name, header string) (token, error) {
	answer, err := get(ctx, by, endpoint, values, name, header)
	if err != nil {
		return token{}, err
	}
	return s.read("the managed identity's service", answer, header)
}

func get(ctx context.Context, by *obtain.Asker, endpoint string, values url.Values, name, header string) (*obtain.Answer, error) {
	address, err := url.Parse(endpoint)
	if err != nil || address.Host == "" {
		return nil, notSet("the address of the managed identity's service is no URL")
	}
	all := address.Query()
	for name, given := range values {
		all[name] = given
	}
	address.RawQuery = all.Encode()
	request := &http.Request{Method: http.MethodGet, URL: address, Header: http.Header{}}
	if name != "" {
		request.Header.Set(name, header)
	}
	return by.Ask(ctx, request, nil)
}

// ofMetadata asks the metadata service of a virtual machine, once something
// answers at its address: elsewhere nobody does.
func (s *surroundings) ofMetadata(ctx context.Context) (token, error) {
	probing, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	if _, err := get(probing, s.near, metadataService, nil, "", ""); err != nil {
		return token{}, notSet("no service for it answers on this machine")
	}
	patient := *s.near
	patient.Again = func(answer *obtain.Answer) bool {
		return answer.Status == http.StatusNotFound || answer.Status == http.StatusGone
	}
	client := s.get("AZURE_CLIENT_ID")
	answer, err := get(ctx, &patient, metadataService, query("2018-02-01", "client_id", client), "Metadata", "true")
	if err != nil {
		return token{}, &unavailable{err}
	}
	got, err := s.read("the metadata service", answer)
	switch {
	case answer.Status == http.StatusBadRequest && client != "":
		return token{}, errors.New("the identity of AZURE_CLIENT_ID is not assigned to this machine")
	case err != nil && (answer.OK() || answer.Status == http.StatusBadRequest), answer.Status == http.StatusForbidden && strings.Contains(string(answer.Body), "unreachable"):
		// Not a machine of Azure, or one without an identity.
		return token{}, &unavailable{err}
	}
	return got, err
}

func (s *surroundings) ofCloudShell(ctx context.Context) (token, error) {
	if s.get("AZURE_CLIENT_ID") != "" {
		return token{}, notSet("Cloud Shell has no identity of AZURE_CLIENT_ID")
	}
	address, err := url.Parse(s.get("MSI_ENDPOINT"))
	if err != nil || address.Host == "" {
		return token{}, notSet("MSI_ENDPOINT: Expected a URL")
	}
	request := &http.Request{Method: http.MethodPost, URL: address, Header: http.Header{"Metadata": {"true"}, "Content-Type": {"application/x-www-form-urlencoded"}}}
	answer, err := s.near.Ask(ctx, request, []byte(url.Values{"resource": {resource}}.Encode()))
	if err != nil {
		return token{}, err
	}
	return s.read("Cloud Shell", answer)
}

// ofServiceFabric asks a cluster's service, whose certificate nobody signed: it
// is known by its thumbprint.
func (s *surroundings) ofServiceFabric(ctx context.Context, endpoint, header string) (token, error) {
	if s.get("AZURE_CLIENT_ID") != "" {
		return token{}, notSet("Service Fabric has no identity of AZURE_CLIENT_ID")
	}
	plain := strings.NewReplacer(":", "", " ", "").Replace(s.get("IDENTITY_SERVER_THUMBPRINT"))
	known, err := hex.DecodeString(plain)
	if err != nil || len(known) != sha1.Size {
		return token{}, notSet("IDENTITY_SERVER_THUMBPRINT: Expected the SHA-1 thumbprint of a certificate")
	}
	if !strings.HasPrefix(endpoint, "https://") {
		return token{}, notSet("IDENTITY_ENDPOINT: Expected an https URL")
	}
	pinned := *s.near
	pinned.Client = &http.Client{CheckRedirect: s.near.Client.CheckRedirect, Transport: &http.Transport{TLSClientConfig: &tls.Config{
		MinVersion:         tls.VersionTLS12,
		InsecureSkipVerify: true, // the thumbprint stands in place of a chain
		VerifyConnection: func(state tls.ConnectionState) error {
			if sum := sha1.Sum(state.PeerCertificates[0].Raw); subtle.ConstantTimeCompare(sum[:], known) != 1 {
				return errors.New("its certificate is not that of IDENTITY_SERVER_THUMBPRINT")
			}
			return nil
		},
	}}}
	return s.ask(ctx, &pinned, endpoint, query("2019-07-01-preview", "", ""), "Secret", header)
}

// arc is where the agent of Azure Arc is installed, and where it puts its keys;
// empty where there is none.
type arc struct{ agent, keys string }

func arcFolders() arc {
	switch runtime.GOOS {
	case "linux":
		return arc{"/opt/azcmagent/bin/himds", "/var/opt/azcmagent/tokens"}
	case "windows":
		base := filepath.Join(os.Getenv("ProgramData"), "AzureConnectedMachineAgent")
		return arc{filepath.Join(base, "himds.exe"), filepath.Join(base, "Tokens")}
	}
	return arc{}
}

// ofArc asks the agent of Azure Arc, which wants to see a key that only those
// may read who may have tokens.
func (s *surroundings) ofArc(ctx context.Context) (token, error) {
	endpoint := s.get("IDENTITY_ENDPOINT")
	if endpoint == "" {
		endpoint = arcService
	}
	client := s.get("AZURE_CLIENT_ID")
	values := query("2020-06-01", "client_id", client)
	asked, err := get(ctx, s.near, endpoint, values, "Metadata", "true")
	if err != nil {
		return token{}, err
	}
	if asked.Status != http.StatusUnauthorized {
		return token{}, &obtain.Refused{Service: "the agent of Azure Arc", Status: asked.Status}
	}
	_, path, found := strings.Cut(asked.Header.Get("Www-Authenticate"), "Basic realm=")
	if !found || s.arc.keys == "" || filepath.Dir(path) != s.arc.keys || filepath.Ext(path) != ".key" {
		return token{}, errors.New("the agent of Azure Arc names no key in its folder")
	}
	if stat, err := os.Stat(path); err != nil || stat.Size() > arcKeyBytes {
		return token{}, errors.New("the key of Azure Arc cannot be read")
	}
	key, err := os.ReadFile(path)
	if err != nil {
		return token{}, errors.New("the key of Azure Arc cannot be read")
	}
	address, err := url.Parse(endpoint)
	if err != nil {
		return token{}, err
	}
	address.RawQuery = values.Encode()
	request := &http.Request{Method: http.MethodGet, URL: address, Header: http.Header{"Metadata": {"true"}, "Authorization": {"Basic " + string(key)}}}
	answer, err := s.near.Ask(ctx, request, nil)
	if err != nil {
		return token{}, err
	}
	if client != "" && answer.OK() && !namesClient(answer.Body, client) {
		return token{}, errors.New("the agent of Azure Arc gave the machine's own identity, not that of AZURE_CLIENT_ID")
	}
	return s.read("the agent of Azure Arc", answer, string(key))
}

// namesClient tells whether an answer is for a client: older agents give the
// machine's own identity to whoever asks.
func namesClient(body []byte, client string) bool {
	var read struct {
		ClientID string `json:"client_id"`
	}
	return json.Unmarshal(body, &read) == nil && strings.EqualFold(read.ClientID, client)
}
