package wire

import (
	"math"
	"slices"
)

// This file turns config.reasoning into what a model takes: an effort it
// knows, or a budget of tokens.

// efforts are the levels of reasoning above none, rising. A model may know max;
// a definition cannot ask for it.
var efforts = [...]string{"minimal", "low", "medium", "high", "xhigh", "max"}

// nearest gives the effort a model takes for the one asked: that one, else the
// next lower one, else the next higher one. None is never put in another's
// place.
func (d *drafting) nearest(taken ...string) string {
	asked := d.settings.Reasoning
	if slices.Contains(taken, asked) {
		return asked
	}
	at := slices.Index(efforts[:], asked) // -1 for none: every level is higher
	for i := at - 1; i >= 0; i-- {
		if slices.Contains(taken, efforts[i]) {
			d.changed("reasoning", asked, efforts[i])
			return efforts[i]
		}
	}
	for _, effort := range efforts[at+1:] {
		if slices.Contains(taken, effort) {
			d.changed("reasoning", asked, effort)
			return effort
		}
	}
	d.dropped("reasoning", "the model takes no effort")
	return ""
}

// leastBudget is the smallest thinking budget that Claude models take, in
// tokens.
const leastBudget = 1024

// budget gives the tokens of reasoning for the effort asked: a share of what
// the model may write, between least and most.
func (d *drafting) budget(reference, least, most int64) int64 {
	var share float64
	switch d.settings.Reasoning {
	case "minimal":
		share = 0.02
	case "low":
		share = 0.1
	case "medium":
		share = 0.3
	case "high":
		share = 0.6
	case "xhigh":
		share = 0.9
	default:
		d.warn("reasoning", "none is not possible for %s; its least budget of %d tokens was sent", d.call.Model, least)
		return least
	}
	return min(most, max(least, int64(math.Round(float64(reference)*share))))
}

// dropped warns that a setting was not sent.
func (d *drafting) dropped(setting, why string) { d.warn(setting, "was not sent: %s", why) }

// changed warns that something else was sent than the definition asks for.
func (d *drafting) changed(setting string, asked, sent any) {
	d.warn(setting, "%v was sent as %v, which is what %s takes", asked, sent, d.call.Model)
}

// dropSampling leaves out temperature and top_p.
func (d *drafting) dropSampling(why string) {
	if d.settings.Temperature != nil {
		d.dropped("temperature", why)
		d.settings.Temperature = nil
	}
	if d.settings.TopP != nil {
		d.dropped("top_p", why)
		d.settings.TopP = nil
	}
}

// dropSeed leaves out a seed that the provider has no field for.
func (d *drafting) dropSeed() {
	if d.settings.Seed != nil {
		d.dropped("seed", d.endpoint.Provider+" takes none")
		d.settings.Seed = nil
	}
}

// boundTemperature brings the temperature between 0 and 1.
func (d *drafting) boundTemperature() {
	if d.settings.Temperature == nil {
		return
	}
	asked := *d.settings.Temperature
	bounded := min(1, max(0, asked))
	if bounded != asked {
		d.changed("temperature", asked, bounded)
		d.settings.Temperature = &bounded
	}
}
