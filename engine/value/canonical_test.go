package value

import "testing"

func TestCanonicalIsOneTextForANumber(t *testing.T) {
	t.Parallel()
	for _, same := range [][]Decimal{
		{"1.1", "1.10", "11e-1", "0.11E+1", "+1.1"},
		{"0", "-0", "0.000", "0e5"},
		{"9007199254740993", "9007199254740993.0", "9.007199254740993e15"},
		{"-20", "-2e1", "-2.0E1"},
	} {
		for _, other := range same {
			if got, want := other.Canonical(), same[0].Canonical(); got != want {
				t.Errorf("%s is %s, %s is %s", other, got, same[0], want)
			}
		}
	}
	if Decimal("1e2").Canonical() == Decimal("1e3").Canonical() || Decimal("1").Canonical() == Decimal("-1").Canonical() {
		t.Error("different numbers share one text")
	}
}
