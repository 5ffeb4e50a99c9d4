package report

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"testing"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/lint"
)

// sarifLog is what readers of a log use of it.
type sarifLog struct {
	Version string
	Runs    []struct {
		Tool struct {
			Driver struct {
				Name  string
				Rules []struct {
					ID   string
					Help struct{ Text string }
				}
			}
		}
		Results []struct {
			RuleID    string
			RuleIndex int
			Level     string
			Message   struct{ Text string }
			Locations []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI, URIBaseID string }
					Region           struct{ StartLine, StartColumn int }
				}
			}
			PartialFingerprints map[string]string
		}
		Invocations []struct {
			ExecutionSuccessful        bool
			ToolExecutionNotifications []struct{ Message struct{ Text string } }
		}
	}
}

func sarifOf(t *testing.T, files ...*lint.File) sarifLog {
	t.Helper()
	var out bytes.Buffer
	printer := newSARIF(&out, Options{Version: "1.2.3"})
	for _, file := range files {
		if err := printer.File(file); err != nil {
			t.Fatal(err)
		}
	}
	if err := printer.Close(lint.Summary{}); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return log
}

// Every result keeps what the standard and code scanning ask of one.
func TestSARIFKeepsTheStandard(t *testing.T) {
	t.Parallel()
	for n := range len(files) + 1 {
		log := sarifOf(t, files[:n]...)
		if log.Version != "2.1.0" || len(log.Runs) != 1 || len(log.Runs[0].Invocations) != 1 || log.Runs[0].Results == nil {
			t.Fatalf("after %d files: %+v", n, log)
		}
		run := log.Runs[0]
		for _, rule := range run.Tool.Driver.Rules {
			if rule.ID == "" || rule.Help.Text == "" {
				t.Errorf("rule %+v", rule)
			}
		}
		for _, result := range run.Results {
			if run.Tool.Driver.Rules[result.RuleIndex].ID != result.RuleID {
				t.Errorf("%s stands at the place of another rule", result.RuleID)
			}
			at := result.Locations[0].PhysicalLocation
			if at.Region.StartLine < 1 || at.Region.StartColumn < 0 || result.Message.Text == "" || !slices.Contains([]string{"error", "warning"}, result.Level) {
				t.Errorf("%+v", result)
			}
			if _, err := url.Parse(at.ArtifactLocation.URI); err != nil || at.ArtifactLocation.URI == "" {
				t.Errorf("%q is no reference: %v", at.ArtifactLocation.URI, err)
			}
		}
	}
	if run := sarifOf(t, files...).Runs[0]; run.Invocations[0].ExecutionSuccessful || len(run.Invocations[0].ToolExecutionNotifications) != 1 {
		t.Errorf("a file that cannot be read is not told: %+v", run.Invocations)
	}
}

func TestSARIFFingerprintsStayWhenLinesMove(t *testing.T) {
	t.Parallel()
	prints := func(shift int) []string {
		unknown := problem.Problem{Rule: problem.UnknownKey, Severity: problem.Refused, Pointer: "/a", Message: "Unknown key"}
		first, second, other := unknown, unknown, unknown
		first.Line, second.Line, other.Line, other.Pointer = 2+shift, 9+shift, 3+shift, "/b"
		log := sarifOf(t, &lint.File{Path: "a.md", Problems: []problem.Problem{first, other, second}})
		var all []string
		for _, result := range log.Runs[0].Results {
			all = append(all, result.PartialFingerprints["primaryLocationLineHash"])
		}
		return all
	}
	before, after := prints(0), prints(40)
	if !slices.Equal(before, after) {
		t.Errorf("%v became %v", before, after)
	}
	slices.Sort(before)
	if len(slices.Compact(before)) != 3 {
		t.Errorf("got %v, want three different ones", before)
	}
}

func TestSARIFPathsAreReferences(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"reasoning/a b#1.md":    "reasoning/a%20b%231.md",
		"../é/50%.md":           "../%C3%A9/50%25.md",
		"/home/ada/a b.md":      "file:///home/ada/a%20b.md",
		"C:/ada/a.md":           "file:///C:/ada/a.md",
		"a:b.md":                "./a:b.md",
		"reasoning/2026:a.md":   "reasoning/2026:a.md",
		"<stdin>":               "%3Cstdin%3E",
		"reasoning/review.md":   "reasoning/review.md",
		"reasoning/what?no.md":  "reasoning/what%3Fno.md",
		"reasoning/[draft].md":  "reasoning/%5Bdraft%5D.md",
		"reasoning/a&b=c+d.md":  "reasoning/a&b=c+d.md",
		"interaction/ask-me.md": "interaction/ask-me.md",
	} {
		if got := locationIn(file, nil).Physical.Artifact.URI; got != want {
			t.Errorf("%s: got %s, want %s", file, got, want)
		}
	}
}
