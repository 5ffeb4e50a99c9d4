package aws

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// This file makes a profile of its section and judges what it says together.

// profile is one profile, with the profile that it takes its first keys from.
type profile struct {
	name     string
	source   *profile
	services map[string]map[string]string
	session  *section // the sso-session that it names

	keys                                             keys
	roleARN, externalID, roleSession, mfa            string
	duration                                         time.Duration
	credentialSource, tokenFile, process             string
	ssoSession, ssoRegion, ssoURL, ssoAccount, ssoAs string
	loginSession                                     string
}

func (s *surroundings) profileName() string {
	if name := s.either("AWS_PROFILE", "AWS_DEFAULT_PROFILE"); name != "" {
		return name
	}
	return "default"
}

// missingProfile is a profile that no file holds.
type missingProfile struct{ name string }

func (e *missingProfile) Error() string {
	return "no profile " + strconv.Quote(e.name) + " in AWS's config and credentials files"
}

// profile reads a profile and those it leads to. Seen are the profiles on the
// way to it.
func readProfile(name string, sections map[string]*section, seen []string) (*profile, error) {
	from := sections[name]
	if from == nil {
		return nil, &missingProfile{name}
	}
	if from.half {
		return nil, fmt.Errorf("profile %s: one of %s and %s is missing", name, keyID, keySecret)
	}
	made := profileOf(name, from)
	if slices.Contains(seen, name) {
		// A profile that a chain comes back to gives its own keys alone.
		made.roleARN, made.externalID, made.roleSession, made.mfa = "", "", "", ""
	} else if err := made.wantsRole(from); err != nil {
		return nil, err
	}
	if len(seen) > 0 && made.keys.complete() {
		return made, nil
	}
	ways := 0
	for _, setting := range []string{"source_profile", "credential_source", "credential_process", "web_identity_token_file"} {
		if from.get(setting) != "" && (setting != "source_profile" || !slices.Contains(seen, name)) {
			ways++
		}
	}
	if ways > 1 {
		return nil, fmt.Errorf("profile %s: only one of source_profile, credential_source, credential_process and web_identity_token_file may be set", name)
	}
	if err := made.link(from, sections, seen); err != nil {
		return nil, err
	}
	if named := from.get("services"); named != "" {
		if services := sections[servicesFor+named]; services != nil {
			made.services = services.nested
		}
	}
	return made, nil
}

func profileOf(name string, from *section) *profile {
	made := &profile{
		name:    name,
		roleARN: from.get("role_arn"), externalID: from.get("external_id"), roleSession: from.get("role_session_name"), mfa: from.get("mfa_serial"),
		credentialSource: from.get("credential_source"), tokenFile: from.get("web_identity_token_file"), process: from.get("credential_process"),
		ssoSession: from.get("sso_session"), ssoRegion: from.get("sso_region"), ssoURL: from.get("sso_start_url"),
		ssoAccount: from.get("sso_account_id"), ssoAs: from.get("sso_role_name"),
		loginSession: from.get("login_session"),
	}
	if given := (keys{id: from.get(keyID), secret: from.get(keySecret), token: from.get(keyToken)}); given.complete() {
		made.keys = given
	}
	if seconds, err := strconv.ParseInt(from.get("duration_seconds"), 0, 32); err == nil {
		made.duration = time.Duration(seconds) * time.Second
	}
	return made
}

// wantsRole refuses a way to a role that names none.
func (p *profile) wantsRole(from *section) error {
	for _, setting := range []string{"source_profile", "credential_source", "web_identity_token_file"} {
		if from.get(setting) != "" && p.roleARN == "" {
			return fmt.Errorf("profile %s: %s needs role_arn beside it", p.name, setting)
		}
	}
	return nil
}

// link finds the profile and the session that a profile names.
func (p *profile) link(from *section, sections map[string]*section, seen []string) error {
	if source := from.get("source_profile"); source != "" && !slices.Contains(seen, p.name) {
		// What the profile has of its own counts for nothing beside it.
		p.keys, p.credentialSource, p.process, p.tokenFile = keys{}, "", "", ""
		p.ssoURL, p.ssoRegion, p.ssoAccount, p.ssoAs = "", "", "", ""
		found, err := readProfile(source, sections, append(slices.Clone(seen), p.name))
		if err != nil {
			return fmt.Errorf("profile %s: source_profile: %w", p.name, err)
		}
		if !found.gives() {
			return fmt.Errorf("profile %s: its source_profile %s holds no credentials", p.name, source)
		}
		p.source = found
	}
	if p.ssoSession != "" {
		p.session = sections[ssoSection+strings.TrimSpace(p.ssoSession)]
		if p.session == nil {
			return fmt.Errorf("profile %s: no section [sso-session %s]", p.name, p.ssoSession)
		}
	}
	return nil
}

// gives tells whether a profile says where keys come from.
func (p *profile) gives() bool {
	return p.source != nil || p.keys.complete() || p.credentialSource != "" || p.process != "" || p.tokenFile != "" || p.signsIn() || p.loginSession != ""
}

func (p *profile) signsIn() bool {
	return p.ssoSession != "" || p.ssoRegion != "" || p.ssoURL != "" || p.ssoAccount != "" || p.ssoAs != ""
}
