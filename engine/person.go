package engine

// This file says who is who in a local runtime: the one person it has, the playbook,
// and whom a request waits on.

import (
	"path/filepath"
	"strings"

	"github.com/beonauto/auto/engine/request"
)

// LocalDeveloper is the one person of a local runtime, for whom its runs act and who
// answers in a session of their own. An agent answers as the same caller with Agent
// set.
func LocalDeveloper() Caller { return Caller{ID: "local-developer", Name: "Local developer"} }

// Playbook is the playbook's id: the name of its folder.
func (r *Runtime) Playbook() string {
	folder, err := filepath.Abs(r.folder)
	if err != nil {
		folder = r.folder
	}
	return filepath.Base(folder)
}

// Email is the address of the local developer, by the setting AUTO_EMAIL; empty
// when it is not known.
func (r *Runtime) Email() string {
	if r.settings == nil {
		return ""
	}
	return r.settings.Email()
}

// Waiting is whom a request waits on, as the local developer sees it.
type Waiting string

// Whom a request may wait on.
const (
	OnMe      Waiting = "me"
	OnAnyone  Waiting = "anyone"
	OnAnother Waiting = "another"
)

// WaitsOnMe tells whether a request to a party waits on the local developer: by
// their id or their address, or, as on every member, by a party that is no person.
func (r *Runtime) WaitsOnMe(to string) Waiting {
	switch waits := request.WaitsOn(to); {
	case waits == request.AnyMember:
		return OnAnyone
	case waits == request.PersonPrefix+LocalDeveloper().ID, waits == strings.ToLower(r.Email()):
		return OnMe
	}
	return OnAnother
}
