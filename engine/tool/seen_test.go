package tool_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beonauto/auto/engine/definition"
	"github.com/beonauto/auto/engine/tool"
	"github.com/beonauto/auto/engine/tool/double"
	"github.com/beonauto/auto/engine/value"
)

// This file tests what a model sees, what the history keeps, and what a person
// finds.

func TestNamesForTheModel(t *testing.T) {
	t.Parallel()
	hash := func(tool string) string {
		digest := sha256.Sum256([]byte(tool))
		return hex.EncodeToString(digest[:])[:8]
	}
	long := "graph/" + strings.Repeat("find_the_nodes_", 5)
	for _, test := range []struct {
		name        string
		tools, want []string
	}{
		{"plain", []string{"graph/search", "notes/read_note"}, []string{"graph__search", "notes__read_note"}},
		{"other characters", []string{"my-notes/read.note-2"}, []string{"my_notes__read_note_2"}},
		{"a clash", []string{"a-b/c", "x/y", "a-b/d", "a-b/c.d", "a-b/c-d"},
			[]string{"a_b__c", "x__y", "a_b__d", "a_b__c_d_" + hash("a-b/c.d"), "a_b__c_d_" + hash("a-b/c-d")}},
		{"64 characters", []string{"a/" + strings.Repeat("b", 61)}, []string{"a__" + strings.Repeat("b", 61)}},
		{"longer", []string{long}, []string{("graph__" + strings.Repeat("find_the_nodes_", 5))[:55] + "_" + hash(long)}},
		{"a name that looks like a hashed one", []string{"a/b.c", "a/b-c", "a/b_c_" + hash("a/b.c")},
			[]string{"a__b_c_" + hash("a/b.c") + "_2", "a__b_c_" + hash("a/b-c"), "a__b_c_" + hash("a/b.c")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := tool.ModelNames(test.tools)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			seen := map[string]bool{}
			for _, name := range got {
				if len(name) > 64 || seen[name] {
					t.Errorf("%s is longer than 64 characters or not unique", name)
				}
				seen[name] = true
			}
		})
	}
}

// wanted reads names as a document writes them.
func wanted(names ...string) []definition.Tool {
	var all []definition.Tool
	for _, name := range names {
		server, of, _ := strings.Cut(name, "/")
		all = append(all, definition.Tool{Server: server, Name: of})
	}
	return all
}

func TestWhatIsOfferedToTheModel(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 3000)
	d := &double.Server{Pages: []string{`{"tools":[{"name":"search","description":"` + long + `","inputSchema":{"type":"object","$id":"x"}},{"name":"read.note"},{"name":"read-note"}]}`}}
	servers := reach(t, "http", d, tool.Options{})
	for _, test := range []struct {
		names []string
		want  string
	}{
		{[]string{"notes/read.note", "notes/*"}, "[notes__read_note_f80dfd5d notes__search notes__read_note_1a9daf5b]"},
		{[]string{"notes/search"}, "[notes__search]"},
		{nil, "[]"},
	} {
		offered, failure := servers.Offer(context.Background(), wanted(test.names...))
		must(t, failure)
		names := []string{}
		for _, o := range offered {
			names = append(names, o.ModelName)
		}
		got := fmt.Sprint(names)
		for _, of := range []string{"notes/read.note", "notes/read-note"} {
			digest := sha256.Sum256([]byte(of))
			test.want = strings.Replace(test.want, map[string]string{"notes/read.note": "f80dfd5d", "notes/read-note": "1a9daf5b"}[of], hex.EncodeToString(digest[:])[:8], 1)
		}
		if got != test.want {
			t.Errorf("%v offers %s, want %s", test.names, got, test.want)
		}
	}
	offered, failure := servers.Offer(context.Background(), wanted("notes/search"))
	must(t, failure)
	if cut := offered[0].ModelDescription; len(cut) > 4096 || len(cut) < 4090 || !strings.HasSuffix(cut, "é…") || offered[0].Description != long {
		t.Errorf("the description is cut to %d bytes", len(cut))
	}
	if got := value.JSON(offered[0].InputSchema); got != `{"type":"object","$id":"x"}` {
		t.Errorf("schema %s", got)
	}
	// What can be told without asking is told first.
	before := len(d.Asked())
	_, failure = servers.Offer(context.Background(), wanted("notes/gone", "graph/x"))
	wants(t, failure, tool.NotConfigured, "graph")
	if len(d.Asked()) != before {
		t.Error("a server was asked")
	}
	_, failure = servers.Offer(context.Background(), wanted("notes/gone"))
	wants(t, failure, tool.NotListed, "gone")
}

// result calls a tool that answers with what its argument spells out.
func resultOf(t *testing.T, json string, lines ...more) (*tool.Servers, *tool.Result) {
	t.Helper()
	servers := reach(t, "http", &double.Server{}, tool.Options{}, lines...)
	result, failure := servers.Call(context.Background(), call("result", "json", json))
	must(t, failure)
	return servers, result
}

const minted = "ghp_0123456789abcdefABCDEF0123456789abcd"

func TestWhatIsShownOfAResult(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, result, shown, answer string }{
		{"a text", `{"content":[{"type":"text","text":"one"}]}`, "one", `"one"`},
		{"texts", `{"content":[{"type":"text","text":"one"},{"type":"text","text":"{\"a\":1}"}]}`, "one\n{\"a\":1}", `"one"`},
		{"a text that is JSON", `{"content":[{"type":"text","text":" {\"z\":1,\"a\":2} "}]}`, ` {"z":1,"a":2} `, `{"z":1,"a":2}`},
		{"text beside structured content", `{"content":[{"type":"text","text":"one"}],"structuredContent":{"a":1}}`, "one", `{"a":1}`},
		{"structured content alone", `{"content":[],"structuredContent":{"z":1,"a":[]}}`, `{"z":1,"a":[]}`, `{"z":1,"a":[]}`},
		{"structured content and an empty text", `{"content":[{"type":"text","text":""}],"structuredContent":[1]}`, "[1]\n", `[1]`},
		{"structured content and an image", `{"content":[{"type":"image","data":"AAAA","mimeType":"image/png"}],"structuredContent":{"a":1}}`, "{\"a\":1}\n[image content is not shown, image/png, 3 bytes]", `{"a":1}`},
		{"other contents", `{"content":[{"type":"image","data":"AAAAAA==","mimeType":"image/png\nIgnore"},{"type":"audio","mimeType":"audio/wav"},{"type":"resource_link","uri":"file:///a","name":"a"},{"type":"resource","resource":{"uri":"file:///b","mimeType":"text/plain","text":"words"}},{"type":"hologram\r\nx"},{},7]}`,
			"[image content is not shown, image/png, 4 bytes]\n[audio content is not shown, audio/wav]\n[resource link content is not shown, file:///a]\n[resource content is not shown, file:///b, text/plain]\n[hologram content is not shown]\n[unknown content is not shown]\n[unknown content is not shown]", ""},
		{"nothing", `{"content":[]}`, "[The tool answered without content]", ""},
		{"no contents at all", `{}`, "[The tool answered without content]", ""},
		{"a secret", `{"content":[{"type":"text","text":"key s3cret-key-12345, token ` + minted + `"}]}`, "key [redacted], token " + minted, `"key [redacted], token ` + minted + `"`},
		{"an error", `{"isError":true,"content":[{"type":"text","text":"token ` + minted + ` was refused"}]}`, "token [redacted] was refused", `"token [redacted] was refused"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, result := resultOf(t, test.result)
			if diff := cmp.Diff(test.shown, result.Shown()); diff != "" {
				t.Error(diff)
			}
			answer, ok := result.Answer()
			if got := value.JSON(answer); ok != (test.answer != "") || ok && got != test.answer {
				t.Errorf("answers %s, want %s", got, test.answer)
			}
		})
	}
}

func TestWhatTheHistoryKeeps(t *testing.T) {
	t.Parallel()
	result := `{"content":[{"type":"text","text":"s3cret-key-12345 and ` + minted + `"}],"s3cret-key-12345":1,"_meta":{"request":{"id":"q-7"}}}`
	want := `{"content":[{"type":"text","text":"[redacted] and [redacted]"}],"[redacted]":1,"_meta":{"request":{"id":"q-7"}}}`
	servers, got := resultOf(t, result, "request_id: /_meta/request/id")
	if diff := cmp.Diff(want, value.JSON(got.Whole)); diff != "" {
		t.Error(diff)
	}
	if got.RequestID != "q-7" {
		t.Errorf("request id %q", got.RequestID)
	}
	digest := sha256.Sum256([]byte(want))
	kept := servers.Keep("notes", got.Whole)
	if kept.Bytes != len(want) || kept.Digest != hex.EncodeToString(digest[:]) || value.JSON(kept.Value) != want {
		t.Errorf("kept %d bytes, %s, %s", kept.Bytes, kept.Digest, value.JSON(kept.Value))
	}
	arguments := servers.Keep("notes", object("token", "Bearer abcdefghijklmnop12345678"))
	if got := value.JSON(arguments.Value); got != `{"token":"Bearer [redacted]"}` {
		t.Errorf("arguments are kept as %s", got)
	}
	silent, of := resultOf(t, result, "record_content: false")
	kept = silent.Keep("notes", of.Whole)
	if kept.Bytes != len(want) || kept.Digest != "" || kept.Value != nil {
		t.Errorf("kept %+v though nothing may be", kept)
	}
}

func TestTokensAndSecretsAreReplaced(t *testing.T) {
	t.Parallel()
	servers := reach(t, "http", &double.Server{}, tool.Options{})
	for text, want := range map[string]string{
		"plain words stay":                                                                      "plain words stay",
		"Authorization: Bearer s3cret-key-12345":                                                "Authorization: [redacted]",
		"s3cret-key-12345s3cret-key-12345":                                                      "[redacted][redacted]",
		"a=" + minted + ".":                                                                     "a=[redacted].",
		"(sk-proj-0123456789abcdefghij)":                                                        "([redacted])",
		"sk-learn-tutorial-part-two-of-many":                                                    "sk-learn-tutorial-part-two-of-many",
		"xoxb-123456789012-abcdefghijkl":                                                        "[redacted]",
		"id AKIAIOSFODNN7EXAMPLE12":                                                             "id [redacted]",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlMTIz":                                 "[redacted]",
		"bearer: abcdefghijklmnopqrstuvwx":                                                      "bearer: [redacted]",
		"the bearer of good news":                                                               "the bearer of good news",
		"https://x.example/a/b/c/d/e/f/0123456789":                                              "https://x.example/a/b/c/d/e/f/0123456789",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nafter":           "[redacted]\nafter",
		"-----BEGIN PRIVATE KEY-----\nMIIE":                                                     "[redacted]",
		"-----BEGIN CERTIFICATE-----\nMIIE -----BEGIN EC PRIVATE KEY-----\nx":                   "-----BEGIN CERTIFICATE-----\nMIIE [redacted]",
		"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08":               "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"018f3b1e-7c2a-7d3e-9b1a-2f4c5d6e7f80 is a run's id, and 1754472000.123456 a message's": "018f3b1e-7c2a-7d3e-9b1a-2f4c5d6e7f80 is a run's id, and 1754472000.123456 a message's",
	} {
		if got := servers.Keep("notes", text).Value; got != want {
			t.Errorf("%q is kept as %q, want %q", text, got, want)
		}
	}
}

// TestFoldersAreNoSecrets is for PATH and HOME, which a program is given by
// reference too.
func TestFoldersAreNoSecrets(t *testing.T) {
	folder := t.TempDir()
	environment["NOTES_FOLDER"] = folder
	defer delete(environment, "NOTES_FOLDER")
	servers := serversOf(t, "tool_servers:\n  - name: notes\n    command: x\n    args: [\"${NOTES_FOLDER}\"]\n    env: { PATH: \"${NOTES_FOLDER}\", KEY: \"${NOTES_KEY}\" }\n", tool.Options{})
	if got := servers.Keep("notes", folder+"/brief.md s3cret-key-12345").Value; got != folder+"/brief.md [redacted]" {
		t.Errorf("kept as %q", got)
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	servers := serversOf(t, settingsFor(t, "http", &double.Server{}, "reads: [unmarked]")+"  - name: broken\n    command: auto-no-such-program\n", tool.Options{})
	found := servers.Search(context.Background())
	if len(found) != 2 || found[0].Total != 4 || len(found[0].Tools) != 4 || found[0].Failure != nil {
		t.Fatalf("found %+v", found)
	}
	wants(t, found[1].Failure, tool.Unreachable, "was not found")
	for terms, want := range map[string]string{
		"post a message":    "[post_message]",
		"message posts":     "[post_message]",
		"TEXT":              "[echo]",
		"delete note, echo": "[delete_note echo]",
		"nothing of it":     "[]",
	} {
		found := servers.Search(context.Background(), strings.Fields(terms)...)
		names := []string{}
		for _, of := range found[0].Tools {
			names = append(names, of.Name)
		}
		if got := fmt.Sprint(names); got != want {
			t.Errorf("%q finds %s, want %s", terms, got, want)
		}
	}
}

func TestTheReadableFormOfArguments(t *testing.T) {
	t.Parallel()
	schema, err := value.ParseJSON([]byte(`{"type":"object","required":["to","filter"],"properties":{
		"to":{"type":"string","description":"Whom"},
		"level":{"enum":["low","high"],"default":"low"},
		"kind":{"const":"x"},
		"maybe":{"type":["string","null"]},
		"either":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/n"}]},
		"filter":{"$ref":"#/$defs/filter"},
		"list":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"}}}},
		"flag":true},"$defs":{"n":{"type":"number"},"filter":{"type":"object","required":["by"],"properties":{"by":{"type":"string"},"and":{"$ref":"#/$defs/filter"}}}}}`), 20)
	if err != nil {
		t.Fatal(err)
	}
	of := tool.Tool{InputSchema: schema}
	got := []string{}
	for _, a := range of.Arguments() {
		row := a.Name + " " + a.Type
		if a.Required {
			row += " required"
		}
		if a.Description != "" {
			row += " (" + a.Description + ")"
		}
		if a.Choices != nil {
			row += " of " + value.JSON(a.Choices)
		}
		if a.HasDefault {
			row += " default " + value.JSON(a.Default)
		}
		got = append(got, row)
	}
	want := []string{
		"to string required (Whom)", `level any of ["low","high"] default "low"`, `kind any of ["x"]`, "maybe string or null", "either string or number",
		"filter object required", "filter.by string required", "filter.and object", "filter.and.by string required", "filter.and.and object",
		"filter.and.and.by string required", "filter.and.and.and object", "filter.and.and.and.by string required", "filter.and.and.and.and object",
		"list array of object", "list[].id integer", "flag any",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestATrialSendsNothing(t *testing.T) {
	t.Parallel()
	d := &double.Server{}
	servers := reach(t, "http", d, tool.Options{})
	of, failure := servers.Tool(context.Background(), "notes", "echo")
	must(t, failure)
	trial := of.Try(object("text", 7.0))
	if !trial.Tool.Reads || trial.ArgumentBytes != len(`{"text":7}`) || len(trial.Issues) != 1 || trial.Issues[0].Pointer != "/text" {
		t.Errorf("%+v", trial)
	}
	if asked(d, "tools/call") != nil {
		t.Error("the tool was called")
	}
	_, failure = servers.Tool(context.Background(), "notes", "gone")
	wants(t, failure, tool.NotListed, "gone")
}

func TestToolsThatSend(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"post_message": true, "chat.postMessage": true, "send_email": true, "sendMail": true, "reply_to_thread": true, "publish": true,
		"create_message": true, "add_comment": true, "addComment": true, "write-mail": true, "comment_on_item": true,
		"list_messages": false, "thread_replies": false, "get_posts": false, "update_message": false, "delete_message": false, "pin_message": false,
		"create_ticket": false, "sender_info": false, "postpone": false, "search_comments": false, "email_list": false,
	} {
		of := tool.Tool{Name: name}
		if of.Sends() != want {
			t.Errorf("%s sends: %v, want %v", name, !want, want)
		}
	}
	for _, of := range []tool.Tool{{Name: "post_message", Reads: true}, {Name: "post_message", Deletes: true}, {Name: "post_message", WithoutBody: true}} {
		if of.Sends() {
			t.Errorf("%+v cannot send a request", of)
		}
	}
}

// TestWhatAServerListsHoldsNoSecret is for a server that repeats the headers or the
// environment it was given in what it says of its tools.
func TestWhatAServerListsHoldsNoSecret(t *testing.T) {
	t.Parallel()
	key := environment["NOTES_KEY"]
	page := `{"tools":[
		{"name":"find","description":"Finds notes with ` + key + `","inputSchema":{"type":"object","description":"Sent with Bearer ` + key + `","properties":{"` + key + `":{"enum":["` + key + `","sk-an-example-0123456789"]}}}},
		{"name":"find_` + key + `","inputSchema":{"type":"object"}}]}`
	for _, way := range ways {
		servers := reach(t, way, &double.Server{Pages: []string{page}}, tool.Options{})
		found := servers.Search(t.Context())
		if len(found[0].Tools) != 1 || found[0].Total != 1 {
			t.Fatalf("%s: listed %v", way, found)
		}
		offered, failure := servers.Offer(t.Context(), []definition.Tool{{Server: "notes", Name: "find"}})
		must(t, failure)
		for _, of := range []string{found[0].Tools[0].Description, value.JSON(found[0].Tools[0].InputSchema), offered[0].ModelDescription, value.JSON(offered[0].InputSchema)} {
			if strings.Contains(of, key) || !strings.Contains(of, tool.Redacted) {
				t.Errorf("%s: a secret is in %s", way, of)
			}
		}
		if schema := value.JSON(found[0].Tools[0].InputSchema); !strings.Contains(schema, "sk-an-example-0123456789") {
			t.Errorf("%s: an example was replaced in %s", way, schema)
		}
	}
}
