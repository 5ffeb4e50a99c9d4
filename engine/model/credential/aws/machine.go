package aws

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/model/credential/obtain"
)

// This file takes the keys of a machine's role from the metadata service of EC2,
// version 2 and, where that gives no token and it is not forbidden, version 1.

const (
	metadataService   = "http://169.254.169.254"
	metadataServiceV6 = "http://[fd00:ec2::254]"
	rolePath          = "/latest/meta-data/iam/security-credentials/"
	tokenSeconds      = "300"
	longestHeld       = time.Hour
	// The service may be away for longer than its keys tell, and whoever is sent
	// them judges them anyway.
	machineOutlives = 10 * time.Minute
)

func (s *surroundings) machine() *way {
	return &way{name: "the metadata service of EC2", outlives: machineOutlives, fetch: func(ctx context.Context) (keys, error) {
		if s.isTrue("AWS_EC2_METADATA_DISABLED") {
			return keys{}, errors.New("AWS_EC2_METADATA_DISABLED is true")
		}
		base, err := rooted(s.metadataAddress())
		if err != nil {
			return keys{}, errors.New("the address of the metadata service is no URL")
		}
		s.connect()
		token, err := s.metadataToken(ctx, base)
		if err != nil {
			return keys{}, err
		}
		return s.machineKeys(ctx, base, token)
	}}
}

func (s *surroundings) metadataAddress() string {
	own := s.profiles()[s.profileName()]
	for _, text := range []string{s.get("AWS_EC2_METADATA_SERVICE_ENDPOINT"), own.get("ec2_metadata_service_endpoint")} {
		if text != "" {
			return text
		}
	}
	for _, mode := range []string{s.get("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"), own.get("ec2_metadata_service_endpoint_mode")} {
		if strings.EqualFold(mode, "IPv6") {
			return metadataServiceV6
		}
		if mode != "" {
			break
		}
	}
	return metadataService
}

// metadataToken starts a session. No token is given where version 1 is to be
// asked.
func (s *surroundings) metadataToken(ctx context.Context, base *url.URL) (string, error) {
	request := &http.Request{Method: http.MethodPut, URL: base.JoinPath("latest", "api", "token"), Header: http.Header{"X-Aws-Ec2-Metadata-Token-Ttl-Seconds": {tokenSeconds}}}
	answer, err := s.near.Ask(ctx, request, nil)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err == nil && answer.OK():
		return string(answer.Body), nil
	case s.setting("AWS_EC2_METADATA_V1_DISABLED", "ec2_metadata_v1_disabled"), err == nil && answer.Status == http.StatusBadRequest:
		if err != nil {
			return "", err
		}
		return "", &obtain.Refused{Service: "it", Status: answer.Status}
	}
	// A token's answer may not reach a container, whose network is a hop longer.
	return "", nil
}

func (s *surroundings) machineKeys(ctx context.Context, base *url.URL, token string) (keys, error) {
	list, err := s.metadata(ctx, base, rolePath, token)
	if err != nil {
		return keys{}, err
	}
	role, _, _ := strings.Cut(strings.TrimSpace(string(list)), "\n")
	if role == "" {
		return keys{}, errors.New("the machine has no role")
	}
	text, err := s.metadata(ctx, base, rolePath+url.PathEscape(strings.TrimSpace(role)), token)
	if err != nil {
		return keys{}, err
	}
	var read struct {
		Code string
		given
	}
	if err := json.Unmarshal(text, &read); err != nil {
		return keys{}, errors.New("its answer cannot be read")
	}
	if !strings.EqualFold(read.Code, "Success") {
		return keys{}, errors.New("the machine's role gives no keys: " + obtain.Shown(read.Code))
	}
	got, err := read.given.keys("the metadata service")
	// What is there may be replaced long before it is over.
	if latest := s.now().Add(longestHeld); got.expires.IsZero() || got.expires.After(latest) {
		got.expires = latest
	}
	return got, err
}

func (s *surroundings) metadata(ctx context.Context, base *url.URL, path, token string) ([]byte, error) {
	address, err := url.Parse(strings.TrimSuffix(base.String(), "/") + path)
	if err != nil {
		return nil, err
	}
	request := &http.Request{Method: http.MethodGet, URL: address, Header: http.Header{}}
	if token != "" {
		request.Header.Set("X-Aws-Ec2-Metadata-Token", token)
	}
	answer, err := s.near.Ask(ctx, request, nil)
	switch {
	case err != nil:
		return nil, err
	case answer.Status == http.StatusNotFound:
		return nil, errors.New("the machine has no role")
	case !answer.OK():
		return nil, &obtain.Refused{Service: "it", Status: answer.Status}
	}
	return answer.Body, nil
}
