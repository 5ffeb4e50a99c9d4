package liquid

// This file is the table of tags: what is available, and why the rest is not.

// Tag describes a tag for documentation and completion.
type Tag struct {
	Name      string
	Block     bool   // whether it needs its end tag
	Signature string // how it is written
	About     string // one line
	Example   string // a template over the example input of the tests
	Output    string // what the example renders
	kind      tagKind
	clauses   []string // the tags that only stand within it
}

type tagKind uint8

const (
	assignTag tagKind = iota
	breakTag
	caseTag
	commentTag
	continueTag
	cycleTag
	decrementTag
	echoTag
	forTag
	ifTag
	incrementTag
	inlineCommentTag
	liquidTag
	rawTag
	systemTag
	tablerowTag
	unlessTag
)

// Tags is the table of every tag, by name.
var Tags = []Tag{
	{Name: "#", kind: inlineCommentTag, Signature: "{% # words %}",
		About:   "A comment; each of its lines starts with #",
		Example: "{% # for reviewers %}Hello", Output: "Hello"},
	{Name: "assign", kind: assignTag, Signature: "{% assign name = value %}",
		About:   "Gives a value a name",
		Example: "{% assign who = input.name | upcase %}{{ who }}", Output: "ADA"},
	{Name: "break", kind: breakTag, Signature: "{% break %}",
		About:   "Leaves the loop around it",
		Example: "{% for tag in input.tags %}{% if tag == \"new\" %}{% break %}{% endif %}{{ tag }}{% endfor %}", Output: "red"},
	{Name: "case", kind: caseTag, Block: true, Signature: "{% case value %}{% when value, value %}…{% else %}…{% endcase %}",
		clauses: []string{"when", "else"},
		About:   "Renders every branch that holds the value, or the else branch",
		Example: "{% case input.name %}{% when \"Ada\", \"Bob\" %}known{% else %}new{% endcase %}", Output: "known"},
	{Name: "comment", kind: commentTag, Block: true, Signature: "{% comment %}…{% endcomment %}",
		About:   "Leaves out what it holds",
		Example: "a{% comment %} not sent {% endcomment %}b", Output: "ab"},
	{Name: "continue", kind: continueTag, Signature: "{% continue %}",
		About:   "Goes on with the next item of the loop around it",
		Example: "{% for tag in input.tags %}{% if tag == \"red\" %}{% continue %}{% endif %}{{ tag }}{% endfor %}", Output: "new"},
	{Name: "cycle", kind: cycleTag, Signature: "{% cycle value, value %}",
		About:   "Renders the next of its values each time",
		Example: "{% for tag in input.tags %}{% cycle \"odd\", \"even\" %} {% endfor %}", Output: "odd even "},
	{Name: "decrement", kind: decrementTag, Signature: "{% decrement name %}",
		About:   "Takes 1 from a counter and renders it",
		Example: "{% decrement left %}{% decrement left %}", Output: "-1-2"},
	{Name: "echo", kind: echoTag, Signature: "{% echo value %}",
		About:   "Renders a value, for use in a liquid tag",
		Example: "{% echo input.name | upcase %}", Output: "ADA"},
	{Name: "for", kind: forTag, Block: true, Signature: "{% for item in list limit: 3 offset: 1 reversed %}…{% else %}…{% endfor %}",
		clauses: []string{"else"},
		About:   "Renders its content for each item, or the else branch when there is none",
		Example: "{% for tag in input.tags %}{{ forloop.index }}. {{ tag }} {% endfor %}", Output: "1. red 2. new "},
	{Name: "if", kind: ifTag, Block: true, Signature: "{% if condition %}…{% elsif condition %}…{% else %}…{% endif %}",
		clauses: []string{"elsif", "else"},
		About:   "Renders the first branch whose condition holds",
		Example: "{% if input.tags contains \"new\" %}new{% else %}old{% endif %}", Output: "new"},
	{Name: "increment", kind: incrementTag, Signature: "{% increment name %}",
		About:   "Renders a counter and adds 1 to it",
		Example: "{% increment step %}{% increment step %}", Output: "01"},
	{Name: "liquid", kind: liquidTag, Signature: "{% liquid tag, one a line %}",
		About:   "Holds several tags, one a line, without their delimiters",
		Example: "{% liquid\n  assign who = input.name\n  echo who\n%}", Output: "Ada"},
	{Name: "raw", kind: rawTag, Block: true, Signature: "{% raw %}…{% endraw %}",
		About:   "Renders what it holds as it is written",
		Example: "{% raw %}{{ name }}{% endraw %}", Output: "{{ name }}"},
	{Name: "system", kind: systemTag, Block: true, Signature: "{% system %}…{% endsystem %}",
		About:   "Holds the instructions; everything outside it is the message",
		Example: "{% system %}Be brief.{% endsystem %}Hello", Output: "Hello"},
	{Name: "tablerow", kind: tablerowTag, Block: true, Signature: "{% tablerow item in list cols: 2 limit: 4 offset: 1 %}…{% endtablerow %}",
		About:   "Renders the cells of an HTML table",
		Example: "{% tablerow tag in input.tags %}{{ tag }}{% endtablerow %}",
		Output:  "<tr class=\"row1\"><td class=\"col1\">red</td><td class=\"col2\">new</td></tr>"},
	{Name: "unless", kind: unlessTag, Block: true, Signature: "{% unless condition %}…{% elsif condition %}…{% else %}…{% endunless %}",
		clauses: []string{"elsif", "else"},
		About:   "Renders its content when the condition does not hold",
		Example: "{% unless input.name == \"Bob\" %}not Bob{% endunless %}", Output: "not Bob"},
}

// RefusedTags are tags of other Liquid engines that are not available, each
// with the reason a problem gives.
var RefusedTags = []Refusal{
	{"block", "block is not available: a function is a single document"},
	{"capture", "capture is not available; use assign with append"},
	{"include", "include is not available: a function is a single document"},
	{"layout", "layout is not available: a function is a single document"},
	{"render", "render is not available: a function is a single document"},
}

// Refusal is a word that is not available, and why.
type Refusal struct {
	Name, Reason string
}

func findTag(name string) *Tag {
	for i := range Tags {
		if Tags[i].Name == name {
			return &Tags[i]
		}
	}
	return nil
}

func findRefusal(table []Refusal, name string) (string, bool) {
	for _, r := range table {
		if r.Name == name {
			return r.Reason, true
		}
	}
	return "", false
}
