package aws

import (
	"context"
	"errors"
	"time"

	"github.com/beonauto/auto/engine/model/credential/obtain"
)

// This file holds the order of the chain, which is that of the AWS SDK for Go:
// the first way that is set up is taken, and no other is tried after it.

// chain finds the way that is set up.
func (s *surroundings) chain() (*way, error) {
	given := keys{id: s.either("AWS_ACCESS_KEY_ID", "AWS_ACCESS_KEY"), secret: s.either("AWS_SECRET_ACCESS_KEY", "AWS_SECRET_KEY"), token: s.get("AWS_SESSION_TOKEN")}
	if given.complete() {
		return always("the environment", given), nil
	}
	without := []string{"AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not both set"}
	sections := s.profiles()
	name := s.profileName()
	chosen, err := readProfile(name, sections, nil)
	var missing *missingProfile
	top := errors.As(err, &missing) && missing.name == name
	if chosen == nil {
		chosen = &profile{name: name}
	}
	if file := s.get("AWS_WEB_IDENTITY_TOKEN_FILE"); file != "" {
		return s.webIdentity("AWS_WEB_IDENTITY_TOKEN_FILE", chosen, file, s.get("AWS_ROLE_ARN"), s.get("AWS_ROLE_SESSION_NAME")), nil
	}
	without = append(without, "AWS_WEB_IDENTITY_TOKEN_FILE is not set")
	switch {
	case top && s.either("AWS_PROFILE", "AWS_DEFAULT_PROFILE") != "":
		return nil, &NoCredentials{From: "AWS_PROFILE", Cause: err, Without: without}
	case top:
		without = append(without, err.Error())
	case err != nil:
		return nil, &NoCredentials{From: "the shared files", Cause: err, Without: without}
	case !chosen.gives():
		without = append(without, "the profile "+name+" says nothing of credentials")
	}
	found, err := s.ofProfile(chosen)
	if err != nil {
		return nil, &NoCredentials{From: "the profile " + name, Cause: err, Without: without}
	}
	found.without = append(without, found.without...)
	return found, nil
}

func always(name string, given keys) *way {
	return &way{name: name, fetch: func(context.Context) (keys, error) { return given, nil }}
}

// ofProfile is the way of a profile, with the role that it takes on.
func (s *surroundings) ofProfile(of *profile) (*way, error) {
	var found *way
	var err error
	named := "the profile " + of.name
	switch {
	case of.source != nil:
		found, err = s.ofProfile(of.source)
	case of.keys.complete():
		found = always(named, of.keys)
	case of.credentialSource != "":
		found, err = s.named(of)
	case of.tokenFile != "":
		return s.webIdentity(named, of, of.tokenFile, of.roleARN, of.roleSession), nil
	case of.signsIn():
		found, err = s.singleSignOn(of)
	case of.loginSession != "":
		found = s.login(of)
	case of.process != "":
		found = s.program(named, of.process)
	case s.hasContainer():
		found = s.container()
	default:
		found = s.machine()
		found.without = []string{"neither AWS_CONTAINER_CREDENTIALS_RELATIVE_URI nor AWS_CONTAINER_CREDENTIALS_FULL_URI is set"}
	}
	if err != nil || of.roleARN == "" {
		return found, err
	}
	return s.role(of, found)
}

// named is the way that credential_source names.
func (s *surroundings) named(of *profile) (*way, error) {
	switch of.credentialSource {
	case "Environment":
		return &way{name: "the environment, named by credential_source", fetch: func(context.Context) (keys, error) {
			// Complete keys would have been taken before any profile.
			return keys{}, errors.New("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not both set")
		}}, nil
	case "Ec2InstanceMetadata":
		return s.machine(), nil
	case "EcsContainer":
		if !s.hasContainer() {
			return nil, errors.New("credential_source is EcsContainer, but neither AWS_CONTAINER_CREDENTIALS_RELATIVE_URI nor AWS_CONTAINER_CREDENTIALS_FULL_URI is set")
		}
		return s.container(), nil
	}
	return nil, errors.New("credential_source: Expected one of Environment, Ec2InstanceMetadata, EcsContainer")
}

// kept holds the keys of a way that another way builds on.
func (s *surroundings) kept(of *way) *obtain.Kept[keys] {
	return obtain.Keep(s.now, func(ctx context.Context) (keys, time.Time, error) {
		got, err := of.fetch(ctx)
		return got, got.expires, err
	})
}
