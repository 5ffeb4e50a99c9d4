package wire

import (
	"net/http"
	"strconv"

	"github.com/beonauto/auto/engine/value"
)

// This file is the way in: one function writes a call in its route's format,
// the other reads what came back.

// anthropicVersion is the version of the Messages API that every route to it
// names in its own way.
const anthropicVersion = "2023-06-01"

// Build writes a call as the request of its route. It gives a *Refused for a
// call that has no form there.
func Build(endpoint *Endpoint, call *Call) (*Request, error) {
	draft := &drafting{endpoint: endpoint, call: call, settings: call.Settings}
	request := &Request{Method: http.MethodPost, URL: endpoint.address(call.Model)}
	var body *value.Object
	switch endpoint.Route {
	case OpenAI, Azure:
		body = draft.responses()
	case Anthropic, BedrockAnthropic, VertexAnthropic:
		body, request.AnswerTool = draft.messages()
	case Google, Vertex:
		body, request.AnswerTool = draft.gemini()
	case Bedrock:
		body, request.AnswerTool = draft.converse()
	case Gateway:
		body = draft.chat()
	default:
		return nil, &Refused{"there is no route " + string(endpoint.Route)}
	}
	request.Headers = append(request.Headers, Header{"Content-Type", "application/json"})
	if endpoint.Route == Anthropic {
		request.Headers = append(request.Headers, Header{"anthropic-version", anthropicVersion})
	}
	request.Headers = append(request.Headers, endpoint.Headers...)
	request.Body = value.AppendJSON(nil, body)
	request.Warnings = draft.warnings
	return request, nil
}

// answerDepth is how deeply a response may nest: an answer's 128 levels, which
// stand as values inside a tool call, and what the provider puts around them.
const answerDepth = 160

// Read reads the body of a 2xx response to a request. It gives an *Unreadable
// for a body that holds no answer, and an *ErrorReply for one that holds the
// provider's error in its place.
func Read(endpoint *Endpoint, request *Request, header http.Header, body []byte) (*Answer, error) {
	parsed, err := value.ParseJSON(body, answerDepth)
	if err != nil {
		return nil, &Unreadable{"it is not JSON"}
	}
	root, ok := parsed.(*value.Object)
	if !ok {
		return nil, &Unreadable{"it is not a JSON object"}
	}
	if reply := errorWithin(root); reply != nil {
		return nil, reply
	}
	switch endpoint.Route {
	case OpenAI, Azure:
		return readResponses(root)
	case Anthropic, BedrockAnthropic, VertexAnthropic:
		return readMessages(root, request.AnswerTool)
	case Google, Vertex:
		return readGemini(root, request.AnswerTool)
	case Bedrock:
		return readConverse(root, header, request.AnswerTool)
	}
	return readChat(root)
}

// object makes an object of keys and values in turn. A value of absent leaves
// its key out.
func object(members ...any) *value.Object {
	made := value.NewObject(len(members) / 2)
	for i := 0; i < len(members); i += 2 {
		set(made, members[i].(string), members[i+1])
	}
	return made
}

// absent stands for a member that is not sent.
type absent struct{}

func set(to *value.Object, key string, v any) {
	if _, none := v.(absent); !none {
		to.Set(key, v)
	}
}

// list makes a list of values.
func list(items ...value.Value) []value.Value { return items }

// when gives v, or absent.
func when(present bool, v any) any {
	if present {
		return v
	}
	return absent{}
}

func number(n *float64) any {
	if n == nil {
		return absent{}
	}
	return *n
}

func whole(n *int64) any {
	if n == nil {
		return absent{}
	}
	if *n > 1<<53 {
		return value.Exact(strconv.FormatInt(*n, 10))
	}
	return float64(*n)
}

func textList(texts []string) any {
	if texts == nil {
		return absent{}
	}
	items := make([]value.Value, len(texts))
	for i, text := range texts {
		items[i] = text
	}
	return items
}
