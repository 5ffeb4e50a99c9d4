package liquid

// This file checks the tables of tags and filters against the format, and runs
// their examples.

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The names the format lists (reasoning format, "Filters" and "Tags").
const (
	listedFilters = `abs append array_to_sentence_string at_least at_most base64_decode base64_encode capitalize ceil
compact concat default divided_by downcase escape escape_once find find_index first floor group_by has join json last
lstrip map minus modulo newline_to_br normalize_whitespace number_of_words plus pop prepend push raw reject remove
remove_first remove_last replace replace_first replace_last reverse round rstrip shift size slice slugify sort
sort_natural split squish strip strip_newlines sum times to_integer truncate truncatewords uniq unshift upcase where
xml_escape money clip words`
	listedTags = `assign if unless case for break continue cycle increment decrement echo liquid raw comment # tablerow system`
)

func TestEveryListedFilterIsThere(t *testing.T) {
	t.Parallel()
	listed := strings.Fields(listedFilters)
	slices.Sort(listed)
	if got := FilterNames(); !slices.Equal(got, listed) {
		t.Errorf("got %v\nwant %v", got, listed)
	}
	for _, f := range Filters {
		if findFilter(f.Name) == nil || f.apply == nil {
			t.Errorf("%s cannot be found or called", f.Name)
		}
	}
}

func TestEveryListedTagIsThere(t *testing.T) {
	t.Parallel()
	listed := strings.Fields(listedTags)
	slices.Sort(listed)
	var got []string
	for _, tag := range Tags {
		got = append(got, tag.Name)
	}
	if !slices.Equal(got, listed) {
		t.Errorf("got %v\nwant %v", got, listed)
	}
}

func TestExamples(t *testing.T) {
	t.Parallel()
	type entry struct{ name, about, example, output string }
	var entries []entry
	for _, f := range Filters {
		entries = append(entries, entry{f.Name, f.About, f.Example, f.Output})
		if !regexp.MustCompile(`\| ` + f.Name + `\b`).MatchString(f.Example) {
			t.Errorf("the example of %s does not use it", f.Name)
		}
	}
	for _, tag := range Tags {
		entries = append(entries, entry{tag.Name, tag.About, tag.Example, tag.Output})
		if !strings.Contains(tag.Example, "% "+tag.Name) || !strings.Contains(tag.Signature, tag.Name) {
			t.Errorf("the example or the signature of %s does not use it", tag.Name)
		}
	}
	for _, e := range entries {
		rendered, err := mustParse(t, e.example, Options{Names: promptNames, System: true}).Render(example(t), Limits{})
		if err != nil || rendered.Message != e.output {
			t.Errorf("%s: %q gives %q, %v, want %q", e.name, e.example, rendered.Message, err, e.output)
		}
		if e.about == "" || strings.HasSuffix(e.about, ".") {
			t.Errorf("%s is described as %q", e.name, e.about)
		}
	}
}

func TestRefusedWordsAreNotAvailable(t *testing.T) {
	t.Parallel()
	for _, r := range RefusedFilters {
		if findFilter(r.Name) != nil || r.Reason == "" {
			t.Errorf("%s is refused and available, or refused without a reason", r.Name)
		}
	}
	for _, r := range RefusedTags {
		if findTag(r.Name) != nil || !strings.Contains(r.Reason, r.Name) {
			t.Errorf("%s is refused and available, or its reason does not name it", r.Name)
		}
	}
}

// The examples of the format's pages.
func TestFormatExamples(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{{ 364028 | money }}":                                 "$364,028",
		"{{ 1234.5 | money }}":                                 "$1,234.50",
		"{{ \"-1234.567\" | money }}":                          "-$1,234.57",
		"{{ 1.005 | money }}{{ 0.995 | money }}":               "$1.01$1.00",
		"{{ 999999.999 | money }}":                             "$1,000,000.00",
		"{{ -0.001 | money }}{{ \" +7. \" | money }}":          "-$0.00$7",
		"{{ \"a😀é\" | clip: 2 }}{{ \"ab\" | clip: 2 }}":        "a😀…ab",
		"{% assign n = \"one  two\\nthree\" | words %}{{ n }}": "3",
		"{{ \"😀\" | size }}{{ \"😀\" | words }}":                "21",
	} {
		rendered, err := mustParse(t, text, Options{}).Render(nil, Limits{})
		if err != nil || rendered.Message != want {
			t.Errorf("%q gives %q, %v, want %q", text, rendered.Message, err, want)
		}
	}
	for _, v := range []string{"\"12a\"", "\"1e3\"", "\"\"", "\"--1\"", "nil", "true", "(1..2)", "\".\"", "\"1,000\"", "\"$5\"", "\"0x1\"", "\"Infinity\""} {
		if _, err := mustParse(t, "{{ "+v+" | money }}", Options{}).Render(nil, Limits{}); err == nil {
			t.Errorf("money takes %s", v)
		}
	}
}
