package value

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const fixtures = "../../fixtures/value"

// TestFormatNumberPrintsAsJavaScript compares with what String(number) gives
// for thousands of numbers, each written as the bits of a float64.
func TestFormatNumberPrintsAsJavaScript(t *testing.T) {
	t.Parallel()
	file, err := os.Open(filepath.Join(fixtures, "numbers.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	count := 0
	for lines := bufio.NewScanner(file); lines.Scan(); count++ {
		bits, want, _ := strings.Cut(lines.Text(), " ")
		raw, err := strconv.ParseUint(bits, 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		number := math.Float64frombits(raw)
		if got := FormatNumber(number); got != want {
			t.Errorf("%s is %s, want %s", bits, got, want)
		}
		if math.IsInf(number, 0) {
			continue
		}
		// What is printed reads back as the same float64.
		again, ok := ReadNumber(want)
		if back, isFloat := again.(float64); !ok || !isFloat || back != number {
			t.Errorf("%s reads as %v, want %v", want, again, number)
		}
	}
	if count < 5000 {
		t.Errorf("only %d numbers", count)
	}
	if got := FormatNumber(math.NaN()); got != "NaN" {
		t.Errorf("NaN is %s", got)
	}
}

func TestReadNumber(t *testing.T) {
	t.Parallel()
	for literal, want := range map[string]Value{
		"0": 0.0, "-0": 0.0, "1": 1.0, "-1.50": -1.5, "1e3": 1000.0, "1E+3": 1000.0, "0.1": 0.1,
		"+5": 5.0, "014": 14.0, ".5": 0.5, "5.": 5.0, "+00012.50": 12.5,
		"9007199254740992":              9007199254740992.0,
		"9007199254740993":              Exact("9007199254740993"),
		"-9007199254740993":             Exact("-9007199254740993"),
		"+0009007199254740993":          Exact("9007199254740993"),
		"9007199254740993.":             Exact("9007199254740993"),
		"9007199254740992.0000":         9007199254740992.0,
		".10000000000000000555":         Exact("0.10000000000000000555"),
		"0.1000000000000000055511":      Exact("0.1000000000000000055511"),
		"123456789012345678901234567":   Exact("123456789012345678901234567"),
		"100000000000000000000":         1e20,
		"1e21":                          1e21,
		"1e-400":                        Exact("1e-400"),
		"-1E-400":                       Exact("-1E-400"),
		"0e-400":                        0.0,
		"0.000":                         0.0,
		"-0.000000000000000000000000e9": 0.0,
		"1.7976931348623157e308":        math.MaxFloat64,
		"5e-324":                        5e-324,
	} {
		got, ok := ReadNumber(literal)
		if !ok || got != want {
			t.Errorf("%s is %v (%T), %t; want %v", literal, got, got, ok, want)
		}
		if number, isFloat := got.(float64); isFloat && number == 0 && math.Signbit(number) {
			t.Errorf("%s is a negative zero", literal)
		}
	}
	for _, literal := range []string{"", "x", "1e400", "-1e400", "1e", "1.2.3", "NaN", "Inf", "inf", "-Infinity", "1_000", "0x1F", "0b1", "0x1p-2", "1e1000001", " 1", "1 ", "--1", "+-1", "e1", ".", "-", "+"} {
		if got, ok := ReadNumber(literal); ok {
			t.Errorf("%q is %v", literal, got)
		}
	}
}

func TestExactKeepsItsDigits(t *testing.T) {
	t.Parallel()
	v, _ := ReadNumber("9007199254740993")
	if got := JSON(v); got != "9007199254740993" {
		t.Errorf("prints as %s", got)
	}
	if number, ok := Number(v); !ok || number != 9007199254740992 {
		t.Errorf("nearest float64 is %v, %t", number, ok)
	}
	if _, ok := Whole(v); ok {
		t.Error("JavaScript does not count it exactly")
	}
	if Equal(v, 9007199254740992.0) || !Equal(v, Exact("9.007199254740993e15")) {
		t.Error("equality is not by the mathematical value")
	}
}

func TestWhole(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		v    Value
		want int64
		ok   bool
	}{
		{3.0, 3, true}, {-3.0, -3, true}, {0.0, 0, true}, {2.5, 0, false}, {9007199254740992.0, 1 << 53, true},
		{9007199254740994.0, 0, false}, {math.Inf(1), 0, false}, {math.NaN(), 0, false}, {"3", 0, false}, {nil, 0, false}, {true, 0, false},
	} {
		if got, ok := Whole(test.v); got != test.want || ok != test.ok {
			t.Errorf("%v: %d, %t", test.v, got, ok)
		}
	}
}

func TestDecimalCompare(t *testing.T) {
	t.Parallel()
	// Each list rises; the members of one entry are equal.
	ordered := [][]Decimal{
		{"-1e1000001"}, {"-10", "-1e1", "-10.0", "-0.1e2"}, {"-9.99"}, {"-1e-1000001"},
		{"0", "-0", "0.0", "0e5", "0e999999999999999999999"},
		{"1e-1000001"}, {"1e-400"}, {"0.01", "1e-2", ".01", "0.010", "10e-3"}, {"0.07"},
		{"1", "1.0", "+1", "01", "100e-2", "0.001e3"}, {"1.00000000000000000001"}, {"9"}, {"10", "1E1"},
		{"9007199254740992"}, {"9007199254740993"}, {"1e400"}, {"1e1000001"},
	}
	for i, left := range ordered {
		for j, right := range ordered {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			for _, l := range left {
				for _, r := range right {
					if got := l.Compare(r); got != want {
						t.Errorf("%s to %s is %d, want %d", l, r, got, want)
					}
					if l.Equal(r) != (want == 0) {
						t.Errorf("%s equal to %s is %t", l, r, l.Equal(r))
					}
				}
			}
		}
	}
}

func TestDecimalWhole(t *testing.T) {
	t.Parallel()
	for literal, want := range map[Decimal]bool{
		"0": true, "2.0": true, "2.5": false, "1e1000001": true, "1e-1000001": false, "25e-1": false, "250e-1": true, "-3": true, "0.0": true, "0e-5": true,
	} {
		if got := literal.Whole(); got != want {
			t.Errorf("%s: %t", literal, got)
		}
	}
}

func TestDecimalMultipleOf(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		number, step Decimal
		is, known    bool
	}{
		{"0.07", "0.01", true, true}, {"0.075", "0.01", false, true}, {"10", "2.5", true, true}, {"10", "3", false, true},
		{"-9", "3", true, true}, {"9", "-3", true, true}, {"0", "7", true, true}, {"0", "0", true, true}, {"1", "0", false, true},
		{"1e308", "1", true, true}, {"1e308", "0.5", true, true}, {"1e308", "3", false, true}, {"1e-308", "1", false, true},
		{"9007199254740993", "2", false, true}, {"9007199254740993", "3", true, true}, {"4.35", "0.01", true, true},
		{"1e1000001", "3", false, false}, {"3", "1e-1000001", false, false}, {"1e1000", "1", true, true},
	} {
		is, known := test.number.MultipleOf(test.step)
		if is != test.is || known != test.known {
			t.Errorf("%s of %s: %t, %t; want %t, %t", test.number, test.step, is, known, test.is, test.known)
		}
	}
}

func TestDecimalOf(t *testing.T) {
	t.Parallel()
	if d, ok := DecimalOf(0.07); !ok || !d.Equal("0.07") {
		t.Errorf("0.07 is %s, %t", d, ok)
	}
	if d, ok := DecimalOf(Exact("9007199254740993")); !ok || d != "9007199254740993" {
		t.Errorf("an exact number is %s, %t", d, ok)
	}
	if _, ok := DecimalOf("1"); ok {
		t.Error("a text is no number")
	}
}

func TestGrouped(t *testing.T) {
	t.Parallel()
	for number, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 65_536: "65,536", 1_000_000: "1,000,000",
		-7: "-7", -999: "-999", -1000: "-1,000", math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := Grouped(number); got != want {
			t.Errorf("Grouped(%d) = %s, want %s", number, got, want)
		}
	}
}
