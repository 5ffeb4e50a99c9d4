package liquid_test

// This file compares the engine with another one in Go, osteele/liquid, on
// the corpus: how many cases each gets right, and what parsing and rendering
// cost. The peer runs in a process of its own, since some templates make it
// panic, run on or take all memory there is.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/liquid"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
	peer "github.com/osteele/liquid"
)

const (
	peerVariable = "LIQUID_PEER_FROM" // set in the peer's process: the case to start with
	peerPatience = 10 * time.Second   // for one template
	peerMemory   = 256 << 20          // bytes; the peer's process ends itself above
)

// peerAnswer is a line that the peer's process prints. A line of standard
// output that is no such value belongs to the testing package.
type peerAnswer struct {
	Case  int
	Out   string
	Error string
	Line  int // -1: it was not asked
}

// verdict is how near an answer of the peer comes.
type verdict int

const (
	wrong   verdict = iota
	refused         // an error, as it should be, but on another line
	right
)

// judge compares the peer's answer with what the case must give.
func judge(c corpusCase, got peerAnswer) verdict {
	switch {
	case c.Expect.Error == "" && got.Error == "" && got.Out == c.Expect.Out:
		return right
	case c.Expect.Error == "" || got.Error == "":
		return wrong
	case got.Line == c.Expect.Line:
		return right
	}
	return refused
}

// peerRun is the corpus through the peer, run once for all tests.
var peerRun struct {
	once     sync.Once
	verdicts []verdict
	err      error
}

// verdictsOfPeer gives a verdict for each case of the corpus. A case that the
// peer's process did not live through is wrong, and so is one that asks for
// more than a process without limits should be asked for.
func verdictsOfPeer(t testing.TB, cases []corpusCase) []verdict {
	t.Helper()
	peerRun.once.Do(func() {
		peerRun.verdicts = make([]verdict, len(cases))
		for next := 0; next < len(cases) && peerRun.err == nil; {
			next, peerRun.err = runPeer(next, func(a peerAnswer) { peerRun.verdicts[a.Case] = judge(cases[a.Case], a) })
		}
	})
	if peerRun.err != nil {
		t.Fatal(peerRun.err)
	}
	return peerRun.verdicts
}

// runPeer starts the peer's process at a case and takes its answers until it
// ends or stalls. It gives the case to go on with.
func runPeer(from int, take func(peerAnswer)) (int, error) {
	command := exec.Command(os.Args[0], "-test.run=^TestPeerProcess$")
	command.Env = append(os.Environ(), fmt.Sprintf("%s=%d", peerVariable, from))
	output, err := command.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := command.Start(); err != nil {
		return 0, err
	}
	watch := time.AfterFunc(peerPatience, func() { _ = command.Process.Kill() })
	last := from - 1
	lines := bufio.NewReader(output)
	for {
		line, err := lines.ReadBytes('\n')
		var got peerAnswer
		if text, ok := strings.CutPrefix(string(line), "peer "); ok && json.Unmarshal([]byte(text), &got) == nil {
			watch.Reset(peerPatience)
			if last = got.Case; got.Line >= 0 {
				take(got)
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, err
		}
	}
	watch.Stop()
	_ = command.Wait()   // it may have been killed, or have died of a template
	return last + 2, nil // past the one it did not answer
}

// TestPeerProcess is the peer's process; in any other it does nothing.
func TestPeerProcess(t *testing.T) {
	var from int
	if _, err := fmt.Sscan(os.Getenv(peerVariable), &from); err != nil {
		t.Skip("only for the comparison with the peer")
	}
	go func() {
		for {
			var memory runtime.MemStats
			if runtime.ReadMemStats(&memory); memory.HeapSys > peerMemory {
				os.Exit(1)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	engine := newPeer()
	cases := corpus(t)
	for i := from; i < len(cases); i++ {
		if strings.HasPrefix(cases[i].Name, "limit-") {
			fmt.Printf("peer {\"Case\": %d, \"Line\": -1}\n", i)
			continue
		}
		bindings := peerBindings(corpusVariables(t, cases[i].Input))
		text, err := json.Marshal(askPeer(engine, cases[i].Template, bindings, i))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("peer %s\n", text)
	}
}

// newPeer sets the peer up as near to the format as it can be.
func newPeer() *peer.Engine {
	engine := peer.NewEngine()
	engine.StrictVariables()
	return engine
}

func askPeer(engine *peer.Engine, template string, bindings map[string]any, number int) (got peerAnswer) {
	got.Case = number
	defer func() {
		if cause := recover(); cause != nil {
			got.Error, got.Line = fmt.Sprint("panic: ", cause), 0
		}
	}()
	parsed, err := engine.ParseTemplateLocation([]byte(template), "", 1)
	if err == nil {
		got.Out, err = parsed.RenderString(bindings)
	}
	if err != nil {
		got.Error, got.Line = err.Error(), err.LineNumber()
	}
	return got
}

// peerBindings gives the variables in the types that the peer knows.
func peerBindings(variables map[string]value.Value) map[string]any {
	bindings := make(map[string]any, len(variables))
	for name, v := range variables {
		bindings[name] = peerValue(v)
	}
	return bindings
}

func peerValue(v value.Value) any {
	switch v := v.(type) {
	case *value.Object:
		object := make(map[string]any, v.Len())
		for i := range v.Len() {
			key, item := v.At(i)
			object[key] = peerValue(item)
		}
		return object
	case []value.Value:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = peerValue(item)
		}
		return list
	case value.Exact:
		return v.Float()
	case float64:
		if whole, ok := value.Whole(v); ok {
			return whole
		}
	}
	return v
}

// The engine gets every case right. How many the peer gets right is told, so
// that a reader sees what the difference is worth.
func TestPeer(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the corpus through another engine, which takes seconds")
	}
	cases := corpus(t)
	verdicts := verdictsOfPeer(t, cases)
	variables := corpusVariables(t, nil)
	ours := 0
	byArea := map[string][2]int{} // right by the peer, all
	for i, c := range cases {
		read := variables
		if c.Input != nil {
			read = corpusVariables(t, c.Input)
		}
		if fault := c.check(read); fault == "" {
			ours++
		}
		area, _, _ := strings.Cut(c.Name, "-")
		count := byArea[area]
		count[1]++
		if verdicts[i] == right {
			count[0]++
		}
		byArea[area] = count
	}
	if ours != len(cases) {
		t.Errorf("the engine gets %d cases wrong; TestCorpus says which", len(cases)-ours)
	}
	count := func(v verdict) (n int) {
		for _, got := range verdicts {
			if got == v {
				n++
			}
		}
		return n
	}
	t.Logf("of %d cases the engine gets %d right; osteele/liquid gets %d right and %d more but for the line of an error",
		len(cases), ours, count(right), count(refused))
	for _, area := range slices.Sorted(maps.Keys(byArea)) {
		t.Logf("  %-9s %4d of %4d by osteele/liquid", area, byArea[area][0], byArea[area][1])
	}
}

// shared gives the cases that render and that both engines get right.
func shared(b *testing.B) (cases []corpusCase, size int64) {
	b.Helper()
	all := corpus(b)
	for i, verdict := range verdictsOfPeer(b, all) {
		if verdict == right && all[i].Expect.Error == "" && all[i].Input == nil {
			cases = append(cases, all[i])
			size += int64(len(all[i].Template))
		}
	}
	if len(cases) == 0 {
		b.Fatal("the engines agree on nothing")
	}
	return cases, size
}

// each runs work on every case in each round, and reports the time a case takes.
func each(b *testing.B, cases []corpusCase, size int64, work func(i int) error) {
	b.Helper()
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for i := range cases {
			if err := work(i); err != nil {
				b.Fatalf("%s: %v", cases[i].Name, err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(cases)), "ns/case")
}

// placeOptions are made once, as the place of a template makes them.
var placeOptions = corpusOptions(false)

func parse(c corpusCase) (*liquid.Template, error) {
	template, problems := liquid.Parse(c.Template, placeOptions)
	if problems := problem.Refusals(problems); len(problems) > 0 {
		return nil, fmt.Errorf("%v", problems)
	}
	return template, nil
}

// failed turns the peer's error into one that is nil when it is none.
func failed(err peer.SourceError) error {
	if err == nil {
		return nil
	}
	return err
}

func BenchmarkParse(b *testing.B) {
	cases, size := shared(b)
	b.Run("ours", func(b *testing.B) {
		each(b, cases, size, func(i int) error { _, err := parse(cases[i]); return err })
	})
	b.Run("osteele", func(b *testing.B) {
		engine := newPeer()
		each(b, cases, size, func(i int) error { _, err := engine.ParseString(cases[i].Template); return failed(err) })
	})
}

func BenchmarkRender(b *testing.B) {
	cases, size := shared(b)
	variables := corpusVariables(b, nil)
	b.Run("ours", func(b *testing.B) {
		templates := make([]*liquid.Template, len(cases))
		for i, c := range cases {
			var err error
			if templates[i], err = parse(c); err != nil {
				b.Fatal(err)
			}
		}
		each(b, cases, size, func(i int) error { _, err := templates[i].Render(variables, patient); return err })
	})
	b.Run("osteele", func(b *testing.B) {
		engine, bindings := newPeer(), peerBindings(variables)
		templates := make([]*peer.Template, len(cases))
		for i, c := range cases {
			var err peer.SourceError
			if templates[i], err = engine.ParseString(c.Template); err != nil {
				b.Fatal(err)
			}
		}
		each(b, cases, size, func(i int) error { _, err := templates[i].RenderString(bindings); return failed(err) })
	})
}

func BenchmarkParseRender(b *testing.B) {
	cases, size := shared(b)
	variables := corpusVariables(b, nil)
	b.Run("ours", func(b *testing.B) {
		each(b, cases, size, func(i int) error { return parseAndRender(cases[i], variables) })
	})
	b.Run("osteele", func(b *testing.B) {
		engine, bindings := newPeer(), peerBindings(variables)
		each(b, cases, size, func(i int) error {
			_, err := engine.ParseAndRenderString(cases[i].Template, bindings)
			return failed(err)
		})
	})
}

func parseAndRender(c corpusCase, variables map[string]value.Value) error {
	template, err := parse(c)
	if err != nil {
		return err
	}
	_, err = template.Render(variables, patient)
	return err
}

// BenchmarkCorpus takes every case that renders, the same ones that
// fixtures/peers/liquid-bench.mjs runs through LiquidJS. Most are a line long.
func BenchmarkCorpus(b *testing.B) { benchmarkCases(b, "") }

// BenchmarkPrompts takes the cases that are like what people write.
func BenchmarkPrompts(b *testing.B) { benchmarkCases(b, "prompt-") }

func benchmarkCases(b *testing.B, area string) {
	var cases []corpusCase
	var size int64
	for _, c := range corpus(b) {
		limited := strings.HasPrefix(c.Name, "limit-")
		if c.Expect.Error == "" && c.Input == nil && !limited && strings.HasPrefix(c.Name, area) {
			cases = append(cases, c)
			size += int64(len(c.Template))
		}
	}
	variables := corpusVariables(b, nil)
	b.Run("parse", func(b *testing.B) {
		each(b, cases, size, func(i int) error { _, err := parse(cases[i]); return err })
	})
	b.Run("parse+render", func(b *testing.B) {
		each(b, cases, size, func(i int) error { return parseAndRender(cases[i], variables) })
	})
}
