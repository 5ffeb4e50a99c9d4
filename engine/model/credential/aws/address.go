package aws

import (
	"net/url"
	"strings"
)

// This file knows where AWS's sign-in services are.

// partition is a part of AWS that stands for itself, found by how its regions
// begin. The first row is everybody's.
type partition struct{ prefix, domain, dualStack, signIn string }

var partitions = [...]partition{
	{"", "amazonaws.com", "api.aws", "signin.aws.amazon.com"},
	{"cn-", "amazonaws.com.cn", "api.amazonwebservices.com.cn", "signin.amazonaws.cn"},
	{"us-gov-", "amazonaws.com", "api.aws", "signin.amazonaws-us-gov.com"},
	{"eusc-", "amazonaws.eu", "api.amazonwebservices.eu", "signin.amazonaws-eusc.eu"},
	{"us-iso-", "c2s.ic.gov", "api.aws.ic.gov", "signin.c2shome.ic.gov"},
	{"us-isob-", "sc2s.sgov.gov", "api.aws.scloud", "signin.sc2shome.sgov.gov"},
	{"us-isof-", "csp.hci.ic.gov", "api.aws.hci.ic.gov", "signin.csphome.hci.ic.gov"},
	{"eu-isoe-", "cloud.adc-e.uk", "api.cloud-aws.adc-e.uk", "signin.csphome.adc-e.uk"},
}

func partitionOf(region string) partition {
	for _, each := range partitions[1:] {
		if strings.HasPrefix(region, each.prefix) {
			return each
		}
	}
	return partitions[0]
}

// The services that the chain asks, as a host and as a setting name them.
const (
	securityTokens = "sts"
	signOnPortal   = "portal.sso"
	signOnTokens   = "oidc"
	signIn         = "signin"
)

// settingName names a service in settings.
func settingName(service string) string {
	switch service {
	case signOnPortal:
		return "sso"
	case signOnTokens:
		return "sso_oidc"
	}
	return service
}

// address is where a service is: where AWS_ENDPOINT_URL_<SERVICE> or the
// profile's services say, or else in its region. AWS_ENDPOINT_URL alone is for
// other services than those of sign-in, as the SDK has it.
func (s *surroundings) address(service, region string, of *profile) (*url.URL, error) {
	name := settingName(service)
	if !s.isTrue("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") {
		text := s.get("AWS_ENDPOINT_URL_" + strings.ToUpper(name))
		if _, general := s.lookup("AWS_ENDPOINT_URL"); text == "" && !general && of != nil {
			text = of.services[name]["endpoint_url"]
		}
		if text != "" {
			return rooted(text)
		}
	}
	return rooted("https://" + s.host(service, region))
}

// rooted is a URL whose path begins with a slash, so that a path can be joined to
// it.
func rooted(text string) (*url.URL, error) {
	address, err := url.Parse(text)
	if err == nil && address.Path == "" {
		address.Path = "/"
	}
	return address, err
}

func (s *surroundings) host(service, region string) string {
	fips, dual := s.setting("AWS_USE_FIPS_ENDPOINT", "use_fips_endpoint"), s.setting("AWS_USE_DUALSTACK_ENDPOINT", "use_dualstack_endpoint")
	at := partitionOf(region)
	switch {
	case service == signIn && !fips && !dual:
		return region + "." + at.signIn
	case service == signIn && at.prefix == "us-gov-" && !dual && region == "us-gov-west-1":
		return "signin-fips.amazonaws-us-gov.com"
	case service == signIn && at.prefix == "us-gov-" && !dual:
		return region + ".signin-fips.amazonaws-us-gov.com"
	}
	domain := at.domain
	if dual {
		domain = at.dualStack
	}
	// The services of us-gov are approved at their plain names.
	if fips && (dual || at.prefix != "us-gov-") {
		service += "-fips"
	}
	return service + "." + region + "." + domain
}

// setting tells whether a variable, or else the chosen profile, turns something
// on.
func (s *surroundings) setting(variable, name string) bool {
	if s.get(variable) != "" {
		return s.isTrue(variable)
	}
	return strings.EqualFold(s.profiles()[s.profileName()].get(name), "true")
}
