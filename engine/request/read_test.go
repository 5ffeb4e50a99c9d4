package request

// This file tests what is read of a conversation, as chats list it.

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/beonauto/auto/engine/definition"
)

func thread(order string) *definition.ReadReplies {
	return &definition.ReadReplies{List: "/messages", Order: order, Each: definition.EachReply{ID: "/ts", Sender: "/user", Text: "/text", To: "/thread_ts"}}
}

func TestMessagesOfAConversation(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		order, answer, want string
	}{
		"oldest first": {"oldest_first", `{"messages":[{"ts":"1.1","user":"U1","text":"a"},{"ts":"1.2","user":"U2","text":"b","thread_ts":"1.1"}]}`,
			"1.1 U1 a ; 1.2 U2 b 1.1; since 1.2"},
		"newest first": {"newest_first", `{"messages":[{"ts":"1.2","user":"U2","text":"b","thread_ts":"1.1"},{"ts":"1.1","user":"U1","text":"a"}]}`,
			"1.1 U1 a ; 1.2 U2 b 1.1; since 1.2"},
		"numbers that a float would change": {"oldest_first", `{"messages":[{"ts":9007199254740993,"user":42,"text":"a","thread_ts":9007199254740995}]}`,
			"9007199254740993 42 a 9007199254740995; since 9007199254740993"},
		"nothing to read":            {"oldest_first", `{"messages":[{"ts":"1","user":"U","text":null},{"ts":"2","user":"U"}]}`, "1 U  ; 2 U  ; since 2"},
		"in no thread":               {"oldest_first", `{"messages":[{"ts":"1","user":"U","text":"a","thread_ts":null}]}`, "1 U a ; since 1"},
		"in a thread of no name":     {"oldest_first", `{"messages":[{"ts":"1","user":"U","text":"a","thread_ts":""}]}`, "1 U a ; since 1"},
		"a thread that is no id":     {"oldest_first", `{"messages":[{"ts":"1","user":"U","text":"a","thread_ts":{}}]}`, "1  a ; since 1"},
		"without a usable id":        {"oldest_first", `{"messages":[{"ts":1.5,"user":"U","text":"a"},{"user":"U"},{"ts":"","user":"U"},{"ts":"a\nb","user":"U"},{"ts":true,"user":"U"},"x"]}`, "since "},
		"the newest has no sender":   {"oldest_first", `{"messages":[{"ts":"1","user":"U","text":"a"},{"ts":"2","text":"joined"}]}`, "1 U a ; 2  joined ; since 2"},
		"an id of 256 bytes and 257": {"oldest_first", fmt.Sprintf(`{"messages":[{"ts":"%s","user":"U","text":"a"},{"ts":"%s","user":"U"}]}`, strings.Repeat("x", 256), strings.Repeat("y", 257)), strings.Repeat("x", 256) + " U a ; since " + strings.Repeat("x", 256)},
		"none":                       {"oldest_first", `{"messages":[]}`, "since "},
	} {
		messages, since, err := Messages(thread(c.order), parsed(t, c.answer))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		got := ""
		for _, m := range messages {
			got += strings.Join([]string{m.ID, m.Sender, m.Text, m.To}, " ") + "; "
		}
		newest := ""
		if since != nil {
			newest, _ = Identity(since)
		}
		if got += "since " + newest; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestReadsThatFail(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]error{
		`{"ok":false}`:    ErrNoList,
		`{"messages":{}}`: ErrNoList,
		`"a text"`:        ErrNoList,
		`null`:            ErrNoList,
		`{"messages":[],"rest":"` + strings.Repeat("x", 64<<10-25) + `"}`: nil,
		`{"messages":[],"rest":"` + strings.Repeat("x", 64<<10-24) + `"}`: ErrReadTooLarge,
	} {
		if _, _, err := Messages(thread("oldest_first"), parsed(t, answer)); !errors.Is(err, want) {
			t.Errorf("%.40s gives %v, want %v", answer, err, want)
		}
	}
}

func TestWhichRequestAMessageAnswers(t *testing.T) {
	t.Parallel()
	first, second, other := Asked{"r-1", "1.1", "U-priya", ""}, Asked{"r-2", "1.2", "U-priya", ""}, Asked{"r-3", "1.3", "U-omar", ""}
	isOwn := func(id string) bool { return id == "0.9" }
	for name, c := range map[string]struct {
		message Message
		open    []Asked
		want    string
		several bool
	}{
		"in the thread":             {Message{ID: "2", Sender: "U-priya", To: "1.2"}, []Asked{first, second}, "r-2", false},
		"in another thread":         {Message{ID: "2", Sender: "U-priya", To: "0.5"}, []Asked{first}, "", false},
		"outside threads":           {Message{ID: "2", Sender: "U-priya"}, []Asked{first}, "r-1", false},
		"outside, several open":     {Message{ID: "2", Sender: "U-priya"}, []Asked{first, second}, "r-1", true},
		"outside, another's":        {Message{ID: "2", Sender: "U-omar"}, []Asked{first, other}, "r-3", true},
		"of somebody else":          {Message{ID: "2", Sender: "U-eve", To: "1.1"}, []Asked{first}, "", false},
		"of somebody else, several": {Message{ID: "2", Sender: "U-eve"}, []Asked{first, second}, "", false},
		"in a thread, not answerer": {Message{ID: "2", Sender: "U-omar", To: "1.1"}, []Asked{first, other}, "", false},
		"the request itself":        {Message{ID: "1.1", Sender: "U-priya"}, []Asked{first}, "", false},
		"the start of its thread":   {Message{ID: "1.1", Sender: "U-priya", To: "1.1"}, []Asked{first}, "", false},
		"a telling of the playbook": {Message{ID: "0.9", Sender: "U-priya", To: "1.1"}, []Asked{first}, "", false},
		"of nobody":                 {Message{ID: "2"}, []Asked{{"r-1", "1.1", "", ""}}, "", false},
		"when no request is open":   {Message{ID: "2", Sender: "U-priya"}, nil, "", false},
		"named in another case":     {Message{ID: "2", Sender: "u-priya"}, []Asked{first}, "", false},
	} {
		answers, several := Match(&c.message, c.open, isOwn)
		got := ""
		if answers != nil {
			got = answers.RunID
		}
		if got != c.want || several != c.several {
			t.Errorf("%s: answers %q, several %v", name, got, several)
		}
	}
}
