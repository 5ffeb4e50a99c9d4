package openapi_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/beonauto/auto/engine/tool/openapi"
	"github.com/beonauto/auto/engine/value"
)

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "fixtures", "tool", "openapi", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func document(t testing.TB, name string) *openapi.Document {
	t.Helper()
	d, err := openapi.Read(fixture(t, name), []string{"x-api-key"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func operation(t testing.TB, d *openapi.Document, name string) *openapi.Operation {
	t.Helper()
	at := slices.IndexFunc(d.Operations, func(o *openapi.Operation) bool { return o.Name == name })
	if at < 0 {
		t.Fatalf("there is no operation %s", name)
	}
	return d.Operations[at]
}

func TestOneToolAnOperation(t *testing.T) {
	t.Parallel()
	got := []string{}
	for _, name := range []string{"tickets.yaml", "contacts.json"} {
		for _, o := range document(t, name).Operations {
			got = append(got, fmt.Sprintf("%s %s %s reads=%v nobody=%v", o.Name, o.Method, o.Path, o.Reads, o.NoBody))
		}
	}
	// attachFile takes only a multipart body, which no arguments make.
	want := []string{
		"listTickets GET /tickets reads=true nobody=false",
		"create_ticket POST /tickets reads=false nobody=false",
		"getTicket GET /tickets/{id} reads=true nobody=false",
		"head_tickets_id HEAD /tickets/{id} reads=true nobody=true",
		"deleteTicket DELETE /tickets/{id} reads=false nobody=true",
		"addComment POST /tickets/{id}/comments reads=false nobody=true",
		"putNote PUT /notes/{path} reads=false nobody=true",
		"post_contacts_search POST /contacts/search reads=false nobody=false",
		"lists.addMember PUT /lists/{list}/members/{member} reads=false nobody=true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTheSchemaOfTheArguments(t *testing.T) {
	t.Parallel()
	tickets, contacts := document(t, "tickets.yaml"), document(t, "contacts.json")
	for _, test := range []struct {
		operation *openapi.Operation
		want      string
	}{
		{operation(t, tickets, "listTickets"), `{"type":"object","properties":{` +
			`"X-Trace":{"type":"string"},` +
			`"status":{"type":"array","items":{"type":"string","enum":["open","held","closed"]}},` +
			`"tags":{"type":"array","items":{"type":"string"}},` +
			`"filter":{"type":"object","properties":{"owner":{"type":"string"},"before":{"type":"string","format":"date"}}},` +
			`"limit":{"type":"integer","maximum":100,"default":20,"exclusiveMinimum":0,"description":"The most tickets of a page"},` +
			`"after":{"type":["string","null"]}},"additionalProperties":false}`},
		// The operation's own parameter stands for the path's, and the second id is told
		// apart.
		{operation(t, tickets, "getTicket"), `{"type":"object","properties":{` +
			`"id":{"type":"string","examples":["T-14"],"description":"The ticket's number"},` +
			`"query_id":{"type":"string","description":"Of the reader"}},"required":["id"],"additionalProperties":false}`},
		{operation(t, tickets, "create_ticket"), `{"type":"object","properties":{"X-Trace":{"type":"string"},"body":{"$ref":"#/$defs/Draft"}},"required":["body"],"additionalProperties":false,"$defs":{` +
			`"Draft":{"type":"object","required":["title"],"properties":{"title":{"type":"string","maxLength":200},"priority":{"type":["string","null"],"enum":["low","high",null]},"parent":{"$ref":"#/$defs/Ticket"}}},` +
			`"Ticket":{"allOf":[{"$ref":"#/$defs/Draft"},{"type":"object","properties":{"children":{"type":"array","items":{"$ref":"#/$defs/Ticket"}},"elsewhere":{}}}]}}}`},
		// The keys that the settings send are no arguments.
		{operation(t, tickets, "addComment"), `{"type":"object","properties":{"id":{"type":"string"},"X-Notify":{"type":"boolean"},` +
			`"body":{"type":"object","properties":{"text":{"type":"string"},"mention":{"type":"array","items":{"type":"string"}}}}},"required":["id"],"additionalProperties":false}`},
		{operation(t, tickets, "putNote"), `{"type":"object","properties":{"path":{"type":"string"},"body":{"type":"string","description":"The words"}},"required":["path","body"],"additionalProperties":false}`},
		// Version 3.1 is JSON Schema already: what stands beside a reference counts.
		{operation(t, contacts, "post_contacts_search"), `{"type":"object","properties":{"body":{"$ref":"#/$defs/Query","description":"What to find"}},"required":["body"],"additionalProperties":false,"$defs":{` +
			`"Query":{"type":"object","properties":{"text":{"type":["string","null"],"examples":["ada"]},"any":{"type":"array","items":{"$ref":"#/$defs/Query"}}},"example":{"text":"kept"}}}}`},
	} {
		if diff := cmp.Diff(test.want, value.JSON(test.operation.Arguments)); diff != "" {
			t.Errorf("%s: %s", test.operation.Name, diff)
		}
	}
}

func TestRequests(t *testing.T) {
	t.Parallel()
	tickets, contacts := document(t, "tickets.yaml"), document(t, "contacts.json")
	for _, test := range []struct {
		document  *openapi.Document
		operation string
		arguments string
		want      string // method, address, headers beside Accept, body; or the words of the refusal
	}{
		{tickets, "listTickets", `{}`, "GET https://api.example/v2/tickets"},
		{tickets, "listTickets", `{"status":["open","held"],"tags":["a b","c,d"],"filter":{"owner":"ada & co","before":"2026-01-01"},"limit":5,"after":null,"X-Trace":"t1"}`,
			"GET https://api.example/v2/tickets?status=open&status=held&tags=a%20b,c%2Cd&filter%5Bowner%5D=ada%20%26%20co&filter%5Bbefore%5D=2026-01-01&limit=5 X-Trace=t1"},
		{tickets, "getTicket", `{"id":"a/b?c#d é","query_id":"me"}`, "GET https://api.example/v2/tickets/a%2Fb%3Fc%23d%20%C3%A9?id=me"},
		{tickets, "getTicket", `{"id":"%2e%2e"}`, "GET https://api.example/v2/tickets/%252e%252e"},
		{tickets, "getTicket", `{"id":".."}`, "Expected the argument id to be neither empty, . nor .., since it is part of the path"},
		{tickets, "getTicket", `{"id":""}`, "Expected the argument id to be neither empty, . nor .., since it is part of the path"},
		{tickets, "getTicket", `{}`, "Expected the argument id"},
		{tickets, "getTicket", `{"id":"1","ident":2}`, "Unknown argument ident"},
		{tickets, "getTicket", `{"id":["a",{"b":1}]}`, "Expected no list or object inside the argument id"},
		{tickets, "create_ticket", `{"body":{"title":"Ü","zebra":1,"a":9007199254740993}}`, `POST https://api.example/v2/tickets Content-Type=application/json {"title":"Ü","zebra":1,"a":9007199254740993}`},
		{tickets, "create_ticket", `{}`, "Expected the argument body"},
		{tickets, "addComment", `{"id":"1","X-Notify":true,"body":{"text":"a=b&c d","mention":["x","y"]}}`,
			"POST https://api.example/v2/tickets/1/comments Content-Type=application/x-www-form-urlencoded X-Notify=true text=a%3Db%26c%20d&mention=x&mention=y"},
		{tickets, "addComment", `{"id":"1"}`, "POST https://api.example/v2/tickets/1/comments"},
		{tickets, "addComment", `{"id":"1","body":[]}`, "Expected the argument body to be an object"},
		{tickets, "listTickets", `{"X-Trace":"a\r\nX-Evil: 1"}`, "Expected no control character in the argument X-Trace"},
		{tickets, "putNote", `{"path":"a","body":"words"}`, "PUT https://api.example/v2/notes/a Content-Type=text/plain words"},
		{tickets, "putNote", `{"path":"a","body":1}`, "Expected the argument body to be text"},
		{contacts, "lists.addMember", `{"list":12,"member":"x","options":{"b":1,"a":[2]},"ids":["1","2 3"],"next":"/a?b=c&d"}`,
			"PUT https://api.example/v2/lists/12/members/x?options=%7B%22b%22%3A1%2C%22a%22%3A%5B2%5D%7D&ids=1%7C2%203&next=/a?b%3Dc%26d"},
		{contacts, "post_contacts_search", `{"body":{}}`, "POST https://api.example/v2/contacts/search Content-Type=application/vnd.contacts+json {}"},
	} {
		arguments, err := value.ParseJSON([]byte(test.arguments), 10)
		if err != nil {
			t.Fatal(err)
		}
		request, err := operation(t, test.document, test.operation).Request("https://api.example/v2", arguments.(*value.Object))
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = request.Method + " " + request.URL
			names := []string{}
			for name := range request.Header {
				if name != "Accept" {
					names = append(names, name+"="+request.Header.Get(name))
				}
			}
			slices.Sort(names)
			got = strings.Join(append([]string{got}, names...), " ")
			if request.Body != nil {
				got += " " + string(request.Body)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s %s: %s", test.operation, test.arguments, diff)
		}
	}
}

func TestStylesOfThePath(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ style, argument, want string }{
		{`"style":"simple"`, `["a","b/c"]`, "a,b%2Fc"},
		{`"style":"simple"`, `{"a":1,"b":"x"}`, "a,1,b,x"},
		{`"style":"simple","explode":true`, `{"a":1,"b":"x"}`, "a=1,b=x"},
		{`"style":"label"`, `["a","b"]`, ".a,b"},
		{`"style":"label","explode":true`, `["a","b"]`, ".a.b"},
		{`"style":"matrix"`, `"x y"`, ";id=x%20y"},
		{`"style":"matrix"`, `["a","b"]`, ";id=a,b"},
		{`"style":"matrix","explode":true`, `["a","b"]`, ";id=a;id=b"},
	} {
		d, err := openapi.Read([]byte(`{"openapi":"3.1.0","paths":{"/x/{id}":{"get":{"parameters":[{"name":"id","in":"path",`+test.style+`}]}}}}`), nil)
		if err != nil {
			t.Fatal(err)
		}
		v, _ := value.ParseJSON([]byte(test.argument), 5)
		request, err := d.Operations[0].Request("https://x.example", value.Build([]string{"id"}, []value.Value{v}))
		if err != nil {
			t.Fatal(err)
		}
		if want := "https://x.example/x/" + test.want; request.URL != want {
			t.Errorf("%s %s: %s, want %s", test.style, test.argument, request.URL, want)
		}
	}
}

func TestTheAddressOfTheAPI(t *testing.T) {
	t.Parallel()
	tickets, contacts := document(t, "tickets.yaml"), document(t, "contacts.json")
	for _, test := range []struct {
		document           *openapi.Document
		operator, readFrom string
		want               string
	}{
		{tickets, "", "", "https://eu.tickets.example/api/v2"},
		{tickets, "https://own.example/v9/", "", "https://own.example/v9"},
		{contacts, "", "https://docs.example/contacts/openapi.json", "https://docs.example"},
		{contacts, "", "", "The OpenAPI document names no address of its API, so base_url must"},
		{contacts, "ftp://x", "", "The OpenAPI document names no address of its API, so base_url must"},
	} {
		got, err := test.document.Base(test.document.Operations[0], test.operator, test.readFrom)
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%q from %q: %s, want %s", test.operator, test.readFrom, got, test.want)
		}
	}
}

func TestDocumentsThatAreNone(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, want string }{
		"empty":       {"", "The OpenAPI document is not one of version 3"},
		"text":        {"hello", "The OpenAPI document is not one of version 3"},
		"HTML":        {"<html>: x: y", "The OpenAPI document is neither JSON nor YAML"},
		"version 2":   {`{"swagger":"2.0","paths":{}}`, "The OpenAPI document is not one of version 3"},
		"half a JSON": {`{"openapi":"3.0.0"`, "The OpenAPI document is neither JSON nor YAML"},
		"a YAML bomb": {"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f,*f]\n", "The OpenAPI document is neither JSON nor YAML"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := openapi.Read([]byte(test.text), nil)
			if err == nil || err.Error() != test.want {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
}

// TestHostileDocumentsCostLittle reads documents that are made to be slow or to
// take much memory. No clock judges them, since a machine may be busy: one that is
// not bounded takes minutes.
func TestHostileDocumentsCostLittle(t *testing.T) {
	paths := func(count int, operation string) string {
		var all strings.Builder
		for i := range count {
			fmt.Fprintf(&all, `%s"/p%d":{"get":%s}`, map[bool]string{true: ","}[i > 0], i, operation)
		}
		return all.String()
	}
	chain := func(length int) string {
		var all strings.Builder
		for i := range length {
			fmt.Fprintf(&all, `%s"S%d":{"$ref":"#/components/schemas/S%d"}`, map[bool]string{true: ","}[i > 0], i, i+1)
		}
		return all.String()
	}
	withSchema := `{"parameters":[{"name":"a","in":"query","schema":{"$ref":"#/components/schemas/S0"}}],"responses":{}}`
	for name, text := range map[string]string{
		"many operations":        `{"openapi":"3.1.0","paths":{` + paths(5000, `{}`) + `}}`,
		"many long chains":       `{"openapi":"3.1.0","paths":{` + paths(1500, withSchema) + `},"components":{"schemas":{` + chain(3000) + `}}}`,
		"a long chain":           `{"openapi":"3.1.0","paths":{` + paths(1, withSchema) + `},"components":{"schemas":{` + chain(20_000) + `}}}`,
		"references in a circle": `{"openapi":"3.1.0","paths":{"/a":{"$ref":"#/paths/~1b"},"/b":{"$ref":"#/paths/~1a"},"/c":{"get":{"parameters":[{"$ref":"#/paths/~1a"}],"requestBody":{"$ref":"#/nowhere"}}}}}`,
		"deep":                   `{"openapi":"3.1.0","x":` + strings.Repeat("[", 100_000),
		"deep YAML":              "openapi: 3.1.0\nx: " + strings.Repeat("[", 60_000),
		"everything wrong":       `{"openapi":"3.0.0","servers":{},"paths":{"/a":[],"b":{},"/c":{"get":[],"post":{"parameters":{"x":1},"responses":[],"requestBody":{"content":[]}},"put":{"parameters":[1,{},{"name":"a","in":"path"},{"name":"a","in":"query","schema":[]}],"operationId":7,"description":{}}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			d, _ := openapi.Read([]byte(text), nil)
			runtime.ReadMemStats(&after)
			if grown := (after.TotalAlloc - before.TotalAlloc) >> 20; grown > 600 {
				t.Errorf("it allocated %d MiB", grown)
			}
			if d == nil {
				return
			}
			for _, o := range d.Operations {
				if _, err := o.Request("https://x.example", &value.Object{}); err != nil && err.Error() == "" {
					t.Error("a refusal without words")
				}
			}
		})
	}
}

// TestAgainstAnotherReader compares operations and parameters with those that
// kin-openapi reads.
func TestAgainstAnotherReader(t *testing.T) {
	t.Parallel()
	// The other document refers to a file that is not there, which kin-openapi
	// refuses as a whole.
	for _, name := range []string{"contacts.json"} {
		theirs, err := openapi3.NewLoader().LoadFromData(fixture(t, name))
		if err != nil {
			t.Fatal(err)
		}
		ours := document(t, name)
		count := 0
		for path, item := range theirs.Paths.Map() {
			for method, of := range item.Operations() {
				count++
				at := slices.IndexFunc(ours.Operations, func(o *openapi.Operation) bool { return o.Path == path && o.Method == method })
				if at < 0 {
					t.Errorf("%s %s is missing", method, path)
					continue
				}
				o := ours.Operations[at]
				properties, _ := o.Arguments.Get("properties")
				has := properties.(*value.Object)
				for _, p := range of.Parameters {
					if !has.Has(p.Value.Name) {
						t.Errorf("%s lacks the parameter %s", o.Name, p.Value.Name)
					}
				}
				if (of.RequestBody != nil) != has.Has("body") {
					t.Errorf("%s: the body differs", o.Name)
				}
			}
		}
		if count != len(ours.Operations) {
			t.Errorf("%d operations, want %d", len(ours.Operations), count)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(fixture(f, "tickets.yaml"))
	f.Add(fixture(f, "contacts.json"))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := openapi.Read(text, nil)
		if err != nil {
			return
		}
		for _, o := range d.Operations {
			_ = value.JSON(o.Arguments)
			_, _ = o.Request("https://x.example", &value.Object{})
		}
	})
}
