package run_test

// This file kills processes that do runs with tools, at any moment of a run, and
// wants no tool that may act to be sent twice for one run id.

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/patience"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/settings"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/tool"
	tooldouble "github.com/beonauto/auto/engine/tool/double"
	"github.com/beonauto/auto/engine/value"
)

// What a child process is told, by environment variables.
const (
	childStore = "AUTO_RUN_TEST_STORE"
	childURL   = "AUTO_RUN_TEST_URL"
	childName  = "AUTO_RUN_TEST_NAME"
)

// killsVariable is how often the test kills, in place of usualKills.
const (
	killsVariable = "AUTO_TEST_KILLS"
	usualKills    = 20
)

func TestMain(m *testing.M) {
	if file := os.Getenv(childStore); file != "" {
		if err := runUntilKilled(file, os.Getenv(childURL), os.Getenv(childName)); err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// runUntilKilled does run after run, of each kind in turn.
func runUntilKilled(file, address, name string) error {
	s := store.At(file, store.Options{})
	owner, err := s.Own("auto run")
	if err != nil {
		return err
	}
	runner, err := runnerAt(s, owner, address)
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		asked := killable(fmt.Sprintf("%s-%d", name, i), i)
		fmt.Println(i)
		if _, err := runner.Do(context.Background(), asked); err != nil {
			return err
		}
	}
}

func runnerAt(s *store.Store, owner *store.Owner, address string) (*run.Runner, error) {
	read, err := settings.Read([]byte("tool_servers: [{ name: notes, url: '"+address+"/mcp' }]\n"), func(string) (string, bool) { return "", false })
	if err != nil {
		return nil, err
	}
	provider := model.Provider{Endpoint: wire.Endpoint{Route: wire.OpenAI, Provider: "openai", BaseURL: address + "/v1"}}
	return run.New(run.Options{
		Store: s, Owner: func() (*store.Owner, error) { return owner, nil },
		Models: model.New(model.Configuration{Providers: []model.Provider{provider}}, model.Options{}),
		Tools:  tool.New(read.ToolServers(), tool.Options{}),
	}), nil
}

// killable is a run that calls tools of both kinds: by its model, or by itself.
func killable(id string, number int) run.Request {
	asked := asks("reasoning", noted(""), spring)
	if number%3 == 2 {
		source := "---\ncall: { server: notes, tool: post_message }\noutput: { schema: {} }\n---\n"
		asked = asks("interaction", source, `{}`)
	}
	asked.ID = id
	return asked
}

// witness is a provider and a tool server that count what reaches them for each
// run, and kill whoever calls them at a moment.
type witness struct {
	*httptest.Server
	notes *tooldouble.Server

	lock    sync.Mutex
	moments int    // left until the kill
	kill    func() // nil: nobody is killed
}

// moment is one that a process may be killed at.
func (w *witness) moment() {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.moments--; w.moments == 0 && w.kill != nil {
		w.kill()
	}
}

func newWitness(t *testing.T) *witness {
	t.Helper()
	w := &witness{notes: &tooldouble.Server{Pages: []string{listed}}}
	tools := w.notes.Handler()
	first := double.Give(wire.OpenAI, callsOf("notes__echo", `{"text":"a"}`, "notes__post_message", `{"text":"hi"}`))
	w.Server = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		body, _ := io.ReadAll(in.Body)
		in.Body = io.NopCloser(bytes.NewReader(body))
		w.moment()
		defer w.moment()
		if strings.HasPrefix(in.URL.Path, "/mcp") {
			tools.ServeHTTP(out, in)
			return
		}
		reply := first
		if bytes.Contains(body, []byte("function_call_output")) {
			reply = say
		}
		out.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(out, reply.Body)
	}))
	t.Cleanup(w.Close)
	return w
}

// acted counts the calls of the tool that may act, by run.
func (w *witness) acted() map[string]int {
	acted := map[string]int{}
	for _, asked := range w.notes.Asked() {
		if asked.Method == "tools/call" && asked.Param("/name") == "post_message" {
			acted[fmt.Sprint(asked.Param("/_meta/auto.on~1run_id"))]++
		}
	}
	return acted
}

func TestKilledWithTools(t *testing.T) {
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
	endings := map[string]int{}
	for round := range kills {
		name := fmt.Sprintf("kill-%d", round)
		runs := w.killOne(t, file, name, 1+random.IntN(40), time.Duration(random.Int64N(int64(10*time.Millisecond))))
		for number := range runs {
			endings[w.again(t, file, name, number)]++
		}
		for id, times := range w.acted() {
			if times > 1 {
				t.Fatalf("run %s acted %d times", id, times)
			}
		}
	}
	found, err := store.At(file, store.Options{}).Check()
	if err != nil || len(found.Faults) > 0 || found.CutOff > 0 {
		t.Errorf("the store: %+v, %v", found, err)
	}
	t.Logf("asked for again, the runs give %v", endings)
	if endings["succeeded"] == 0 || endings["tools_called"] == 0 {
		t.Errorf("the kills fell on the same moments: %v", endings)
	}
}

// killOne lets a child do runs and kills it a little after so many moments, and
// gives how many runs it began.
func (w *witness) killOne(t *testing.T, file, name string, moments int, after time.Duration) int {
	t.Helper()
	child := patience.Command(t, os.Args[0])
	child.Env = append(os.Environ(), childStore+"="+file, childURL+"="+w.URL, childName+"="+name)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	w.lock.Lock()
	w.moments, w.kill = moments, func() {
		if after < 5*time.Millisecond {
			_ = child.Process.Kill()
			return
		}
		time.AfterFunc(after-5*time.Millisecond, func() { _ = child.Process.Kill() })
	}
	if err := child.Start(); err != nil {
		w.lock.Unlock()
		t.Fatal(err)
	}
	w.lock.Unlock()
	runs := 0
	for lines := bufio.NewScanner(out); lines.Scan(); runs++ {
		if strings.HasPrefix(lines.Text(), "failed") {
			t.Fatal(lines.Text())
		}
	}
	_ = child.Wait()
	w.lock.Lock()
	w.kill = nil
	w.lock.Unlock()
	return runs
}

// again asks for a run of a killed child under its id, and gives what that came to.
func (w *witness) again(t *testing.T, file, name string, number int) string {
	t.Helper()
	s := store.At(file, store.Options{})
	owner, err := s.Own("auto run")
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close()
	runner, err := runnerAt(s, owner, w.URL)
	if err != nil {
		t.Fatal(err)
	}
	id := fmt.Sprintf("%s-%d", name, number)
	before := w.acted()[id]
	ended, err := runner.Do(t.Context(), killable(id, number))
	if rejection, refused := err.(*problem.Rejection); refused {
		recorded, err := s.Get(id)
		if rejection.Kind != "tools_called" || err != nil || recorded.Status == store.Started {
			t.Errorf("run %s is refused as %+v, and is %v, %v", id, rejection, recorded, err)
		}
		if recorded.Kind == "tools_unfinished" && before > 0 {
			t.Errorf("run %s acted and is said to have read only", id)
		}
		return rejection.Kind
	}
	// An answer of post_message has nothing to read: such a run ends as unworkable.
	if err != nil {
		t.Fatalf("run %s again: %v", id, err)
	}
	if ended.Status == store.Succeeded && w.acted()[id] != 1 {
		t.Errorf("run %s succeeded and acted %d times: %s", id, w.acted()[id], value.JSON(ended.Value()))
	}
	return string(ended.Status)
}
