package cli_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
	"github.com/beonauto/auto/engine/patience"
)

// BenchmarkRunProcess is what auto run takes as a process of its own whose
// provider answers at once: start-up, two writes with their fsyncs, and a request
// over loopback. cpu-ms/op is the processor's share.
func BenchmarkRunProcess(b *testing.B) {
	dir := b.TempDir()
	provider := double.New(b, wire.OpenAI, double.Say(wire.OpenAI, "Fine."))
	if err := os.WriteFile(dir+"/review.reasoning.md", []byte("---\nmodel: openai/gpt-5\n---\n\nReview the brief.\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	var spent float64
	runs := 0
	for b.Loop() {
		runs++
		run := patience.Command(b, "auto", "run", "review", "--run-id", fmt.Sprint("run-", runs))
		run.Dir = dir
		run.Env = append(os.Environ(), "OPENAI_API_KEY="+double.Key, "OPENAI_BASE_URL="+provider.URL+"/v1")
		if out, err := run.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		spent += float64(run.ProcessState.UserTime()+run.ProcessState.SystemTime()) / 1e6
	}
	b.ReportMetric(spent/float64(runs), "cpu-ms/op")
}
