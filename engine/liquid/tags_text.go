package liquid

// This file holds text, and the tags that hold other text or tags: raw,
// comment, #, liquid and system.

import (
	"strings"

	"github.com/beonauto/auto/engine/problem"
)

// textNode prints itself.
type textNode struct {
	at   int
	text string
}

func (n *textNode) render(s *state) {
	s.at = n.at
	s.write(n.text)
}

// raw keeps everything up to endraw as it is written.
func (p *parser) raw(t token) {
	if l, ok := p.src.(*lexer); ok {
		content, end, found := rawEnd(l.text, t.end)
		if !found {
			p.report(t.begin, templateSyntax, "raw is not closed; expected endraw")
			l.at = len(l.text)
			return
		}
		l.at = end
		l.trim = l.text[end-3] == '-'
		p.text(t.end, l.text[t.end:content])
		p.countName(content)
		return
	}
	var text strings.Builder
	for {
		switch line := p.src.next(); {
		case line.kind == endToken:
			p.report(t.begin, templateSyntax, "raw is not closed; expected endraw")
			return
		case line.name == "endraw":
			p.text(t.begin, text.String())
			p.countTag(line)
			return
		default:
			text.WriteString(p.template.text[line.begin:line.end])
		}
	}
}

// comment leaves out everything up to the first endcomment, but for a raw
// block, which hides what looks like one.
func (p *parser) comment(t token) {
	l, whole := p.src.(*lexer)
	for {
		inner := p.src.next()
		if inner.kind == endToken {
			p.report(t.begin, templateSyntax, "comment is not closed; expected endcomment")
			return
		}
		if inner.kind != tagToken {
			continue
		}
		if inner.name == "endcomment" {
			p.nothing()
			p.countTag(inner)
			return
		}
		if inner.name == "raw" && whole {
			_, end, found := rawEnd(l.text, inner.end)
			if !found {
				p.report(inner.begin, templateSyntax, "raw is not closed; expected endraw")
				l.at = len(l.text)
				return
			}
			l.at = end
			l.trim = l.text[end-3] == '-'
		}
	}
}

// inlineComment checks that every line of a comment starts with #.
func (p *parser) inlineComment(t token) {
	p.nothing()
	text := p.template.text
	for at := t.args; at < t.to; {
		newline := strings.IndexByte(text[at:t.to], '\n')
		if newline < 0 {
			return
		}
		at += newline + 1
		rest := strings.TrimLeftFunc(text[at:t.to], isSpace)
		if rest != "" && rest[0] != '#' {
			p.report(t.to-len(rest), templateSyntax, "Every line of a # comment starts with #")
			return
		}
	}
}

// liquid reads the tags of a liquid tag in place: what they render stands
// where it does.
func (p *parser) liquid(t token) {
	if p.liquids++; p.liquids > nestingLimit {
		p.tooDeep(t.begin, "Tags nest")
		return
	}
	p.run(&lines{parser: p, text: p.template.text, at: t.args, end: t.to})
	p.liquids--
}

// systemNode prints the instructions.
type systemNode struct {
	nodes []node
}

func (n *systemNode) render(s *state) {
	s.toInstructions()
	s.render(n.nodes)
	s.toMessage()
}

func (p *parser) systemBlock(tag *Tag, t token) {
	p.noArguments(t, problem.SystemBlock)
	switch {
	case len(p.open) > 0 || p.liquids > 0:
		p.report(t.begin, problem.SystemBlock, "The system block must stand outside every other tag")
	case p.system:
		p.report(t.begin, problem.SystemBlock, "A template has at most one system block")
	}
	p.system = true
	n := &systemNode{}
	p.push(block{tag: tag, at: t.begin, node: n}, &n.nodes)
}
