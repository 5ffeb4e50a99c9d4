package frontmatter

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// told gives problems as line:column pointer message.
func told(problems []problem.Problem) []string {
	var lines []string
	for _, p := range problems {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%d:%d %s", p.Line, p.Column, strings.TrimSpace(p.Pointer+" "+p.Message))))
	}
	return lines
}

func TestReadSplitsADocument(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, source string
		root         string // as JSON; empty when there is none
		body         string
		bodyLine     int
		problems     []string
	}{
		{"front matter and body", "---\na: 1\n---\nBody\n", `{"a":1}`, "Body\n", 4, nil},
		{"an empty line before the body", "---\na: 1\n---\n\nBody", `{"a":1}`, "\nBody", 4, nil},
		{"no body", "---\na: 1\n---\n", `{"a":1}`, "", 4, nil},
		{"no line end after the last line", "---\na: 1\n---", `{"a":1}`, "", 3, nil},
		{"empty front matter", "---\n---\nBody", `{}`, "Body", 3, nil},
		{"front matter of comments", "---\n# model: x\n\n---\nBody", `{}`, "Body", 5, nil},
		{"null as front matter", "---\n~\n---\n", `{}`, "", 4, nil},
		{"spaces after the markers", "--- \t\na: 1\n---  \nBody", `{"a":1}`, "Body", 4, nil},
		{"a rule in the body", "---\na: 1\n---\nOne\n---\nTwo", `{"a":1}`, "One\n---\nTwo", 4, nil},
		{"markers that are text", "---\na: |\n  ---\nb: x --- y\n---\n", `{"a":"---\n","b":"x --- y"}`, "", 6, nil},
		{"CRLF", "---\r\na: 1\r\n---\r\nOne\r\nTwo", `{"a":1}`, "One\nTwo", 4, nil},
		{"lone CR", "---\ra: 1\r---\rOne\rTwo", `{"a":1}`, "One\nTwo", 4, nil},
		{"mixed line ends", "---\r\na: 1\rb: 2\n---\n\rTwo", `{"a":1,"b":2}`, "\nTwo", 5, nil},
		{"a byte-order mark", "\ufeff---\na: 1\n---\nBody", `{"a":1}`, "Body", 4, nil},
		{"CRLF in a block", "---\r\na: |\r\n  x\r\n  y\r\n---\r\n", `{"a":"x\ny\n"}`, "", 6, nil},

		{"empty", "", "", "", 1, []string{"1:1 " + noFrontMessage}},
		{"body alone", "Hello {{ input.name }}\n", "", "Hello {{ input.name }}\n", 1, []string{"1:1 " + noFrontMessage}},
		{"empty lines alone", "\n\n", "", "\n\n", 1, []string{"1:1 " + noFrontMessage}},
		{"text before the marker", "Title\n---\na: 1\n---\n", "", "Title\n---\na: 1\n---\n", 1, []string{"1:1 " + noFrontMessage}},
		{"an empty line first", "\n---\na: 1\nb: &x 2\n---\nBody", `{"a":1,"b":2}`, "Body", 6,
			[]string{"1:1 " + firstMessage, "4:4 /b Anchors such as &x are not allowed"}},
		{"a space first", " ---\na: 1\n---\nBody", `{"a":1}`, "Body", 4, []string{"1:1 " + firstMessage}},
		{"another document at once", "--- foo\na: 1\n---\n", "", "--- foo\na: 1\n---\n", 1, []string{"1:1 " + noFrontMessage}},
		{"never closed", "---\na: 1\n\nHello {{ input.name }}\n", "", "a: 1\n\nHello {{ input.name }}\n", 2, []string{"1:1 " + unclosedMessage}},
		{"only opened", "---", "", "", 1, []string{"1:1 " + unclosedMessage}},
		{"closed with four hyphens", "---\na: 1\n----\nBody", `{"a":1}`, "Body", 4, []string{"3:1 " + closingMessage}},
		{"closed with two hyphens", "---\na: 1\n--\nBody", `{"a":1}`, "Body", 4, []string{"3:1 " + closingMessage}},
		{"closed with dashes", "---\na: 1\n—\nBody", `{"a":1}`, "Body", 4, []string{"3:1 " + closingMessage}},
		{"closed with dots", "---\na: 1\n...\nBody", `{"a":1}`, "Body", 4, []string{"3:1 " + closingMessage}},
		{"closed, indented", "---\na: 1\n ---\nBody", `{"a":1}`, "Body", 4, []string{"3:1 " + closingMessage}},
		{"a near miss before the right one", "---\na: |\n  --\nb: 1\n---\nBody", `{"a":"--\n","b":1}`, "Body", 6, nil},

		{"a list", "---\n- a\n---\nBody", "", "Body", 4, []string{"2:1 " + mappingMessage}},
		{"a text", "---\nsome words\n---\nBody", "", "Body", 4, []string{"2:1 " + mappingMessage}},
		{"a key without a space", "---\nmodel:a/b\n---\nBody", "", "Body", 4, []string{"2:7 " + spaceMessage}},
		{"a second document", "---\na: 1\n--- foo\n---\nBody", `{"a":1}`, "Body", 5, []string{"3:1 " + secondMessage}},
		{"text after the end", "---\na: 1\n...\nfoo\n---\nBody", `{"a":1}`, "Body", 6, []string{"4:1 " + secondMessage}},
		{"broken front matter", "---\na: [1\n---\nBody", "", "Body", 4,
			[]string{"3:1 Expected ] before this line, or more indentation: the [ of line 2 is open"}},
	} {
		document, problems := Read([]byte(test.source))
		root := ""
		if document.Root != nil {
			root = value.JSON(document.Root.Value())
			if document.Root.Line != 1 {
				t.Errorf("%s: the root is on line %d", test.name, document.Root.Line)
			}
		}
		if root != test.root || document.Body != test.body || document.BodyLine != test.bodyLine {
			t.Errorf("%s: %s, body %q on line %d; want %s, %q on line %d", test.name,
				root, document.Body, document.BodyLine, test.root, test.body, test.bodyLine)
		}
		if diff := cmp.Diff(test.problems, told(problems)); diff != "" {
			t.Errorf("%s: problems (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestReadRefusesCharacters(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, source string
		problems     []string
	}{
		{"NUL in a value", "---\na: b\x00c\n---\n", []string{"2:5 Expected text without control characters such as U+0000"}},
		{"NUL in the body", "---\na: b\n---\nOne\nTwo é\x00\n", []string{"5:6 Expected text without control characters such as U+0000"}},
		{"an escape sequence", "---\na: \x1b[1m\n---\n", []string{"2:4 Expected text without control characters such as U+001B"}},
		{"DEL", "---\na: 1\n---\n\x7f", []string{"4:1 Expected text without control characters such as U+007F"}},
		{"a C1 control", "---\na: \u0080\n---\n", []string{"2:4 Expected text without control characters such as U+0080"}},
		{"no character", "---\na: \uffff\n---\n", []string{"2:4 Expected text without control characters such as U+FFFF"}},
		{"Latin-1", "---\na: caf\xe9\n---\nCaf\xe9\n", []string{"2:7 Expected text in UTF-8", "4:4 Expected text in UTF-8"}},
		{"UTF-16", "\xff\xfe-\x00", []string{
			"1:1 Expected text in UTF-8; this file is UTF-16",
			"1:1 " + noFrontMessage,
		}},
		{"a surrogate", "---\na: \xed\xa0\x80\n---\n", []string{"2:4 Expected text in UTF-8"}},
		{"once a line", "---\na: \x00\x00\x01\x00\nb: \x00\n---\n", []string{
			"2:4 Expected text without control characters such as U+0000",
			"2:6 Expected text without control characters such as U+0001",
			"3:4 Expected text without control characters such as U+0000",
		}},
		{"the rest is read", "---\na: \x00\nb: *c\n---\n", []string{
			"2:4 Expected text without control characters such as U+0000",
			"3:4 /b Aliases such as *c are not allowed",
		}},
		{"tabs are text", "---\na: b\tc\n---\n\tBody\n", nil},
		{"U+0085, U+2028 and U+2029 are text", "---\na: b\u0085c\u2028d\u2029e\n---\n\u2028\u0085\n", nil},
		{"a byte-order mark within", "---\na: b\ufeffc\n---\n\ufeff", nil},
	} {
		document, problems := Read([]byte(test.source))
		if diff := cmp.Diff(test.problems, told(problems)); diff != "" {
			t.Errorf("%s: problems (-want +got):\n%s", test.name, diff)
		}
		for _, p := range problems {
			if p.Rule != problem.Encoding && p.Rule != problem.YAMLFeature && p.Rule != problem.FrontMatter {
				t.Errorf("%s: rule %s", test.name, p.Rule)
			}
		}
		if document == nil {
			t.Errorf("%s: no document", test.name)
		}
	}
}

// TestLineSeparatorsAreText holds that only \n, \r\n and \r end a line.
func TestLineSeparatorsAreText(t *testing.T) {
	t.Parallel()
	document, problems := Read([]byte("---\na: |\n  x\u2028y\n  z\u0085w\nb: \"p\u2029q\"\nc: *d\n---\nOne\u2028Two\nThree"))
	if diff := cmp.Diff([]string{"6:4 /c Aliases such as *d are not allowed"}, told(problems)); diff != "" {
		t.Error(diff)
	}
	if got, want := value.JSON(document.Root.Value()), "{\"a\":\"x\u2028y\\nz\u0085w\\n\",\"b\":\"p\u2029q\",\"c\":null}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if document.Body != "One\u2028Two\nThree" || document.BodyLine != 8 {
		t.Errorf("body %q on line %d", document.Body, document.BodyLine)
	}
}

func TestNodesKnowTheirPlaces(t *testing.T) {
	t.Parallel()
	document, problems := Read([]byte("---\ndescription: Reviews\nconfig:\n  seed: 1\n  empty:\ntools: [ a/b,\n  c/d ]\n\"é\": { x: 日本, y: z }\nnothing:\n---\n"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	root := document.Root
	for _, test := range []struct {
		name         string
		node         *Node
		line, column int
	}{
		{"the root", root, 1, 1},
		{"a value", root.Get("description"), 2, 14},
		{"a mapping", root.Get("config"), 4, 3},
		{"a value within", root.Get("config").Get("seed"), 4, 9},
		{"an empty value stands at its key", root.Get("config").Get("empty"), 5, 3},
		{"a list", root.Get("tools"), 6, 8},
		{"an item on the next line", root.Get("tools").Items[1], 7, 3},
		{"columns count characters", root.Get("é").Get("y"), 8, 18},
		{"an empty value at the end", root.Get("nothing"), 9, 1},
	} {
		if test.node == nil || test.node.Line != test.line || test.node.Column != test.column {
			t.Errorf("%s: %+v, want %d:%d", test.name, test.node, test.line, test.column)
		}
	}
	if key, ok := root.KeyOf("config"); !ok || key != (Key{"config", 3, 1}) {
		t.Errorf("the key config: %v, %t", key, ok)
	}
	if key, ok := root.KeyOf("none"); ok || key != (Key{}) {
		t.Errorf("a key that is not there: %v, %t", key, ok)
	}
	if root.Get("none") != nil || root.Get("description").Get("x") != nil || (*Node)(nil).Get("x") != nil || (*Node)(nil).Value() != nil {
		t.Error("a node that is not there has a value")
	}
}

// TestReadGoesOnPastAFault holds that one fault hides no other.
func TestReadGoesOnPastAFault(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, front string
		partial     string // as JSON; empty when there is none
		refused     string // keys of the partial mapping whose values were not read
		problems    []string
	}{
		{"two broken keys", "model: a: b\nconfig:\n  seed: 1\ntools: @x\n", `{"model":null,"config":{"seed":1},"tools":null}`, "model tools", []string{
			"2:9 Expected quotes around a value that holds a colon and a space",
			"5:8 Expected quotes around a value that starts with @",
		}},
		{"a line without a colon", "model: a/b\nconfig\n  seed: 1\nx: &y 1\n", `{"model":"a/b","x":1}`, "", []string{
			"3:1 " + colonMessage,
			"5:4 /x Anchors such as &y are not allowed",
		}},
		{"no space after a colon", "model:a/b\nseed: 1\n", `{"model":null,"seed":1}`, "model", []string{"2:7 " + spaceMessage}},
		{"an open bracket", "tools: [a/b\nmodel: x\nseed: 'it's'\n", "", "", []string{
			"3:1 Expected ] before this line, or more indentation: the [ of line 2 is open",
			"4:11 Expected the line to end after the value, or quotes around all of it",
		}},
		{"an open quote", "description: \"Reviews\nmodel: x\n", "", "", []string{"2:14 Expected a closing \" for the text that starts here"}},
		{"what an open quote swallows", "a: \"x\n  y\nb: z\" w\nc: 1\n", "", "", []string{"2:4 Expected a closing \" for the text that starts here"}},
		{"a key twice, once broken", "a: 1\na: b: c\nd: 2\n", `{"a":1,"d":2}`, "", []string{
			"3:1 /a Expected the key a only once",
			"3:5 Expected quotes around a value that holds a colon and a space",
		}},
		{"no part is broken", " a: 1\nb: 2\n", "", "", []string{"3:1 Expected this line indented like the first one"}},
	} {
		document, problems := Read(document(test.front))
		if diff := cmp.Diff(test.problems, told(problems)); diff != "" {
			t.Errorf("%s: problems (-want +got):\n%s", test.name, diff)
		}
		if document.Root != nil {
			t.Errorf("%s: there is a root", test.name)
		}
		partial, refused := "", []string{}
		if document.Partial != nil {
			partial = value.JSON(document.Partial.Value())
			for i, item := range document.Partial.Items {
				if item.Refused {
					refused = append(refused, document.Partial.Keys[i].Name)
				}
			}
		}
		if partial != test.partial || strings.Join(refused, " ") != test.refused {
			t.Errorf("%s: partial %s, refused %s", test.name, partial, refused)
		}
	}
}

func TestRefusedValues(t *testing.T) {
	t.Parallel()
	document, problems := Read(document("a: .inf\nb: *c\nd: {{ input.x }}\ne: [1, .nan]\n"))
	if len(problems) != 4 {
		t.Fatal(told(problems))
	}
	for _, key := range []string{"a", "b", "d"} {
		if node := document.Root.Get(key); !node.Refused || node.Value() != nil {
			t.Errorf("%s: %+v", key, node)
		}
	}
	if e := document.Root.Get("e"); e.Refused || e.Items[0].Refused || !e.Items[1].Refused {
		t.Errorf("e: %+v", e)
	}
}

func TestDuplicateKeysKeepTheFirst(t *testing.T) {
	t.Parallel()
	var front strings.Builder
	for i := range 40 {
		fmt.Fprintf(&front, "k%d: %d\n", i, i)
	}
	front.WriteString("k3: x\nk39: y\n")
	document, problems := Read(document(front.String()))
	if diff := cmp.Diff([]string{"42:1 /k3 Expected the key k3 only once", "43:1 /k39 Expected the key k39 only once"}, told(problems)); diff != "" {
		t.Error(diff)
	}
	if v := document.Root.Get("k3").Value(); v != 3.0 {
		t.Errorf("k3 is %v", v)
	}
	if len(document.Root.Keys) != 40 {
		t.Errorf("%d keys", len(document.Root.Keys))
	}
}

func TestNesting(t *testing.T) {
	t.Parallel()
	flow := func(levels int) string {
		return "a: " + strings.Repeat("[", levels-1) + strings.Repeat("]", levels-1) + "\n"
	}
	block := func(levels int) string {
		var front strings.Builder
		for level := range levels {
			fmt.Fprintf(&front, "%sa:\n", strings.Repeat(" ", level))
		}
		return front.String()
	}
	for _, test := range []struct {
		name, front string
		line        int // of the problem; 0 for none
	}{
		{"72 levels of lists", flow(72), 0},
		{"73 levels of lists", flow(73), 2},
		{"300 levels of lists", flow(300), 2},
		{"72 levels of mappings", block(72), 0},
		{"73 levels of mappings", block(73), 74},
		{"72 levels as JSON", strings.Repeat(`{"a":`, 72) + "1" + strings.Repeat("}", 72) + "\n", 0},
		{"73 levels as JSON", strings.Repeat(`{"a":`, 73) + "1" + strings.Repeat("}", 73) + "\n", 2},
	} {
		document, problems := Read(document(test.front))
		if test.line == 0 {
			if len(problems) > 0 || value.Depth(document.Root.Value(), 100) != MaxLevels {
				t.Errorf("%s: %v, depth %d", test.name, told(problems), value.Depth(document.Root.Value(), 100))
			}
			continue
		}
		if len(problems) != 1 || problems[0].Line != test.line || problems[0].Rule != problem.TooDeep || problems[0].Message != levelsMessage {
			t.Errorf("%s: %v", test.name, told(problems))
		}
	}
}

func TestFromValue(t *testing.T) {
	t.Parallel()
	const text = `{"2":[1,"x",null,true,{"a":{}}],"b":9007199254740993,"c":[]}`
	v, err := value.ParseJSON([]byte(text), 10)
	if err != nil {
		t.Fatal(err)
	}
	node := FromValue(v)
	if got := value.JSON(node.Value()); got != text {
		t.Errorf("%s, want %s", got, text)
	}
	if node.Kind != Mapping || node.Line != 0 || node.Get("2").Kind != List || node.Get("b").Kind != Scalar {
		t.Errorf("%+v", node)
	}
	many := value.NewObject(100)
	for i := range 100 {
		many.Set(fmt.Sprintf("k%d", i), float64(i))
	}
	if got := FromValue(many).Get("k77").Value(); got != 77.0 {
		t.Errorf("k77 is %v", got)
	}
}
