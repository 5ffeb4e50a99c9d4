package obtain

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func asker(t *testing.T, answer http.HandlerFunc) (*Asker, *http.Request, *[]time.Duration) {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/a?secret=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	waited := []time.Duration{}
	return &Asker{Client: server.Client(), Sleep: func(_ context.Context, wait time.Duration) error {
		waited = append(waited, wait)
		return nil
	}}, request, &waited
}

func TestAsksAgain(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		statuses []int
		want     int
		asked    int
	}{
		{[]int{200}, 200, 1}, {[]int{400}, 400, 1}, {[]int{503, 429, 200}, 200, 3}, {[]int{500, 500, 500, 200}, 500, 3}, {[]int{409, 200}, 200, 2},
	} {
		asked := 0
		by, request, waited := asker(t, func(w http.ResponseWriter, r *http.Request) {
			body := make([]byte, 9)
			n, _ := r.Body.Read(body)
			w.WriteHeader(test.statuses[asked])
			fmt.Fprint(w, string(body[:n]))
			asked++
		})
		by.Again = func(answer *Answer) bool { return answer.Status == http.StatusConflict }
		answer, err := by.Ask(t.Context(), request, []byte("sent"))
		if err != nil || answer.Status != test.want || string(answer.Body) != "sent" || asked != test.asked || len(*waited) != test.asked-1 {
			t.Errorf("%v: %+v, %v after %d", test.statuses, answer, err, asked)
		}
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x", answerBytes+1)
	for name, answer := range map[string]http.HandlerFunc{
		"too large":  func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, large) },
		"broken off": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		by, request, _ := asker(t, answer)
		_, err := by.Ask(t.Context(), request, nil)
		var failed *Unreachable
		if !errors.As(err, &failed) || failed.Host != request.URL.Host || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	by, request, _ := asker(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	ctx, cancel := context.WithCancel(t.Context())
	by.Sleep = func(context.Context, time.Duration) error { cancel(); return ctx.Err() }
	if _, err := by.Ask(ctx, request, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("said %v", err)
	}
}

func TestShown(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{
		"":                              "",
		"\n  first \nsecond":            "first",
		"a canary-secret b":             "a [redacted] b",
		"a\x1b[31m\tb\xff":              "a[31mb",
		strings.Repeat("é", 301) + "\n": strings.Repeat("é", 300) + "…",
		"short":                         "short",
	} {
		if got := Shown(words, "canary-secret", "short"); got != want {
			t.Errorf("%q: %q", words, got)
		}
	}
}

func TestRun(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ command, out, said string }{
		{"printf '%s' '{}'", "{}", ""},
		{"cat", "", ""},
		{"echo warned >&2; echo out", "out\n", ""},
		{"echo 'WARNING: old' >&2; echo 'ERROR: sign in' >&2; exit 1", "", "ERROR: sign in"},
		{"echo '  why  ' >&2; exit 1", "", "why"},
		{"exit 7", "", "exit status 7"},
		{"no-such-program-of-anyone --x", "", "the program is not installed"},
	} {
		out, err := Run(t.Context(), test.command, time.Minute)
		said := ""
		if err != nil {
			said = err.Error()
		}
		if string(out) != test.out || said != test.said {
			t.Errorf("%s: printed %q, said %q", test.command, out, said)
		}
	}
	if _, err := Run(t.Context(), "exec sleep 60", 50*time.Millisecond); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("said %v", err)
	}
}

func TestKept(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	fetched, lives, fails := 0, time.Hour, error(nil)
	kept := Keep(func() time.Time { return now }, func(context.Context) (int, time.Time, error) {
		fetched++
		if lives == 0 {
			return fetched, time.Time{}, fails
		}
		return fetched, now.Add(lives), fails
	})
	failed := errors.New("away")
	for _, step := range []struct {
		after, lives time.Duration
		fails        error
		want         int // 0: an error
	}{
		{0, time.Hour, failed, 0},
		{0, time.Hour, nil, 2},
		{54 * time.Minute, time.Hour, nil, 2},
		{2 * time.Minute, time.Hour, failed, 2}, // the old one still holds
		{29 * time.Second, time.Hour, nil, 2},
		{2 * time.Second, 2 * time.Minute, nil, 4},
		{80 * time.Second, time.Hour, nil, 4}, // a short one is kept for three quarters of its time
		{20 * time.Second, 0, nil, 5},
		{9999 * time.Hour, 0, nil, 5},
	} {
		now = now.Add(step.after)
		lives, fails = step.lives, step.fails
		got, err := kept.Get(t.Context())
		if got != step.want || (err != nil) != (step.want == 0) {
			t.Errorf("%+v: %d, %v", step, got, err)
		}
	}
}
