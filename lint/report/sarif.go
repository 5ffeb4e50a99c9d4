package report

// This file writes a report as SARIF 2.1.0, which code scanning and many editors
// read: one run, its rules first, each result as soon as its file is known.

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/lint"
)

const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	// rulesPage is the page that explains the rules.
	rulesPage = "https://github.com/beonauto/auto/blob/main/docs/lint.md#rules"
)

type sarifText struct {
	Text string `json:"text"`
}

type sarifRule struct {
	ID      string    `json:"id"`
	Short   sarifText `json:"shortDescription"`
	Full    sarifText `json:"fullDescription"`
	Help    sarifText `json:"help"`
	HelpURI string    `json:"helpUri"`
	Default struct {
		Level string `json:"level"`
	} `json:"defaultConfiguration"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	} `json:"physicalLocation"`
}

type sarifArtifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId,omitempty"`
}

type sarifRegion struct {
	Line   int `json:"startLine"`
	Column int `json:"startColumn,omitempty"`
}

type sarifNotification struct {
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifPrinter struct {
	out     *bufio.Writer
	version string
	started bool
	results int
	remarks []sarifNotification
	failed  bool
}

func newSARIF(out io.Writer, options Options) Printer {
	return &sarifPrinter{out: bufio.NewWriter(out), version: options.Version}
}

func (s *sarifPrinter) File(file *lint.File) error {
	if err := s.start(); err != nil {
		return err
	}
	if file.Err != nil {
		return s.Remark(file.Path, "Cannot be read: "+file.Err.Error(), true)
	}
	same := map[string]int{}
	for _, p := range file.Problems {
		before := ",\n        "
		if s.results == 0 {
			before = "\n        "
		}
		s.results++
		if err := s.write(before, resultOf(file.Path, p, same), "        ", ""); err != nil {
			return err
		}
	}
	return nil
}

// Remark keeps what is said of a path for the end of the report.
func (s *sarifPrinter) Remark(path, reason string, fault bool) error {
	level := "warning"
	if fault {
		level, s.failed = "error", true
	}
	s.remarks = append(s.remarks, sarifNotification{
		Level: level, Message: sarifMessage(Visible(reason)), Locations: []sarifLocation{locationIn(path, nil)},
	})
	return nil
}

// start writes what stands before the results.
func (s *sarifPrinter) start() error {
	if s.started {
		return nil
	}
	s.started = true
	driver := sarifDriver{
		Name: "auto lint", Version: s.version, InformationURI: "https://github.com/beonauto/auto", Rules: make([]sarifRule, len(problem.Rules)),
	}
	for i, of := range problem.Rules {
		rule := sarifRule{ID: string(of.Rule), Short: sarifText{of.About}, Full: sarifText{of.About}, Help: sarifText{of.About}, HelpURI: rulesPage}
		rule.Default.Level = "error"
		if slices.Contains(problem.WarningRules(), of.Rule) {
			rule.Default.Level = "warning"
		}
		driver.Rules[i] = rule
	}
	before := "{\n  \"$schema\": \"" + sarifSchema + "\",\n  \"version\": \"" + sarifVersion + "\",\n  \"runs\": [\n    {\n" +
		"      \"columnKind\": \"unicodeCodePoints\",\n      \"tool\": {\n        \"driver\": "
	return s.write(before, driver, "        ", "\n      },\n      \"results\": [")
}

func (s *sarifPrinter) Close(lint.Summary) error {
	if err := s.start(); err != nil {
		return err
	}
	before := "],\n      \"invocations\": [\n        "
	if s.results > 0 {
		before = "\n      " + before
	}
	ended := sarifInvocation{Successful: !s.failed, Notifications: s.remarks}
	if ended.Notifications == nil {
		ended.Notifications = []sarifNotification{}
	}
	if err := s.write(before, ended, "        ", "\n      ]\n    }\n  ]\n}\n"); err != nil {
		return err
	}
	return s.out.Flush()
}

func (s *sarifPrinter) write(before string, value any, prefix, after string) error {
	return writeJSON(s.out, before, value, prefix, after)
}

// resultOf is a problem as a result. Its fingerprint stays the same when lines are
// added above it: it is made of the rule, the pointer and the words, and counts
// those that a file has more than once.
func resultOf(file string, p problem.Problem, same map[string]int) sarifResult {
	level, message := "error", p.Message
	if p.Severity == problem.Warning {
		level = "warning"
	}
	if p.Pointer != "" {
		message = p.Pointer + ": " + message
	}
	sum := sha256.Sum256([]byte(string(p.Rule) + "\x00" + message))
	fingerprint := hex.EncodeToString(sum[:8])
	same[fingerprint]++
	return sarifResult{
		RuleID:    string(p.Rule),
		RuleIndex: slices.IndexFunc(problem.Rules, func(of problem.RuleText) bool { return of.Rule == p.Rule }),
		Level:     level, Message: sarifMessage(message),
		Locations:    []sarifLocation{locationIn(file, &sarifRegion{Line: max(p.Line, 1), Column: p.Column})},
		Fingerprints: map[string]string{"primaryLocationLineHash": fmt.Sprintf("%s:%d", fingerprint, same[fingerprint])},
	}
}

// sarifMessage is a message whose brackets are read as no link.
func sarifMessage(text string) sarifText {
	return sarifText{strings.ReplaceAll(text, "](", `]\(`)}
}

// locationIn gives a place in a file: from the root of the source for a path that
// does not start at the file system's.
func locationIn(file string, region *sarifRegion) sarifLocation {
	var at sarifLocation
	at.Physical.Region = region
	at.Physical.Artifact = sarifArtifact{URI: (&url.URL{Path: file}).String(), Base: "%SRCROOT%"}
	switch {
	case path.IsAbs(file):
		at.Physical.Artifact = sarifArtifact{URI: (&url.URL{Scheme: "file", Path: file}).String()}
	case len(file) > 2 && file[1] == ':' && file[2] == '/':
		at.Physical.Artifact = sarifArtifact{URI: (&url.URL{Scheme: "file", Path: "/" + file}).String()}
	}
	return at
}
