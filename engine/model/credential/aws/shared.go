package aws

import (
	"os"
	"path/filepath"
	"strings"
)

// This file reads the two files that the tools of AWS share, config and
// credentials, with the leniency that those tools have.

// section is one section of a file: its settings by their lower-case names. A
// setting that holds settings of its own, as those of a service do, has them in
// nested.
type section struct {
	settings map[string]string
	nested   map[string]map[string]string
	half     bool // it holds one of the two keys
}

// get is a setting; a nil section has none.
func (s *section) get(name string) string {
	if s == nil {
		return ""
	}
	return s.settings[name]
}

func (s *section) has(name string) bool {
	if s == nil {
		return false
	}
	_, ok := s.settings[name]
	return ok
}

const (
	keyID       = "aws_access_key_id"
	keySecret   = "aws_secret_access_key"
	keyToken    = "aws_session_token"
	ssoSection  = "sso-session "
	servicesFor = "services "
)

// profiles gives the sections of both files by their names without `profile`. A
// file that cannot be read counts as empty.
func (s *surroundings) profiles() map[string]*section {
	all := map[string]*section{}
	for name, found := range read(s.file("AWS_CONFIG_FILE", "config")) {
		plain, isProfile := strings.CutPrefix(name, "profile ")
		switch {
		case isProfile:
			all[plain] = found
		case strings.EqualFold(name, "default"):
			if all[name] == nil {
				all[name] = found
			}
		case strings.HasPrefix(name, ssoSection), strings.HasPrefix(name, servicesFor):
			all[name] = found
		}
	}
	for name, found := range read(s.file("AWS_SHARED_CREDENTIALS_FILE", "credentials")) {
		if strings.HasPrefix(name, "profile ") {
			continue
		}
		if all[name] == nil {
			all[name] = found
			continue
		}
		all[name].take(found)
	}
	return all
}

func (s *surroundings) file(variable, name string) string {
	if path := s.get(variable); path != "" {
		return path
	}
	return filepath.Join(s.home(), ".aws", name)
}

// take merges what the credentials file says over what the config file says.
// Keys are taken together, or not at all.
func (s *section) take(over *section) {
	s.half = over.half
	paired := over.has(keyID) && over.has(keySecret)
	for name, text := range over.settings {
		if name != keyID && name != keySecret && name != keyToken || paired {
			s.settings[name] = text
		}
	}
}

// read reads a file; one that cannot be read has no section.
func read(path string) map[string]*section {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	sections := map[string]*section{}
	var into *section
	last := ""
	for line := range strings.SplitSeq(strings.TrimPrefix(string(text), "\ufeff"), "\n") {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || trimmed[0] == '#' || trimmed[0] == ';' {
			continue
		}
		if name, ok := heading(line); ok {
			if sections[name] == nil {
				sections[name] = &section{settings: map[string]string{}, nested: map[string]map[string]string{}}
			}
			into, last = sections[name], ""
			continue
		}
		if into != nil && into != sections[""] {
			last = into.line(line, last)
		}
	}
	for _, each := range sections {
		each.half = each.has(keyID) != each.has(keySecret)
	}
	return sections
}

// line takes one line of a section after the setting named last, and gives the
// name of the setting that the next line belongs to.
func (s *section) line(line, last string) string {
	indented := line[0] == ' ' || line[0] == '\t'
	text := strings.TrimSpace(line)
	name, value, isSetting := setting(text)
	switch {
	case !indented:
		name, value, isSetting = setting(uncommented(line))
		if !isSetting {
			return last
		}
		s.settings[name] = value
		return name
	case isSetting && (last == "" || s.settings[last] != ""):
		// The setting before it holds a text, so this one is its own.
		s.settings[name] = strings.TrimSpace(uncommented(value))
		return name
	case isSetting:
		if s.nested[last] == nil {
			s.nested[last] = map[string]string{}
		}
		s.nested[last][name] = value
	case last != "" && s.settings[last] != "":
		s.settings[last] += "\n" + text
	}
	return last
}

// heading reads `[ type name ]`.
func heading(line string) (string, bool) {
	line, _, _ = strings.Cut(line, "#")
	line, _, _ = strings.Cut(line, ";")
	line = strings.TrimSpace(line)
	if len(line) < 2 || line[0] != '[' || line[len(line)-1] != ']' {
		return "", false
	}
	line = strings.TrimSpace(line[1 : len(line)-1])
	if at := strings.IndexAny(line, " \t"); at > 0 {
		return line[:at] + " " + strings.TrimLeft(line[at:], " \t"), true
	}
	return line, true
}

// uncommented takes off a comment, which stands behind white space.
func uncommented(line string) string {
	for i := 1; i < len(line); i++ {
		if (line[i] == '#' || line[i] == ';') && (line[i-1] == ' ' || line[i-1] == '\t') {
			return line[:i-1]
		}
	}
	return line
}

// setting reads `name = value` or `name: value`.
func setting(line string) (string, string, bool) {
	at := strings.IndexAny(line, "=:")
	if at < 0 {
		return "", "", false
	}
	value := strings.TrimSpace(line[at+1:])
	if len(value) > 1 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0] {
		value = value[1 : len(value)-1]
	}
	return strings.ToLower(strings.TrimSpace(line[:at])), value, true
}
