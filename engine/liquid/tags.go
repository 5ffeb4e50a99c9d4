package liquid

// This file reads tags: it opens and closes blocks, hands the rest to the file
// of the tag's family, and says what is wrong with a tag that fits nowhere.

import (
	"strings"

	"github.com/beonauto/auto/engine/problem"
)

func (p *parser) tag(t token) {
	if b := p.innermost(); b != nil {
		if len(t.name) == 3+len(b.tag.Name) && strings.HasPrefix(t.name, "end") && t.name[3:] == b.tag.Name {
			p.endTag(b, t)
			return
		}
		if taker, ok := b.node.(clauseTaker); ok && taker.clause(p, b, t) {
			return
		}
	}
	tag := findTag(t.name)
	if tag == nil || (tag.kind == systemTag && !p.options.System) {
		p.unknownTag(t)
		return
	}
	switch tag.kind {
	case assignTag:
		p.assign(t)
	case breakTag:
		p.leaves = true
		p.add(flowNode(breaking))
	case continueTag:
		p.leaves = true
		p.add(flowNode(continuing))
	case caseTag:
		p.caseBlock(tag, t)
	case commentTag:
		p.comment(t)
	case cycleTag:
		p.cycle(t)
	case incrementTag:
		p.counter(t, true)
	case decrementTag:
		p.counter(t, false)
	case echoTag:
		p.echo(t)
	case forTag:
		p.forBlock(tag, t)
	case ifTag, unlessTag:
		p.ifBlock(tag, t)
	case inlineCommentTag:
		p.inlineComment(t)
	case liquidTag:
		p.liquid(t)
	case rawTag:
		p.raw(t)
	case systemTag:
		p.systemBlock(tag, t)
	case tablerowTag:
		p.tablerowBlock(tag, t)
	}
}

// endTag closes the block that the tag ends.
func (p *parser) endTag(b *block, t token) {
	switch b.tag.kind {
	case ifTag, forTag:
		p.noArguments(t, templateSyntax)
	case systemTag:
		p.noArguments(t, problem.SystemBlock)
	}
	p.close()
}

// noArguments reports arguments of a tag that takes none.
func (p *parser) noArguments(t token, rule problem.Rule) {
	if t.args >= t.to {
		return
	}
	arguments := p.template.text[t.args:t.to]
	if mistypedEnd(arguments) != "" {
		p.syntaxFault(t.args, t.args, t.to, "")
		return
	}
	message := t.name + " takes no arguments"
	if word, _, _ := strings.Cut(arguments, " "); t.name == "else" && word == "if" {
		message = "Expected elsif, found else if"
	}
	p.report(t.args, rule, message)
}

// unknownTag says what is wrong with a tag that cannot stand where it does.
func (p *parser) unknownTag(t token) {
	if p.stray[t.name] > 0 {
		p.stray[t.name]--
		return
	}
	if ended, isEnd := strings.CutPrefix(t.name, "end"); isEnd && p.isBlock(ended) {
		p.misplacedEnd(t, ended)
		return
	}
	if reason, refused := findRefusal(RefusedTags, t.name); refused {
		p.report(t.begin, problem.UnknownTag, reason)
		p.expectStray("end" + t.name)
		return
	}
	if b := p.innermost(); b != nil && t.name == "end" {
		p.report(t.begin, problem.UnknownTag, "Expected end"+b.tag.Name+", found end")
		p.close()
		return
	}
	if known := p.blocksWith(t.name); len(known) > 0 {
		for _, name := range known {
			if p.stray["end"+name] > 0 {
				return // the clause of a block whose start was reported
			}
		}
		p.report(t.begin, templateSyntax, t.name+" must stand directly in "+problem.AnyOf(known))
		return
	}
	nearest, near := p.nearest(t.name, p.tagNames)
	if !near {
		p.report(t.begin, problem.UnknownTag, "Unknown tag "+shown(t.name))
		p.expectStray("end" + t.name)
		return
	}
	p.report(t.begin, problem.UnknownTag, "Unknown tag "+shown(t.name)+problem.DidYouMean(nearest))
	switch b := p.innermost(); {
	case b != nil && nearest == "end"+b.tag.Name:
		p.close()
	case p.isBlock(nearest):
		p.expectStray("end" + nearest)
		p.expectStray("end" + t.name)
	default:
		p.expectStray("end" + t.name)
	}
}

// misplacedEnd is an end tag that does not belong to the innermost block.
func (p *parser) misplacedEnd(t token, ended string) {
	for i := len(p.open) - 1; i >= p.base; i-- {
		if p.open[i].tag.Name != ended {
			continue
		}
		inner := p.open[len(p.open)-1]
		p.report(t.begin, templateSyntax, "Expected end"+inner.tag.Name+" before "+t.name)
		for len(p.open) > i {
			p.close()
		}
		return
	}
	p.report(t.begin, templateSyntax, "Unexpected "+t.name)
}

func (p *parser) expectStray(name string) {
	if p.stray == nil {
		p.stray = make(map[string]int)
	}
	p.stray[name]++
}

// isBlock tells whether a name is that of a block this template may use.
func (p *parser) isBlock(name string) bool {
	tag := findTag(name)
	return tag != nil && tag.Block && (tag.kind != systemTag || p.options.System)
}

// blocksWith lists the blocks that a clause such as else belongs to.
func (p *parser) blocksWith(clause string) []string {
	var blocks []string
	for i := range Tags {
		for _, name := range Tags[i].clauses {
			if name == clause {
				blocks = append(blocks, Tags[i].Name)
			}
		}
	}
	return blocks
}

// tagNames lists every word that may start a tag here.
func (p *parser) tagNames() []string {
	names := make([]string, 0, 2*len(Tags)+3)
	for i := range Tags {
		if Tags[i].kind != systemTag || p.options.System {
			names = append(names, Tags[i].Name)
		}
	}
	for i := range Tags {
		if p.isBlock(Tags[i].Name) {
			names = append(names, "end"+Tags[i].Name)
		}
	}
	return append(names, "else", "elsif", "when")
}
