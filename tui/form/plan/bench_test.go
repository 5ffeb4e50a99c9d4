package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beonauto/auto/tui/form/plan"
)

// BenchmarkPlan makes the plan of a large answer: 90 choices among 150 numbers.
func BenchmarkPlan(b *testing.B) {
	var numbers, properties []string
	for i := range 150 {
		numbers = append(numbers, fmt.Sprint(i))
	}
	for i := range 90 {
		properties = append(properties, fmt.Sprintf(`"p%d":{"type":"integer","enum":[%s]}`, i, strings.Join(numbers, ",")))
	}
	written := parse(b, `{"type":"object","properties":{`+strings.Join(properties, ",")+`}}`)
	for b.Loop() {
		p := plan.New(written)
		p.Read(p.Entry())
	}
}
