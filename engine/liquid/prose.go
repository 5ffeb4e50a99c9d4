package liquid

// This file tells a template in the words of a person who does not read Liquid
// (reasoning format, "The overview"): values by their names, conditions and loops as
// sentences.

import (
	"strings"
)

// Prose is a part of a template as a person reads it, in pieces.
type Prose []Piece

// Piece is some text of a prose and the line of the template where it comes from,
// from 1.
type Piece struct {
	Text string
	Line int
}

// String is the whole prose, as Markdown.
func (p Prose) String() string {
	var b strings.Builder
	for _, piece := range p {
		b.WriteString(piece.Text)
	}
	return strings.TrimSpace(b.String())
}

// Prose gives the instructions and the message of a template that has no problems.
// The instructions are nil when it has no system block.
func (t *Template) Prose() (instructions, message Prose) {
	r := &proseReader{lexer: lexer{parser: newParser(t.text, Options{}), text: t.text}}
	nodes, _ := r.nodes()
	told, asked := &proseWriter{text: t.text}, &proseWriter{text: t.text}
	for _, n := range nodes {
		if n.name == "system" {
			told.all(n.branches[0].nodes)
			told.pieces = append(told.pieces, Piece{}) // an empty block is a block still
			continue
		}
		asked.one(n)
	}
	return told.pieces, asked.pieces
}

// proseNode is a piece of a template, or a block with what is in it.
type proseNode struct {
	name       string // of a block that is told: if, unless, for or system; empty for text
	begin, end int    // in the template
	text       string // as a person reads it
	output     string // the markup of an output
	branches   []proseBranch
}

// proseBranch is a part of a block, from its tag to the next.
type proseBranch struct {
	clause string // the name of its tag
	words  string // the tag's arguments, as written
	nodes  []*proseNode
	begin  int
}

// proseReader makes a tree of the tokens of a template.
type proseReader struct{ lexer lexer }

// nodes reads up to the tag that ends a block, or begins another part of one, and
// gives that tag.
func (r *proseReader) nodes() (nodes []*proseNode, last token) {
	l := &r.lexer
	others := 0 // blocks that are not told, such as case, whose else is theirs
	for {
		t := l.next()
		n := &proseNode{begin: t.begin, end: t.end}
		switch t.kind {
		case endToken:
			return nodes, t
		case textToken:
			n.text = l.text[t.from:t.to]
		case outputToken:
			n.output = l.text[t.from:t.to]
		case tagToken:
			switch t.name {
			case "#":
				continue
			case "comment":
				for inner := l.next(); inner.kind != endToken && inner.name != "endcomment"; inner = l.next() {
					if inner.name == "raw" {
						r.raw(inner)
					}
				}
				continue
			case "raw":
				n.text = r.raw(t)
			case "if", "unless", "for", "system":
				n.name = t.name
				r.block(n, t)
			case "case", "tablerow":
				others++
				n.text = l.text[t.begin:t.end]
			case "endcase", "endtablerow":
				others--
				n.text = l.text[t.begin:t.end]
			case "else", "elsif", "endif", "endunless", "endfor", "endsystem":
				if others == 0 {
					return nodes, t
				}
				n.text = l.text[t.begin:t.end]
			default:
				n.text = l.text[t.begin:t.end]
			}
		}
		nodes = append(nodes, n)
	}
}

// raw gives what a raw block holds, and goes on after it.
func (r *proseReader) raw(t token) string {
	content, end, found := rawEnd(r.lexer.text, t.end)
	if !found {
		return ""
	}
	r.lexer.at, r.lexer.trim = end, r.lexer.text[end-3] == '-'
	return r.lexer.text[t.end:content]
}

func (r *proseReader) block(n *proseNode, t token) {
	for {
		part := proseBranch{clause: t.name, words: strings.Join(strings.Fields(r.lexer.text[t.args:max(t.args, t.to)]), " "), begin: t.begin}
		var last token
		part.nodes, last = r.nodes()
		n.branches = append(n.branches, part)
		n.end = last.end
		if t = last; t.kind == endToken || strings.HasPrefix(t.name, "end") {
			return
		}
	}
}

// proseWriter writes the pieces of a tree.
type proseWriter struct {
	text      string
	pieces    Prose
	variables []string // of the loops around
	// fresh is set after a line of our own: what follows starts a paragraph.
	fresh bool
	at    int // up to where the lines are counted, and how many there were
	lines int
}

// line gives the line of a place. Places come in order, but for those of a phrase.
func (w *proseWriter) line(at int) int {
	if at < w.at {
		w.at, w.lines = 0, 0
	}
	w.lines += strings.Count(w.text[w.at:at], "\n")
	w.at = at
	return w.lines + 1
}

func (w *proseWriter) write(text string, at int) {
	if w.fresh {
		trimmed := strings.TrimLeft(text, " \t\n")
		if trimmed == "" {
			return
		}
		at += strings.LastIndexByte(text[:len(text)-len(trimmed)], '\n') + 1
		text, w.fresh = trimmed, false
	}
	if text != "" {
		w.pieces = append(w.pieces, Piece{Text: text, Line: w.line(min(at, len(w.text)))})
	}
}

// paragraph ends what was written, so that something stands alone after it.
func (w *proseWriter) paragraph() {
	for len(w.pieces) > 0 {
		last := &w.pieces[len(w.pieces)-1]
		if last.Text = strings.TrimRight(last.Text, " \t\n"); last.Text != "" {
			last.Text += "\n\n"
			break
		}
		w.pieces = w.pieces[:len(w.pieces)-1]
	}
	w.fresh = true
}

func (w *proseWriter) all(nodes []*proseNode) {
	for _, n := range nodes {
		w.one(n)
	}
}

func (w *proseWriter) one(n *proseNode) {
	switch {
	case n.name == "" && n.output != "":
		w.write("**"+w.valueName(n.output)+"**", n.begin)
	case n.name == "":
		w.write(n.text, n.begin)
	case strings.Contains(w.text[n.begin:max(n.begin, n.end)], "\n"):
		w.asLines(n)
	default:
		w.write(w.phrase(n), n.begin)
	}
}

// asLines tells a block that ends on a later line than it opens.
func (w *proseWriter) asLines(n *proseNode) {
	for _, part := range n.branches {
		w.paragraph()
		w.fresh = false
		words := "Otherwise"
		switch part.clause {
		case "if":
			words = "When " + part.words
		case "unless":
			words = "Unless " + part.words
		case "elsif":
			words = "Or when " + part.words
		case "for":
			variable, list := loopWords(part.words)
			words = "For each " + variable + " of " + list
			w.variables = append(w.variables, variable)
		}
		w.write("_"+words+":_\n\n", part.begin)
		w.fresh = true
		w.all(part.nodes)
		if part.clause == "for" {
			w.variables = w.variables[:len(w.variables)-1]
		}
	}
	w.paragraph()
}

// loopWords splits what a loop goes over: item in input.items.
func loopWords(words string) (variable, list string) {
	variable, list, _ = strings.Cut(words, " in ")
	return variable, list
}

// phrase tells a block that opens and ends within one line.
func (w *proseWriter) phrase(n *proseNode) string {
	before, after := "", ""
	var b strings.Builder
	for i, part := range n.branches {
		variable, list := "", ""
		nodes, separator := part.nodes, ""
		if part.clause == "for" {
			variable, list = loopWords(part.words)
			nodes, separator = separated(nodes)
			w.variables = append(w.variables, variable)
		}
		inner := &proseWriter{text: w.text, variables: w.variables}
		inner.all(nodes)
		if part.clause == "for" {
			w.variables = w.variables[:len(w.variables)-1]
		}
		raw := ""
		for _, piece := range inner.pieces {
			raw += piece.Text
		}
		body := strings.TrimSpace(raw)
		if i == 0 && part.clause != "for" && strings.HasPrefix(raw, " ") {
			before = " "
		}
		if after = ""; part.clause != "for" && strings.HasSuffix(raw, " ") {
			after = " "
		}
		if body == "" {
			body = "nothing"
		}
		if i > 0 {
			b.WriteString(", ")
		}
		switch part.clause {
		case "if", "elsif":
			b.WriteString(body + " when " + part.words)
		case "unless":
			b.WriteString(body + " unless " + part.words)
		case "for":
			b.WriteString("each " + variable + " of " + list + " as " + body)
			if separator != "" {
				b.WriteString(", separated by " + separator)
			}
		default:
			b.WriteString("otherwise " + body)
		}
	}
	return before + b.String() + after
}

// separators are the words for what often stands between two items.
var separators = [][2]string{{",", "commas"}, {";", "semicolons"}, {"|", "bars"}, {"/", "slashes"}, {"-", "dashes"}, {"", "spaces"}}

// separated takes the end off a loop's content that separates its items, such as
// {% unless forloop.last %}, {% endunless %}, and gives its words.
func separated(nodes []*proseNode) ([]*proseNode, string) {
	if len(nodes) == 0 {
		return nodes, ""
	}
	last := nodes[len(nodes)-1]
	if last.name != "unless" || len(last.branches) != 1 || last.branches[0].words != "forloop.last" || len(last.branches[0].nodes) != 1 {
		return nodes, ""
	}
	between := last.branches[0].nodes[0]
	if between.name != "" || between.output != "" {
		return nodes, ""
	}
	text := strings.TrimSpace(between.text)
	for _, of := range separators {
		if of[0] == text {
			return nodes[:len(nodes)-1], of[1]
		}
	}
	return nodes[:len(nodes)-1], "“" + text + "”"
}

// valueName is the name of the value that an output prints, without its filters.
func (w *proseWriter) valueName(markup string) string {
	sc := scanner{source: markup, end: len(markup)}
	for sc.at < sc.end && sc.peek() != '|' {
		if c := sc.peek(); c == '"' || c == '\'' {
			sc.at = sc.quoted()
			continue
		}
		sc.at++
	}
	name := strings.Join(strings.Fields(markup[:min(sc.at, len(markup))]), " ")
	for i := len(w.variables) - 1; i >= 0; i-- {
		if field, ok := strings.CutPrefix(name, w.variables[i]+"."); ok {
			return field
		}
	}
	return strings.TrimPrefix(name, "input.")
}
