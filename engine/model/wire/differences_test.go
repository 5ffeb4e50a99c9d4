package wire

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// This file is the table of every deliberate difference from the reference
// requests. fixtures/wire/DIFFERENCES.md shows the same table to a reader.

type difference struct {
	name, why string
	// apply turns a reference request into the one that is sent.
	apply func(c *recordedCase, request *sentRequest, warnings *[]string)
	// read turns what the reference reads from an answer into what is read.
	read func(c *recordedCase, answer *readAnswer)
}

// readAnswer is what is compared of an answer.
type readAnswer struct {
	Text       string         `json:"text"`
	Reason     string         `json:"finish_reason"`
	RawReason  string         `json:"raw_finish_reason"`
	ResponseID string         `json:"response_id"`
	Usage      Usage          `json:"usage"`
	Calls      []comparedCall `json:"tool_calls"`
}

type comparedCall struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Input any    `json:"input"`
}

// dig walks into nested members and gives the last one, or nil.
func dig(body map[string]any, path ...string) map[string]any {
	for _, key := range path {
		body, _ = body[key].(map[string]any)
	}
	return body
}

func drop(body map[string]any, path ...string) {
	last := len(path) - 1
	if within := dig(body, path[:last]...); within != nil {
		delete(within, path[last])
		if len(within) == 0 && last > 0 {
			drop(body, path[:last]...)
		}
	}
}

func forget(warnings *[]string, settings ...string) {
	*warnings = slices.DeleteFunc(*warnings, func(warned string) bool { return slices.Contains(settings, warned) })
}

func note(warnings *[]string, setting string) {
	*warnings = append(*warnings, setting)
	slices.Sort(*warnings)
	*warnings = slices.Compact(*warnings)
}

var differences = []difference{
	{
		name: "nothing is stored",
		why:  "`store: false` goes with every Responses call, so that no prompt stays on the operator's account.",
		apply: func(c *recordedCase, request *sentRequest, _ *[]string) {
			if c.Route == OpenAI || c.Route == Azure {
				request.Body["store"] = false
			}
		},
	},
	{
		name: "encrypted reasoning for tools",
		why:  "A reasoning model that calls tools loses its thoughts between steps when nothing is stored. It is asked for them in encrypted form, which only it reads; a call without tools is not.",
		apply: func(c *recordedCase, request *sentRequest, _ *[]string) {
			if (c.Route == OpenAI || c.Route == Azure) && gptOf(c.Model).reasons && c.Tools != nil {
				request.Body["include"] = []any{"reasoning.encrypted_content"}
			}
		},
	},
	{
		name: "no summary of reasoning",
		why:  "The reference asks for a detailed summary of OpenAI's reasoning and a summary of Claude's adaptive thinking. The runtime reads neither.",
		apply: func(c *recordedCase, request *sentRequest, _ *[]string) {
			drop(request.Body, "reasoning", "summary")
			if thinking := dig(request.Body, "thinking"); thinking != nil && !strings.Contains(string(c.ProviderOptions), "display") {
				delete(thinking, "display")
			}
		},
	},
	{
		name: "no beta for tools",
		why:  "The reference names the beta structured-outputs-2025-11-13 with every tool. Tools are not sent strict, so the call needs none.",
		apply: func(c *recordedCase, request *sentRequest, _ *[]string) {
			delete(request.Headers, "anthropic-beta")
			delete(request.Body, "anthropic_beta")
		},
	},
	{
		name: "no field paths on Bedrock",
		why:  "The reference asks Converse to repeat the stop sequence that ended an answer. A run does not record it.",
		apply: func(c *recordedCase, request *sentRequest, _ *[]string) {
			delete(request.Body, "additionalModelResponseFieldPaths")
		},
	},
	{
		name: "no empty system list",
		why:  "The reference sends Converse an empty `system` with a call that has no instructions.",
		apply: func(c *recordedCase, request *sentRequest, _ *[]string) {
			if system, ok := request.Body["system"].([]any); ok && len(system) == 0 {
				delete(request.Body, "system")
			}
		},
	},
	{
		name: "tool errors are marked",
		why:  "A tool's error reaches the model as one. The reference sends it through Chat Completions, Converse and Azure as if the tool had answered.",
		apply: func(c *recordedCase, request *sentRequest, _ *[]string) {
			for _, message := range c.Messages {
				for _, result := range message.Results {
					if result.Error {
						markErrors(c, request.Body, result.ID)
					}
				}
			}
		},
	},
	{
		name: "reasoning that is not sent is warned of",
		why:  "The reference drops `reasoning` for an OpenAI model that is not known to reason, and for a Google model whose options set the thinking, without a word.",
		apply: func(c *recordedCase, request *sentRequest, warnings *[]string) {
			asked := strings.Contains(string(c.Config), "reasoning")
			openAI := (c.Route == OpenAI || c.Route == Azure) && !gptOf(c.Model).reasons
			google := (c.Route == Google || c.Route == Vertex) && (strings.Contains(string(c.ProviderOptions), "thinkingBudget") || strings.Contains(string(c.ProviderOptions), "thinkingLevel"))
			if asked && (openAI || google) {
				note(warnings, "reasoning")
			}
		},
	},
	{
		name: "one effort for Azure",
		why:  "The reference's Azure provider holds an older release of its OpenAI code, which sends GPT-5 efforts it refuses. Azure gets what OpenAI gets.",
		apply: func(c *recordedCase, request *sentRequest, warnings *[]string) {
			reasoning := dig(request.Body, "reasoning")
			if c.Route == Azure && c.Model == "gpt-5" && reasoning != nil {
				if nearest, ok := map[any]string{"none": "minimal", "xhigh": "high"}[reasoning["effort"]]; ok {
					reasoning["effort"] = nearest
					note(warnings, "reasoning")
				}
			}
		},
	},
	{
		name: "no warning of what a definition did not set",
		why:  "The reference warns of its own choices: how it asks for JSON, and what stands in for a signature that no provider gave. A run's warnings are about what its definition asks for.",
		apply: func(c *recordedCase, _ *sentRequest, warnings *[]string) {
			forget(warnings, "providerOptions.anthropic.structuredOutputMode")
			*warnings = slices.DeleteFunc(*warnings, func(warned string) bool { return strings.HasPrefix(warned, "Replayed ") })
		},
	},
	{
		name: "JSON on Bedrock by a tool",
		why:  "For some new Claude models on Converse the reference writes the schema into the instructions. The pages know two ways there: the native one, and the `json` tool, which is offered without force where the model refuses force.",
		apply: func(c *recordedCase, request *sentRequest, warnings *[]string) {
			system, _ := request.Body["system"].([]any)
			if c.Route != Bedrock || len(system) == 0 || !strings.HasPrefix(system[0].(map[string]any)["text"].(string), "JSON schema:") {
				return
			}
			delete(request.Body, "system")
			tools, _ := dig(request.Body, "toolConfig")["tools"].([]any)
			var schema any
			_ = json.Unmarshal(c.Schema, &schema)
			tools = append(tools, map[string]any{"toolSpec": map[string]any{
				"name": "json", "description": "Respond with a JSON object.", "inputSchema": map[string]any{"json": schema},
			}})
			choice := "any"
			if claudeOf(c.Model).noForcedTools {
				choice = "auto"
				note(warnings, "output")
			}
			request.Body["toolConfig"] = map[string]any{"tools": tools, "toolChoice": map[string]any{choice: map[string]any{}}}
		},
	},
	{
		name: "a refusal is no text",
		why:  "The reference gives a model's refusal as the text of its answer. A refusal ends the run, so it is kept apart.",
		read: func(c *recordedCase, answer *readAnswer) {
			if strings.Contains(string(c.Reply.Body), `"refusal":"`) {
				answer.Text = ""
			}
		},
	},
	{
		name: "a full context window is a length",
		why:  "The reference reads `model_context_window_exceeded` as a length from Anthropic and as another reason from Bedrock. It is a length on both.",
		read: func(c *recordedCase, answer *readAnswer) {
			if answer.RawReason == "model_context_window_exceeded" {
				answer.Reason = "length"
			}
		},
	},
}

// markErrors marks the result of a failed call where the reference does not.
func markErrors(c *recordedCase, body map[string]any, id string) {
	input, _ := body["input"].([]any)
	for _, each := range input {
		item := each.(map[string]any)
		if output, _ := item["output"].(string); item["call_id"] == id && output != "" && !strings.HasPrefix(output, `{"error":`) {
			item["output"] = `{"error":` + quoted(output) + `}`
		}
	}
	messages, _ := body["messages"].([]any)
	for _, each := range messages {
		message := each.(map[string]any)
		if c.Route == Gateway && message["tool_call_id"] == id {
			message["content"] = `{"error":` + quoted(message["content"].(string)) + `}`
		}
		blocks, _ := message["content"].([]any)
		for _, block := range blocks {
			result := dig(block.(map[string]any), "toolResult")
			if result != nil && strings.HasPrefix(id, result["toolUseId"].(string)) && (strings.Contains(c.Model, "anthropic") || strings.Contains(c.Model, "nova")) {
				result["status"] = "error"
			}
		}
	}
}

func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

var update = flag.Bool("update", false, "write the goldens anew")

const differencesHead = `# Where requests differ from the reference

Each row is one deliberate difference between what is sent, or read, and the recorded reference of this folder. The test of the
wire formats applies the rows to the reference and allows nothing else; a row that changes no case fails it.

| Difference | Why |
| --- | --- |
`

// TestDifferencesAreDocumented keeps the page and the table the same.
func TestDifferencesAreDocumented(t *testing.T) {
	t.Parallel()
	path := filepath.Join(fixtures, "DIFFERENCES.md")
	if *update {
		page := differencesHead
		for _, difference := range differences {
			page += "| " + difference.name + " | " + difference.why + " |\n"
		}
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, line := range strings.Split(string(page), "\n") {
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| Difference") && !strings.HasPrefix(line, "| ---") {
			rows = append(rows, line)
		}
	}
	var want []string
	for _, difference := range differences {
		want = append(want, "| "+difference.name+" | "+difference.why+" |")
	}
	if !slices.Equal(rows, want) {
		t.Errorf("DIFFERENCES.md lists\n%s\nand the table\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"))
	}
}
