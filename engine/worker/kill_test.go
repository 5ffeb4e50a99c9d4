package worker_test

// This file kills processes that work on requests, at any moment, and wants what is
// recorded to be true of what was sent: nothing is sent that was not recorded before,
// no reply is taken twice, and every request is answered in the end.

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/settings"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/value"
	"github.com/beonauto/auto/engine/worker"
)

// What a child process is told, by environment variables.
const (
	childStore = "AUTO_WORKER_TEST_STORE"
	childURL   = "AUTO_WORKER_TEST_URL"
	childStart = "AUTO_WORKER_TEST_START"
)

// killsVariable is how often the test kills, in place of usualKills.
const (
	killsVariable = "AUTO_TEST_KILLS"
	usualKills    = 12
)

// longestLife is when a child is killed that no moment has ended.
const longestLife = 15 * time.Second

// hurry is how many times as fast the time of this test goes by, in all of its
// processes alike.
const hurry = 300

// hurried is a clock whose time goes by quickly.
type hurried struct{ start time.Time }

func (c hurried) Now() time.Time {
	return began.Add(hurry * time.Since(c.start)).UTC().Truncate(time.Millisecond)
}

func (c hurried) Sleep(ctx context.Context, wait time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, wait/hurry)
	defer cancel()
	<-ctx.Done()
	return nil
}

func (c hurried) Within(ctx context.Context, while time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, while/hurry)
}

// workUntilKilled works on the requests of a store for as long as it lives, or until
// there is no work: on a slow machine every attempt may take too long for a clock that
// hurries, and a request that nobody sends any more gives no moment to be killed at.
func workUntilKilled(file string) error {
	nanoseconds, err := strconv.ParseInt(os.Getenv(childStart), 10, 64)
	if err != nil {
		return err
	}
	clock := hurried{time.Unix(0, nanoseconds)}
	w, _, err := workerAt(file, os.Getenv(childURL), clock)
	if err != nil {
		return err
	}
	s := store.At(file, store.Options{Now: clock.Now})
	return w.Work(context.Background(), func() (bool, error) {
		open, _, err := s.OpenRequests(store.RequestFilter{Limit: 1000})
		return err == nil && !slices.ContainsFunc(open, func(r *store.Request) bool { return r.Delivery != store.Undelivered }), err
	})
}

func workerAt(file, address string, clock hurried) (*worker.Worker, *store.Owner, error) {
	s := store.At(file, store.Options{Now: clock.Now})
	owner, err := s.Own("auto work")
	if err != nil {
		return nil, nil, err
	}
	read, err := settings.Read([]byte("tool_servers: [{ name: chat, url: '"+address+"' }]\n"), func(string) (string, bool) { return "", false })
	if err != nil {
		return nil, nil, err
	}
	return worker.New(worker.Options{
		Store: s, Tools: tool.New(read.ToolServers(), tool.Options{}), Clock: clock, Playbook: "campaigns",
		Owner: func() (*store.Owner, error) { return owner, nil },
	}), owner, nil
}

// witness is a chat over MCP that counts what reaches it for each run, whose people
// reply, and that kills whoever calls it at a moment.
type witness struct {
	*httptest.Server
	chat *chat

	lock    sync.Mutex
	sent    map[string]int // requests posted, by run
	told    map[string]int // tellings posted, by run
	reads   map[string]int // by thread
	moments int            // left until the kill
	kill    func()         // nil: nobody is killed
}

func newWitness(t *testing.T) *witness {
	t.Helper()
	w := &witness{chat: &chat{replies: map[string][]reply{}}, sent: map[string]int{}, told: map[string]int{}, reads: map[string]int{}}
	w.Server = httptest.NewServer(http.HandlerFunc(w.serve))
	t.Cleanup(w.Close)
	return w
}

// moment is one that a process may be killed at.
func (w *witness) moment() {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.moments--; w.moments == 0 && w.kill != nil {
		w.kill()
	}
}

func (w *witness) serve(out http.ResponseWriter, in *http.Request) {
	text, _ := io.ReadAll(in.Body)
	v, err := value.ParseJSON(text, 100)
	at := func(pointer string) string {
		found, _ := value.Lookup(v, pointer)
		t, _ := found.(string)
		return t
	}
	id, isRequest := value.Lookup(v, "/id")
	if err != nil || !isRequest || in.Method != http.MethodPost {
		out.WriteHeader(http.StatusAccepted)
		return
	}
	w.moment()
	defer w.moment()
	answer := object("jsonrpc", "2.0", "id", id)
	switch at("/method") {
	case "initialize":
		answer.Set("result", object("protocolVersion", at("/params/protocolVersion"), "capabilities", object("tools", object()), "serverInfo", object("name", "chat", "version", "1")))
	case "tools/call":
		arguments, _ := value.Lookup(v, "/params/arguments")
		answer.Set("result", w.call(at("/params/name"), at("/params/_meta/auto.on~1run_id"), arguments.(*value.Object)))
	default:
		answer.Set("error", object("code", -32601.0, "message", "Method not found"))
	}
	out.Header().Set("Content-Type", "application/json")
	_, _ = out.Write(value.AppendJSON(nil, answer))
}

// call answers as the chat does. The person replies wrongly to each request at once,
// and rightly when they are told, or when nobody tells them for long.
func (w *witness) call(name, runID string, arguments *value.Object) value.Value {
	result := w.chat.answer(tool.Call{Tool: name, Arguments: arguments})
	w.lock.Lock()
	defer w.lock.Unlock()
	ofThread, _ := arguments.Get("thread_ts")
	thread, _ := ofThread.(string)
	switch {
	case name == "thread_replies":
		ofRead, _ := arguments.Get("ts")
		read, _ := ofRead.(string)
		if w.reads[read]++; w.reads[read] == 4 {
			w.chat.says("U-priya", "approve", read)
		}
	case thread != "":
		w.told[runID]++
		w.chat.says("U-priya", "Approve", thread)
	default:
		w.sent[runID]++
		ts, _ := value.Lookup(result.Structured, "/ts")
		w.chat.says("U-priya", "hm", ts.(string))
	}
	result.Whole.Set("content", []value.Value{})
	return result.Whole
}

func TestKilledAtWork(t *testing.T) {
	t.Parallel()
	kills := usualKills
	if text := os.Getenv(killsVariable); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, seed))
	t.Logf("seed %d", seed)
	w := newWitness(t)
	file := filepath.Join(t.TempDir(), ".auto", "runs.db")
	start := time.Now()
	clock := hurried{start}
	last, owner, err := workerAt(file, w.URL, clock)
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close()
	s := store.At(file, store.Options{Now: clock.Now})
	runner := run.New(run.Options{Store: s, Tools: allowing{}, Owner: func() (*store.Owner, error) { return owner, nil }})
	const eachTime = 2
	asked := 0
	for range kills {
		for range eachTime {
			asking := run.Request{ID: fmt.Sprintf("r-%d", asked), Type: interaction(t), Name: "approve", Source: []byte(approval), Input: object("owner", "U-priya")}
			asking.Input.(*value.Object).Set("review", "Two figures.")
			if _, err := runner.Do(t.Context(), asking); err != nil {
				t.Fatal(err)
			}
			asked++
		}
		w.killOne(t, file, start, 1+random.IntN(24), time.Duration(random.Int64N(int64(8*time.Millisecond))))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	given := 0
	err = last.Work(ctx, func() (bool, error) {
		open, _, err := s.OpenRequests(store.RequestFilter{Limit: 1000})
		for _, r := range open {
			// All its attempts fell to kills: it waits for an answer from elsewhere.
			if r.Delivery == store.Undelivered {
				given++
				_, err = s.Answer(r.RunID, store.Answering{Fact: store.Event{Type: "request_answered", Data: object("answer", object("verdict", "approve"))}, Ending: run.Answered(r, object("verdict", "approve"))})
			}
		}
		return len(open) == 0, err
	})
	if err != nil || ctx.Err() != nil {
		t.Fatalf("the last worker: %v, %v", err, ctx.Err())
	}
	for i := range asked {
		w.judge(t, s, fmt.Sprintf("r-%d", i))
	}
	report, err := s.Check()
	if err != nil || len(report.Faults) > 0 || report.Open > 0 {
		t.Errorf("the store: %+v, %v", report, err)
	}
	t.Logf("%d requests, %d of them answered elsewhere, in %s of its time", asked, given, clock.Now().Sub(began))
}

// killOne lets a child work and kills it a little after so many moments.
func (w *witness) killOne(t *testing.T, file string, start time.Time, moments int, after time.Duration) {
	t.Helper()
	child := patience.Command(t, os.Args[0])
	child.Env = append(os.Environ(), childStore+"="+file, childURL+"="+w.URL, childStart+"="+strconv.FormatInt(start.UnixNano(), 10))
	var said strings.Builder
	child.Stdout = &said
	w.lock.Lock()
	w.moments, w.kill = moments, func() {
		if after < 4*time.Millisecond {
			_ = child.Process.Kill()
			return
		}
		time.AfterFunc(after-4*time.Millisecond, func() { _ = child.Process.Kill() })
	}
	err := child.Start()
	w.lock.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	// Whatever a child waits for, the test does not wait for it.
	defer time.AfterFunc(longestLife, func() { _ = child.Process.Kill() }).Stop()
	_ = child.Wait()
	if said.Len() > 0 {
		t.Fatal(said.String())
	}
	w.lock.Lock()
	w.kill = nil
	w.lock.Unlock()
}

// judge compares what is recorded of a run with what reached the chat.
func (w *witness) judge(t *testing.T, s *store.Store, id string) {
	t.Helper()
	found, err := s.Get(id)
	if err != nil || found.Status != store.Succeeded {
		t.Errorf("run %s is %+v, %v", id, found, err)
		return
	}
	count := map[string]int{}
	events, _, err := s.Events(store.EventFilter{RunID: id, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	replies := map[string]bool{}
	for _, e := range events {
		count[e.Type]++
		if reply, has := e.Data.Get("reply"); has && e.Type == "reply_refused" {
			if replies[reply.(string)] {
				t.Errorf("run %s: the reply %s is refused twice", id, reply)
			}
			replies[reply.(string)] = true
		}
	}
	for _, kind := range []string{"telling_started", "telling_succeeded", "telling_failed"} {
		tellings, _, err := s.Events(store.EventFilter{Type: kind, Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range tellings {
			if of, _ := e.Data.Get("run_id"); of == id {
				count[kind]++
			}
		}
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	for words, wrong := range map[string]bool{
		"is answered otherwise than once":        count["request_answered"] != 1,
		"was sent without being recorded":        w.sent[id] > count["delivery_started"],
		"is delivered twice":                     count["delivery_succeeded"] > 1,
		"has an attempt without an end":          count["delivery_started"] != count["delivery_succeeded"]+count["delivery_failed"],
		"was told without that being recorded":   w.told[id] > count["telling_started"],
		"was told more often than it refused":    count["telling_started"] > count["reply_refused"],
		"has a telling without an end":           count["telling_started"] != count["telling_succeeded"]+count["telling_failed"],
		"refused more replies than there were":   count["reply_refused"] > 1,
		"ends otherwise than with its last fact": events[len(events)-1].Type != "run_succeeded",
	} {
		if wrong {
			t.Errorf("run %s %s: %v, sent %d times, told %d times", id, words, count, w.sent[id], w.told[id])
		}
	}
}

// allowing are tools that may all be used, of which a run that only asks calls none.
type allowing struct{ run.Tools }

func (allowing) Check(string, string) *tool.Failure { return nil }
