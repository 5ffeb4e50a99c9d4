package plan_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/beonauto/auto/engine/effort"
	"github.com/beonauto/auto/tui/form/plan"
)

// TestHostileSchemasTakeAMoment gives a plan schemas as large as they may be. The
// time is generous, since the machine may be busy: what goes wrong here takes
// minutes.
func TestHostileSchemasTakeAMoment(t *testing.T) {
	t.Parallel()
	repeat := func(n int, each func(i int) string) string {
		parts := make([]string, n)
		for i := range n {
			parts[i] = each(i)
		}
		return strings.Join(parts, ",")
	}
	doubling := repeat(20, func(i int) string {
		return fmt.Sprintf(`"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i+1, i+1)
	})
	for name, text := range map[string]string{
		"references that double": `{"$ref":"#/$defs/d0","$defs":{` + doubling + `,"d20":{"type":"string"}}}`,
		"properties that double": `{"$ref":"#/$defs/d0","$defs":{` + repeat(20, func(i int) string {
			return fmt.Sprintf(`"d%d":{"properties":{"l":{"$ref":"#/$defs/d%d"},"r":{"$ref":"#/$defs/d%d"}}}`, i, i+1, i+1)
		}) + `,"d20":{"type":"string"}}}`,
		"thousands of properties":   `{"type":"object","properties":{` + repeat(3000, func(i int) string { return fmt.Sprintf(`"p%d":{"type":"null"}`, i) }) + `}}`,
		"thousands that it demands": `{"type":"object","properties":{"a":{}},"required":[` + repeat(5000, func(i int) string { return fmt.Sprintf(`"p%d"`, i) }) + `]}`,
		"large choices": `{"type":"object","properties":{` + repeat(90, func(i int) string {
			return fmt.Sprintf(`"p%d":{"type":"integer","enum":[%s]}`, i, repeat(150, func(j int) string { return fmt.Sprint(j) }))
		}) + `}}`,
		"the same choices by name": `{"$defs":{"c":{"enum":[` + repeat(1000, func(i int) string { return fmt.Sprintf(`"value %d"`, i) }) + `]}},"type":"object","properties":{` + repeat(900, func(i int) string { return fmt.Sprintf(`"p%d":{"$ref":"#/$defs/c"}`, i) }) + `}}`,
		"lists in lists":           strings.Repeat(`{"type":"array","items":`, 60) + `{}` + strings.Repeat(`}`, 60),
		"objects in objects":       strings.Repeat(`{"type":"object","properties":{"a":`, 30) + `{}` + strings.Repeat(`}}`, 30),
		"many parts":               `{"allOf":[` + repeat(3000, func(i int) string { return fmt.Sprintf(`{"required":["p%d"]}`, i) }) + `]}`,
		"alternatives in numbers":  `{"oneOf":[` + repeat(2500, func(i int) string { return fmt.Sprintf(`{"const":%d}`, i) }) + `]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			written := parse(t, text)
			var p *plan.Plan
			effort.AtMost(t, 5*time.Second, func() {
				p = plan.New(written)
				p.Read(p.Entry())
			})
			fields := 0
			p.Entry().Each(func(*plan.Entry) { fields++ })
			if fields > 1_100 {
				t.Errorf("%d fields", fields)
			}
		})
	}
}
