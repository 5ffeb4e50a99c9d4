package openapi

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/beonauto/auto/engine/value"
)

// This file makes the operations: names, descriptions, and the arguments from
// parameters and body.

// Operation is one operation of an API, as a tool.
type Operation struct {
	Name        string
	Description string
	Method      string // such as GET
	Path        string // with its parameters in braces
	// Arguments is the schema of the tool's arguments.
	Arguments *value.Object
	// Reads says that the method only reads: GET or HEAD.
	Reads bool
	// NoBody says that every answer the document gives for a success has no body.
	NoBody bool

	server     string // the address this operation has of its own
	parameters []parameter
	body       *body
}

// parameter is where an argument goes in the request.
type parameter struct {
	argument string // the argument's name
	name     string // the name in the request
	in       string // path, query or header
	style    string
	explode  bool
	reserved bool // whether a query keeps reserved characters
	asJSON   bool // whether its content is JSON
	required bool
	schema   value.Value
	says     string
}

// body is the argument named body.
type body struct {
	argument  string
	mediaType string
	form      bool // application/x-www-form-urlencoded
	text      bool
	required  bool
	schema    value.Value
	says      string
}

// The methods of a path that are tools, in the order they are listed in.
var methods = []string{"get", "head", "post", "put", "patch", "delete"}

func (d *Document) read(headers []string) error {
	withheld := map[string]bool{"accept": true, "content-type": true, "authorization": true}
	for _, name := range headers {
		withheld[strings.ToLower(name)] = true
	}
	taken := map[string]bool{}
	paths := objectOf(member(d.root, "paths"))
	for i := range paths.Len() {
		path, v := paths.At(i)
		if !strings.HasPrefix(path, "/") {
			continue
		}
		item, unread := d.follow(v)
		if unread != "" {
			d.leaveOut(LeftOut{Name: toolName(path), Path: path, Why: "its path " + unread})
			continue
		}
		for _, method := range methods {
			from := objectOf(member(item, method))
			if from == nil {
				continue
			}
			if len(d.Operations) == MaxOperations {
				return fmt.Errorf("The OpenAPI document has more than %d operations", MaxOperations)
			}
			o, why := d.operation(path, method, item, from, withheld)
			if d.schemas.left == 0 {
				return errors.New("The OpenAPI document has schemas that refer to too many others")
			}
			if why != "" {
				d.leaveOut(LeftOut{Name: nameOf(path, method, from), Method: strings.ToUpper(method), Path: path, Why: "its operation " + why})
				continue
			}
			o.Name = unique(nameOf(path, method, from), taken)
			d.Operations = append(d.Operations, o)
		}
	}
	return nil
}

// nameOf is the operation's own id in the form that a tool's name has, or a name
// made of its method and path.
func nameOf(path, method string, from *value.Object) string {
	name := textOf(member(from, "operationId"))
	if name == "" {
		name = method + path
	}
	name = strings.Trim(toolName(name), "_")
	return name[:min(len(name), 120)]
}

// toolName keeps the characters that a tool's name may have. The braces of a
// path fall away, and every other character becomes an underscore.
func toolName(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '_' || c == '-' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			return c
		case c == '{' || c == '}':
			return -1
		}
		return '_'
	}, text)
}

func unique(name string, taken map[string]bool) string {
	if name == "" {
		name = "operation"
	}
	whole := name
	for i := 2; taken[whole]; i++ {
		whole = name + "_" + strconv.Itoa(i)
	}
	taken[whole] = true
	return whole
}

// operation reads one operation, or says why no request of it can be made: what
// would be sent without a part that it requires is another request.
func (d *Document) operation(path, method string, item, from *value.Object, withheld map[string]bool) (o *Operation, why string) {
	o = &Operation{Method: strings.ToUpper(method), Path: path, Description: describe(from)}
	o.Reads = o.Method == http.MethodGet || o.Method == http.MethodHead
	o.NoBody = d.withoutBody(objectOf(member(from, "responses")))
	if o.server = address(member(from, "servers")); o.server == "" {
		o.server = address(member(item, "servers"))
	}
	c := d.schemas.converter()
	if why := d.addParameters(o, c, item, from, withheld); why != "" {
		return nil, why
	}
	if missing := o.unnamed(); missing != "" {
		return nil, "names no parameter for " + missing + " of its path"
	}
	if given, ok := from.Get("requestBody"); ok {
		body, unread := d.follow(given)
		if unread != "" {
			return nil, "takes a body that " + unread
		}
		o.body = d.body(c, body)
		if o.body == nil && isTrue(member(body, "required")) {
			return nil, unsendable(body)
		}
	}
	o.nameArguments()
	o.Arguments = d.arguments(o, c)
	o.Description = strings.TrimSpace(o.Description + unreadSchemas(c.unread))
	return o, ""
}

// unnamed gives the first part of the path, in its braces, that no parameter is
// for.
func (o *Operation) unnamed() string {
	path := o.Path
	for _, p := range o.parameters {
		if p.in == "path" {
			path = strings.ReplaceAll(path, "{"+p.name+"}", "")
		}
	}
	start := strings.IndexByte(path, '{')
	if start < 0 {
		return ""
	}
	end := strings.IndexByte(path[start:], '}')
	if end < 0 {
		return ""
	}
	return path[start : start+end+1]
}

func describe(from *value.Object) string {
	summary := strings.TrimSpace(textOf(member(from, "summary")))
	long := strings.TrimSpace(textOf(member(from, "description")))
	switch {
	case summary == "" || strings.HasPrefix(long, summary):
		return long
	case long == "":
		return summary
	}
	return summary + "\n\n" + long
}

// withoutBody tells whether the document gives answers for a success, and none
// of them has a body.
func (d *Document) withoutBody(responses *value.Object) bool {
	successes, other := 0, false
	for i := range responses.Len() {
		status, v := responses.At(i)
		response, unread := d.follow(v)
		has := unread != "" || objectOf(member(response, "content")).Len() > 0
		if strings.HasPrefix(status, "2") {
			successes++
			if has {
				return false
			}
		}
		if status == "default" {
			other = has
		}
	}
	return successes > 0 || responses.Has("default") && !other
}

// addParameters reads the parameters, or says what keeps one of them from being
// sent.
func (d *Document) addParameters(o *Operation, c *converter, item, from *value.Object, withheld map[string]bool) (why string) {
	place := map[string]int{}
	for _, v := range append(append([]value.Value{}, listOf(member(item, "parameters"))...), listOf(member(from, "parameters"))...) {
		given, unread := d.follow(v)
		if unread != "" {
			return "takes a parameter that " + unread
		}
		p, why := d.parameter(c, given, withheld)
		if why != "" {
			return why
		}
		if p.in == "" {
			continue
		}
		key := p.in + " " + p.name
		if at, again := place[key]; again {
			o.parameters[at] = p // the operation's own stands for the path's
			continue
		}
		place[key] = len(o.parameters)
		o.parameters = append(o.parameters, p)
	}
	return ""
}

// parameter reads a parameter, or says why it cannot be sent. One that is no
// argument has no place: the settings send it, or nobody needs it.
func (d *Document) parameter(c *converter, from *value.Object, withheld map[string]bool) (p parameter, why string) {
	p = parameter{
		name: textOf(member(from, "name")), in: textOf(member(from, "in")), style: textOf(member(from, "style")),
		required: isTrue(member(from, "required")), reserved: isTrue(member(from, "allowReserved")),
		says: textOf(member(from, "description")),
	}
	switch {
	case p.name == "":
		return p, "has a parameter without a name"
	case p.in == "cookie" && p.required && !withheld["cookie"]:
		return p, "requires the cookie " + shown(p.name) + ", and only the server's headers setting sends cookies"
	case p.in == "cookie", p.in == "header" && withheld[strings.ToLower(p.name)]:
		return parameter{}, ""
	case p.in != "path" && p.in != "query" && p.in != "header":
		return p, "has the parameter " + shown(p.name) + " in a place that version 3 does not have"
	}
	if p.style == "" {
		p.style = map[string]string{"path": "simple", "query": "form", "header": "simple"}[p.in]
	}
	p.explode = p.style == "form" || p.style == "deepObject"
	if given, ok := member(from, "explode").(bool); ok {
		p.explode = given
	}
	p.required = p.required || p.in == "path"
	schema, has := from.Get("schema")
	if !has {
		content := objectOf(member(from, "content"))
		if content.Len() > 0 {
			_, media := content.At(0)
			schema, p.asJSON = member(media, "schema"), true
		}
	}
	p.schema = c.schema(schema)
	return p, ""
}

// body reads the body of an operation: JSON before a form before text.
func (d *Document) body(c *converter, from *value.Object) *body {
	content := objectOf(member(from, "content"))
	best, rank := -1, 4
	for i := range content.Len() {
		name, _ := content.At(i)
		if r := bodyRank(name); r < rank {
			best, rank = i, r
		}
	}
	if best < 0 {
		return nil
	}
	name, media := content.At(best)
	b := &body{mediaType: name, form: rank == 2, text: rank == 3,
		required: isTrue(member(from, "required")), says: textOf(member(from, "description"))}
	if strings.Contains(name, "*") {
		b.mediaType = "application/json"
	}
	schema, has := objectOf(media).Get("schema")
	switch {
	case has:
		b.schema = c.schema(schema)
	case b.text:
		b.schema = value.Build([]string{"type"}, []value.Value{"string"})
	default:
		b.schema = &value.Object{}
	}
	return b
}

func bodyRank(mediaType string) int {
	kind, _, _ := strings.Cut(mediaType, ";")
	switch kind = strings.ToLower(strings.TrimSpace(kind)); {
	case kind == "application/json":
		return 0
	case strings.HasSuffix(kind, "+json") || kind == "*/*" || kind == "application/*":
		return 1
	case kind == "application/x-www-form-urlencoded":
		return 2
	case strings.HasPrefix(kind, "text/"):
		return 3
	}
	return 4
}

// nameArguments gives each argument its name: that of the parameter, with its
// place before it where another argument has the name.
func (o *Operation) nameArguments() {
	taken := map[string]bool{}
	for i := range o.parameters {
		p := &o.parameters[i]
		p.argument = p.name
		if taken[p.argument] {
			p.argument = p.in + "_" + p.name
		}
		p.argument = unique(p.argument, taken)
	}
	if o.body != nil {
		o.body.argument = unique("body", taken)
	}
}

// arguments makes the schema of the tool's arguments.
func (d *Document) arguments(o *Operation, c *converter) *value.Object {
	properties := &value.Object{}
	required := []value.Value{}
	add := func(name string, schema value.Value, says string, must bool) {
		properties.Set(name, withDescription(schema, says))
		if must {
			required = append(required, name)
		}
	}
	for _, p := range o.parameters {
		add(p.argument, p.schema, p.says, p.required)
	}
	if o.body != nil {
		add(o.body.argument, o.body.schema, o.body.says, o.body.required)
	}
	all := value.Build([]string{"type", "properties"}, []value.Value{"object", properties})
	if len(required) > 0 {
		all.Set("required", required)
	}
	all.Set("additionalProperties", false)
	if len(c.refers) > 0 {
		all.Set("$defs", c.definitions())
	}
	return all
}

// withDescription adds a description to a schema that has none.
func withDescription(schema value.Value, says string) value.Value {
	o, ok := schema.(*value.Object)
	if !ok || says == "" || o.Has("description") {
		return schema
	}
	own := value.NewObject(o.Len() + 1)
	for i := range o.Len() {
		key, v := o.At(i)
		own.Set(key, v)
	}
	own.Set("description", says)
	return own
}
