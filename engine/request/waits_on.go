package request

// This file tells whom a request waits on (interaction format, "Whom a request
// waits on").

import "strings"

// AnyMember is whom a request waits on whose party is no one person.
const AnyMember = "any_member"

// PersonPrefix begins a party that is a person's id.
const PersonPrefix = "person:"

// WaitsOn gives whom a request to a party waits on: an email address in lower case,
// a person as person: and an id, or AnyMember.
func WaitsOn(to string) string {
	switch {
	case strings.HasPrefix(to, PersonPrefix) && len(to) > len(PersonPrefix):
		return to
	case strings.Contains(to, "@"):
		return strings.ToLower(to)
	}
	return AnyMember
}
