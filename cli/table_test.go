package cli

import (
	"strings"
	"testing"

	"github.com/beonauto/auto/lint/report"
)

func TestClipped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"review", 9, "review"},
		{"approve-campaign-brief", 11, "appro…brief"},
		{"approve-campaign-brief", 12, "approv…brief"},
		{"日本語の名前です", 9, "日本…です"},
	} {
		got := clipped(c.text, c.width)
		if got != c.want || report.Width(got) > c.width {
			t.Errorf("%s in %d: got %s, want %s", c.text, c.width, got, c.want)
		}
	}
}

// TestTablesFit has tables of long names in terminals of several widths: names lose
// their middle, the longest first, and ids nothing. Where that is not enough they keep
// what can be read.
func TestTablesFit(t *testing.T) {
	t.Parallel()
	const id = "review-of-the-spring-campaign"
	table := func() [][]string {
		return [][]string{
			{"RUN", "STARTED", "FUNCTION", "STATUS", "TOOK"},
			{id, "just now", "interaction/approve-the-brief-of-a-campaign", "waits for priya.ramachandran@acme.example", "-"},
			{"0199a3c4", "2h ago", "reasoning/review", "succeeded", "2.4 s"},
		}
	}
	for _, c := range []struct {
		cells            int
		function, status string
	}{
		{200, "interaction/approve-the-brief-of-a-campaign", "waits for priya.ramachandran@acme.example"},
		{100, "interaction/…f-a-campaign", "waits for pr…acme.example"},
		{80, "interac…ampaign", "waits f…example"},
		{70, "inter…aign", "waits…mple"},
		{40, "interaction/…-a-campaign", "waits for pr…cme.example"},
	} {
		rows := table()
		fit(rows, c.cells, 2, 3)
		if rows[1][0] != id || rows[2][0] != "0199a3c4" {
			t.Errorf("%d: an id was cut: %q", c.cells, rows)
		}
		if rows[1][2] != c.function || rows[1][3] != c.status {
			t.Errorf("%d: got %s and %s", c.cells, rows[1][2], rows[1][3])
		}
		if c.cells >= 70 && width(rows) > c.cells {
			t.Errorf("%d: the table takes %d cells", c.cells, width(rows))
		}
	}
}

// TestTableWidth wants the width of a terminal, and the usual one elsewhere.
func TestTableWidth(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		terminal bool
		cells    int
		want     int
	}{{true, 132, 132}, {true, 20, leastWidth}, {true, 0, usualWidth}, {false, 132, usualWidth}} {
		a := &app{Streams: &Streams{OutTerminal: c.terminal, OutWidth: func() int { return c.cells }}}
		if got := a.tableWidth(); got != c.want {
			t.Errorf("%+v: got %d", c, got)
		}
	}
	if got := (&app{Streams: &Streams{OutTerminal: true}}).tableWidth(); got != usualWidth {
		t.Errorf("without a width: got %d", got)
	}
}

func TestDataIsCut(t *testing.T) {
	t.Parallel()
	text, cut := shortData(`{"a":"` + strings.Repeat("日", 300) + `"}`)
	if !cut || report.Width(text) > shownData || report.Width(text) < shownData-1 || !strings.HasSuffix(text, "…") {
		t.Errorf("got %d cells, cut %v", report.Width(text), cut)
	}
	if text, cut := shortData(`{"a":1}`); cut || text != `{"a":1}` {
		t.Errorf("got %s, cut %v", text, cut)
	}
}
