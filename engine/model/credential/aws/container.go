package aws

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/beonauto/auto/engine/model/credential/obtain"
)

// This file takes the keys of a container: of a task of ECS, or of a pod of EKS.

const taskService = "http://169.254.170.2"

// containerHosts are where plain HTTP may go beside the machine itself: a token
// travels with the question.
var containerHosts = []string{"169.254.170.2", "169.254.170.23", "fd00:ec2::23"}

func (s *surroundings) hasContainer() bool {
	return s.either("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI") != ""
}

func (s *surroundings) container() *way {
	return &way{name: "the container's credentials", fetch: func(ctx context.Context) (keys, error) {
		address, err := s.containerAddress(ctx)
		if err != nil {
			return keys{}, err
		}
		request := &http.Request{Method: http.MethodGet, URL: address, Header: http.Header{"Accept": {"application/json"}}}
		token, err := s.containerToken()
		if err != nil {
			return keys{}, err
		}
		if token != "" {
			request.Header.Set("Authorization", token)
		}
		s.connect()
		ask := s.near.Ask
		if address.Scheme == "https" {
			ask = func(ctx context.Context, request *http.Request, body []byte) (*obtain.Answer, error) {
				return s.ask(ctx, request, body, nil)
			}
		}
		answer, err := ask(ctx, request, nil)
		if err != nil {
			return keys{}, err
		}
		if !answer.OK() {
			return keys{}, refusedInJSON("the container's service", answer, token)
		}
		var read given
		if err := json.Unmarshal(answer.Body, &read); err != nil {
			return keys{}, errors.New("the answer of the container's service cannot be read")
		}
		return read.keys("the container's service")
	}}
}

func (s *surroundings) containerAddress(ctx context.Context) (*url.URL, error) {
	if path := s.get("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"); path != "" {
		address, err := url.Parse(taskService + path)
		if err != nil || address.Host != strings.TrimPrefix(taskService, "http://") {
			return nil, errors.New("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: Expected a path")
		}
		return address, nil
	}
	address, err := url.Parse(s.get("AWS_CONTAINER_CREDENTIALS_FULL_URI"))
	if err != nil || address.Hostname() == "" || address.Scheme != "http" && address.Scheme != "https" {
		return nil, errors.New("AWS_CONTAINER_CREDENTIALS_FULL_URI: Expected an http or https URL")
	}
	if address.Scheme == "http" && !isContainerHost(ctx, address.Hostname()) {
		return nil, errors.New("AWS_CONTAINER_CREDENTIALS_FULL_URI: Expected https, or http to this machine or to the container's service")
	}
	return address, nil
}

func isContainerHost(ctx context.Context, host string) bool {
	allowed := func(ip net.IP) bool {
		for _, each := range containerHosts {
			if ip.Equal(net.ParseIP(each)) {
				return true
			}
		}
		return ip.IsLoopback()
	}
	if ip := net.ParseIP(host); ip != nil {
		return allowed(ip)
	}
	found, err := net.DefaultResolver.LookupIPAddr(ctx, host)
	for _, each := range found {
		if !allowed(each.IP) {
			return false
		}
	}
	return err == nil && len(found) > 0
}

// containerToken is what the question is authorized with. Its file is read each
// time: EKS renews it.
func (s *surroundings) containerToken() (string, error) {
	token := s.get("AWS_CONTAINER_AUTHORIZATION_TOKEN")
	if path := s.get("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"); path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", errors.New("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: the file cannot be read")
		}
		token = string(text)
	}
	if strings.ContainsAny(token, "\r\n") {
		return "", errors.New("the container's authorization token holds the end of a line")
	}
	return token, nil
}
