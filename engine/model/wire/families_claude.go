package wire

import "strings"

// This file is what requests need to know about families of Claude models.

// claude is what a family of Claude models takes.
type claude struct {
	known         bool  // an id the table knows
	maxOutput     int64 // tokens; a larger max_tokens is refused
	nativeJSON    bool  // output_config.format
	adaptive      bool  // adaptive thinking and effort, in place of a budget
	noSampling    bool  // temperature and top_p are refused
	xhigh         bool  // effort xhigh
	offUpToHigh   bool  // thinking can be off only up to effort high
	alwaysThinks  bool  // thinking cannot be off
	noBudget      bool  // a thinking budget is refused
	noForcedTools bool  // a forced tool call is refused
	betweenTools  bool  // thinking between tools is the least it can do
}

// claudeFamilies are tried in order; an id belongs to the first that it holds.
var claudeFamilies = [...]struct {
	part   string
	family claude
}{
	{"claude-sonnet-5-5", claude{maxOutput: 128000, nativeJSON: true, adaptive: true, noSampling: true, xhigh: true, offUpToHigh: true, alwaysThinks: true, noBudget: true, noForcedTools: true, betweenTools: true}},
	{"claude-opus-5-5", claude{maxOutput: 128000, nativeJSON: true, adaptive: true, noSampling: true, xhigh: true, offUpToHigh: true, alwaysThinks: true, noBudget: true, noForcedTools: true}},
	{"claude-haiku-5-5", claude{maxOutput: 128000, nativeJSON: true, adaptive: true, noSampling: true, xhigh: true, offUpToHigh: true, noBudget: true}},
	{"claude-opus-5", claude{maxOutput: 128000, nativeJSON: true, adaptive: true, noSampling: true, xhigh: true, offUpToHigh: true}},
	{"claude-fable-5-1", claude{maxOutput: 128000, nativeJSON: true, adaptive: true, noSampling: true, xhigh: true, alwaysThinks: true, noBudget: true, noForcedTools: true}},
	{"claude-fable-5-2", claude{maxOutput: 128000, nativeJSON: true, adaptive: true, noSampling: true, xhigh: true, alwaysThinks: true, noBudget: true, noForcedTools: true}},
	{"claude-fable-5", claude{maxOutput: 128000, nativeJSON: true, adaptive: true, noSampling: true, xhigh: true, alwaysThinks: true, noBudget: true}},
	{"claude-opus-4-8", claude{maxOutput: 128000, nativeJSON: true, adaptive: true, noSampling: true, xhigh: true}},
	{"claude-opus-4-7", claude{maxOutput: 128000, nativeJSON: true, adaptive: true, noSampling: true, xhigh: true}},
	{"claude-sonnet-5", claude{maxOutput: 128000, nativeJSON: true, adaptive: true, noSampling: true, xhigh: true}},
	{"claude-sonnet-4-6", claude{maxOutput: 128000, nativeJSON: true, adaptive: true}},
	{"claude-opus-4-6", claude{maxOutput: 128000, nativeJSON: true, adaptive: true}},
	{"claude-sonnet-4-5", claude{maxOutput: 64000, nativeJSON: true}},
	{"claude-opus-4-5", claude{maxOutput: 64000, nativeJSON: true}},
	{"claude-haiku-4-5", claude{maxOutput: 64000, nativeJSON: true}},
	{"claude-opus-4-1", claude{maxOutput: 32000, nativeJSON: true}},
	{"claude-sonnet-4-", claude{maxOutput: 64000}},
	{"claude-sonnet-4@", claude{maxOutput: 64000}},
	{"claude-opus-4-", claude{maxOutput: 32000}},
	{"claude-opus-4@", claude{maxOutput: 32000}},
	{"claude-3-haiku", claude{maxOutput: 4096}},
}

// olderClaudes are parts of ids that no family names any more.
var olderClaudes = [...]string{"claude-instant", "claude-2", "claude-v2", "claude-3-", "claude-3."}

// claudeOf gives the family of a model id. A Claude model that no family knows
// is read as the newest ones are, so that a new model works on its first day.
func claudeOf(model string) claude {
	for _, row := range claudeFamilies {
		if strings.Contains(model, row.part) {
			family := row.family
			family.known = true
			return family
		}
	}
	older := claude{maxOutput: 4096}
	if !strings.Contains(model, "claude-") || strings.HasSuffix(model, "claude-3") {
		return older
	}
	for _, part := range olderClaudes {
		if strings.Contains(model, part) {
			return older
		}
	}
	return claude{maxOutput: 128000, nativeJSON: true, adaptive: true, noSampling: true, xhigh: true, offUpToHigh: true}
}

// bedrockWithoutStrictTools are models that Bedrock's own copy of the Messages
// format is behind of: it refuses strict tools and output_config.format.
var bedrockWithoutStrictTools = [...]string{"claude-opus-4-7", "claude-opus-4-8", "claude-opus-5", "claude-fable-5", "claude-sonnet-5"}

// bedrockTakesFormat tells whether Bedrock serves output_config.format for a
// model, reliably and in every account.
func bedrockTakesFormat(model string) bool {
	for _, part := range bedrockWithoutStrictTools {
		if strings.Contains(model, part) {
			return false
		}
	}
	return !strings.Contains(model, "claude-sonnet-4-6") && !strings.Contains(model, "claude-haiku-4-5")
}
