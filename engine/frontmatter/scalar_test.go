package frontmatter

import (
	"testing"

	"github.com/beonauto/auto/engine/value"
)

// TestResolveKeepsTheCoreSchema holds what each plain scalar is, as JSON; an
// empty string stands for a number that is not finite.
func TestResolveKeepsTheCoreSchema(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "null", "~": "null", "null": "null", "Null": "null", "NULL": "null", "nULL": `"nULL"`, "~x": `"~x"`,
		"true": "true", "True": "true", "TRUE": "true", "tRUE": `"tRUE"`,
		"false": "false", "False": "false", "FALSE": "false",
		"yes": `"yes"`, "no": `"no"`, "on": `"on"`, "off": `"off"`, "y": `"y"`, "n": `"n"`, "Yes": `"Yes"`,
		"0": "0", "-0": "0", "014": "14", "08": "8", "+5": "5", "-5": "-5", "-007": "-7",
		"0o14": "12", "0o18": `"0o18"`, "0o": `"0o"`, "0O14": `"0O14"`, "-0o14": `"-0o14"`,
		"0x1F": "31", "0xff": "255", "0x": `"0x"`, "0xg": `"0xg"`, "0X1F": `"0X1F"`, "-0x1F": `"-0x1F"`, "+0x1F": `"+0x1F"`,
		"0b1": `"0b1"`, "1_000": `"1_000"`, "1,000": `"1,000"`, "_1": `"_1"`,
		"1.5": "1.5", "1.0": "1", "5.": "5", ".5": "0.5", "-.5": "-0.5", "+.5": "0.5", "00.5": "0.5", ".": `"."`, "-.": `"-."`, "+": `"+"`, "-": `"-"`,
		"1.2.3": `"1.2.3"`, "..": `".."`,
		"1e3": "1000", "1E3": "1000", "1e+3": "1000", "1.5e-3": "0.0015", ".5e1": "5", "1.e1": "10", "1e": `"1e"`, "e1": `"e1"`, ".e1": `".e1"`, "1e+": `"1e+"`, "1e1.5": `"1e1.5"`,
		"1e400": "", "-1e400": "", "1e308": "1e+308", "1.7976931348623159e308": "", "1e-400": "1e-400",
		".inf": "", "-.inf": "", "+.inf": "", ".Inf": "", ".INF": "", ".iNF": `".iNF"`, "inf": `"inf"`, "Infinity": `"Infinity"`,
		".nan": "", ".NaN": "", ".NAN": "", "-.nan": `"-.nan"`, "nan": `"nan"`, "NaN": `"NaN"`,
		"2026-10-01": `"2026-10-01"`, "2026-10-01T10:00:00Z": `"2026-10-01T10:00:00Z"`, "12:30:45": `"12:30:45"`, "1:30": `"1:30"`,
		"9007199254740993": "9007199254740993", "0x20000000000001": "9007199254740993", "0.1": "0.1", "1e21": "1e+21",
		"123456789012345678901234567890": "123456789012345678901234567890",
		"<<":                             `"<<"`, "=": `"="`, "PT4H": `"PT4H"`,
	} {
		v, finite := resolve(text)
		got := ""
		if finite {
			got = value.JSON(v)
		}
		if got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}
