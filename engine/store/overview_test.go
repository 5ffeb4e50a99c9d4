package store

import (
	"crypto/sha256"
	"errors"
	"strings"
	"testing"
)

// content is a document as Known is asked for it.
func content(typeName, name, source string) Content {
	return Content{typeName, name, sha256.Sum256([]byte(source))}
}

// placed stands for a document that was put in its place.
func placed() error { return nil }

func TestADocumentThatIsNotPlacedIsNotKept(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	failed := errors.New("the disk is full")
	if _, _, err := s.SaveTold("reasoning", "review", []byte("one"), nil, "none", func() error { return failed }); !errors.Is(err, failed) {
		t.Errorf("the error is %v", err)
	}
	if all, err := s.Definitions(); err != nil || len(all) != 0 {
		t.Errorf("the store knows %v, %v", all, err)
	}
	mustBeSound(t, s)
}

func TestAnOverviewStandsUntilAnotherIsGiven(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	text := func(words string) *string { return &words }
	known := func(source string) Known {
		t.Helper()
		found, err := s.Known(content("reasoning", "review", source))
		if err != nil {
			t.Fatal(err)
		}
		return found[0]
	}
	if got := known("one"); got != (Known{}) {
		t.Errorf("a store without a file knows %+v", got)
	}
	for i, c := range []struct {
		source  string
		given   *string
		diagram string
		want    Known
	}{
		{"one", nil, "none", Known{1, Overview{"", "none", 1}}},
		{"one", text("Reviews briefs."), "flowchart TD", Known{1, Overview{"Reviews briefs.", "flowchart TD", 1}}},
		{"two", nil, "none", Known{2, Overview{"Reviews briefs.", "none", 2}}},
		{"two", text("Reviews every brief."), "none", Known{2, Overview{"Reviews every brief.", "none", 2}}},
		{"one", nil, "graph TD", Known{1, Overview{"Reviews every brief.", "graph TD", 1}}},
	} {
		version, told, err := s.SaveTold("reasoning", "review", []byte(c.source), c.given, c.diagram, placed)
		if err != nil || version.Number != c.want.Version || told != c.want.Overview {
			t.Errorf("save %d gives %d, %+v, %v", i, version.Number, told, err)
		}
		if got := known(c.source); got != c.want {
			t.Errorf("after save %d the store knows %+v, want %+v", i, got, c.want)
		}
	}
	// A document that was edited by hand, and one that runs have kept since.
	if got := known("three"); got.Version != 0 || got.Overview.Text != "Reviews every brief." {
		t.Errorf("of a content that is not kept the store knows %+v", got)
	}
	if _, err := s.Save("reasoning", "review", []byte("three")); err != nil {
		t.Fatal(err)
	}
	if got := known("three"); got.Version != 3 || got.Overview.Diagram != "graph TD" {
		t.Errorf("of a content that was only run the store knows %+v", got)
	}
	mustBeSound(t, s)
}

func TestCheckFindsOverviewsThatDisagree(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	for key, record := range map[string][]byte{
		"nobody":           sealObject(object("overview", "", "diagram", "none", "version", 1.0)),
		"reasoning/review": sealObject(object("overview", "", "diagram", "none", "version", 7.0)),
		"reasoning/other":  sealObject(object("overview", 1.0)),
	} {
		if err := s.write(func(t transaction) error { return t.put(bucketOverviews, []byte(key), record) }); err != nil {
			t.Fatal(err)
		}
	}
	report, err := s.Check()
	if err != nil {
		t.Fatal(err)
	}
	faults := strings.Join(report.Faults, "\n")
	for _, want := range []string{"belongs to no definition", "reasoning/review was given with version 7, which is not kept", "the overview of reasoning/other: "} {
		if !strings.Contains(faults, want) {
			t.Errorf("Check finds\n%s\nand not %q", faults, want)
		}
	}
}

func TestWhatKnownDoesNotLookFor(t *testing.T) {
	t.Parallel()
	s, _ := scratch(t)
	if _, _, err := s.SaveTold("reasoning", "review", []byte("one"), nil, "none", placed); err != nil {
		t.Fatal(err)
	}
	found, err := s.Known(content("reasoning", "a/b", "x"), content("", "review", "one"), content("reasoning", "review", "\xff"))
	if err != nil || len(found) != 3 || found[0] != (Known{}) || found[1] != (Known{}) || found[2].Version != 0 || found[2].Overview.Diagram != "none" {
		t.Errorf("Known gives %+v, %v", found, err)
	}
	if _, _, err := s.SaveTold("reasoning", "a/b", []byte("x"), nil, "none", placed); err == nil {
		t.Error("a name with a / was kept")
	}
}
