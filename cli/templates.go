package cli

// This file holds the documents that auto init and auto new write.

import "strings"

const settingsTemplate = `# The settings of this playbook. This file marks its folder as one.
# Write a secret only as ${NAME}: it is read from the environment.
`

const gitignoreTemplate = `# The record of runs that auto keeps beside auto.yaml
.auto/
`

const firstReasoning = `---
description: Reviews a text and says what to change
model: anthropic/claude-sonnet-4-5
config:
  max_output_tokens: 800
input:
  schema:
    type: object
    properties:
      text: { type: string, description: The text to review }
      audience: { type: string, description: Who will read it }
    required: [text]
    additionalProperties: false
  default:
    audience: someone new to the subject
---

{% system %}
You review texts. Name what is unclear and what is missing, most important first.
Do not invent facts, and do not rewrite the text.
{% endsystem %}

Review this text. It is for {{ input.audience }}.

{{ input.text }}
`

const firstInteraction = `---
description: Asks for a decision on a reviewed text
to: '{{ input.reviewer }}'
expires: P2D
deliver: agent
input:
  schema:
    type: object
    properties:
      reviewer: { type: string, description: The address of the person who decides }
      review: { type: string, description: The review they decide on }
    required: [reviewer, review]
    additionalProperties: false
output:
  schema:
    type: object
    properties:
      verdict: { type: string, enum: [approve, revise] }
      note: { type: string, maxLength: 2000 }
    required: [verdict]
    additionalProperties: false
---

The review of your text is ready:

{{ input.review }}

Approve it, or ask for a revision with a note of what to change.
`

const newReasoning = `---
description: Says in one sentence what NAME is for
model: anthropic/claude-sonnet-4-5
input:
  schema:
    type: object
    properties:
      text: { type: string }
    required: [text]
    additionalProperties: false
---

{% system %}
Say who the model is here, what it must do and what it must never do.
{% endsystem %}

{{ input.text }}
`

const newInteraction = `---
description: Says in one sentence what NAME asks, and of whom
to: '{{ input.person }}'
expires: P2D
deliver: agent
input:
  schema:
    type: object
    properties:
      person: { type: string }
      question: { type: string }
    required: [person, question]
    additionalProperties: false
output:
  schema:
    type: object
    properties:
      answer: { type: string }
    required: [answer]
    additionalProperties: false
---

{{ input.question }}
`

const newLookup = `---
description: Says in one sentence what NAME reads, and where
call:
  server: notes
  tool: read_note
  with:
    title: '{{ input.title }}'
input:
  schema:
    type: object
    properties:
      title: { type: string }
    required: [title]
    additionalProperties: false
output:
  schema:
    type: object
    properties:
      title: { type: string }
      text: { type: string }
    required: [text]
---
`

// newTemplates gives the document that auto new starts a type with.
var newTemplates = []struct{ typeName, source string }{
	{"reasoning", newReasoning},
	{"interaction", newInteraction},
	{"lookup", newLookup},
}

// newDocument gives a first document of a type, and false for a type that
// auto new does not know.
func newDocument(typeName, name string) (string, bool) {
	for _, template := range newTemplates {
		if template.typeName == typeName {
			return strings.ReplaceAll(template.source, "NAME", name), true
		}
	}
	return "", false
}

func newTypes() []string {
	names := make([]string, len(newTemplates))
	for i, template := range newTemplates {
		names[i] = template.typeName
	}
	return names
}
