package openapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beonauto/auto/engine/tool/openapi"
)

// partly is a document whose operations cannot all be called: each lacks what a
// request of it would have to hold.
const partly = `
openapi: 3.1.0
info: { title: Portal, version: '1' }
paths:
  /orders:
    get:
      operationId: listOrders
      description: Lists orders
      parameters:
        - { name: session, in: cookie, required: true, schema: { type: string } }
    post:
      operationId: createOrder
      requestBody: { $ref: 'bodies.yaml#/Order' }
    patch:
      operationId: changeOrders
      parameters: [{ $ref: 'https://api.example/common.json#/components/parameters/Page' }]
    put:
      operationId: putOrders
      parameters: [{ $ref: '#/components/parameters/Gone' }]
    delete:
      operationId: deleteOrders
      parameters: [{ $ref: '#/components/parameters/Round' }]
  /orders/{id}/lines/{line}:
    get:
      operationId: getLine
      parameters: [{ name: line, in: path, required: true }]
    put:
      parameters: [{ name: id, in: path }, { name: line, in: path }, { in: query }]
    post:
      operationId: "add\tline"
      parameters: [{ name: id, in: path }, { name: line, in: path }, { name: lot, in: formData }]
  /files:
    post:
      operationId: upload
      requestBody: { required: true, content: { multipart/form-data: {}, application/octet-stream: {} } }
    put:
      operationId: replace
      requestBody: { required: true }
  /elsewhere: { $ref: 'paths.yaml#/elsewhere' }
  /fine:
    get:
      operationId: fine
      description: Reads what is fine
      parameters:
        - { name: track, in: cookie, schema: { type: string } }
        - { name: shape, in: query, schema: { $ref: 'shapes.yaml#/Shape' } }
      responses: { '200': { $ref: 'responses.yaml#/Fine' } }
    post:
      operationId: alsoFine
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Fine' } } } }
      responses: { '204': { description: Done } }
components:
  parameters:
    Round: { $ref: '#/components/parameters/Round' }
  schemas:
    Fine: { type: object, properties: { a: { $ref: 'a.yaml' }, b: { $ref: 'b.yaml' }, c: { items: { $ref: '#/nowhere' } }, d: { $ref: 'd.yaml' }, e: { $ref: 'a.yaml' }, f: { $ref: '#/components/schemas/Fine' } } }
`

func TestOperationsThatAreNoTools(t *testing.T) {
	t.Parallel()
	d, err := openapi.Read([]byte(partly), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range d.LeftOut {
		got = append(got, o.Name+" | "+o.String()+": "+o.Why)
	}
	want := []string{
		"listOrders | listOrders (GET /orders): its operation requires the cookie session, and only the server's headers setting sends cookies",
		"createOrder | createOrder (POST /orders): its operation takes a body that refers to bodies.yaml#/Order, out of the document",
		"putOrders | putOrders (PUT /orders): its operation takes a parameter that refers to #/components/parameters/Gone, which the document does not have",
		"changeOrders | changeOrders (PATCH /orders): its operation takes a parameter that refers to https://api.example/common.json#/components/parameters/Page, out of the document",
		"deleteOrders | deleteOrders (DELETE /orders): its operation takes a parameter that refers to itself",
		"getLine | getLine (GET /orders/{id}/lines/{line}): its operation names no parameter for {id} of its path",
		"add_line | add_line (POST /orders/{id}/lines/{line}): its operation has the parameter lot in a place that version 3 does not have",
		"put_orders_id_lines_line | put_orders_id_lines_line (PUT /orders/{id}/lines/{line}): its operation has a parameter without a name",
		"upload | upload (POST /files): its operation requires a body of multipart/form-data or application/octet-stream, which is not sent",
		"replace | replace (PUT /files): its operation requires a body whose kind the document does not say",
		"_elsewhere | /elsewhere: its path refers to paths.yaml#/elsewhere, out of the document",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var tools []string
	for _, o := range d.Operations {
		tools = append(tools, fmt.Sprintf("%s nobody=%v %s", o.Name, o.NoBody, strings.ReplaceAll(o.Description, "\n", "|")))
	}
	wantTools := []string{
		"fine nobody=false Reads what is fine||What some arguments take is not known: it is described in shapes.yaml#/Shape, which is not read",
		"alsoFine nobody=true What some arguments take is not known: it is described in a.yaml, b.yaml, #/nowhere and 1 more, which is not read",
	}
	if diff := cmp.Diff(wantTools, tools); diff != "" {
		t.Error(diff)
	}
}

// TestASettingSendsTheCookie reads the same document for a server whose settings
// send cookies.
func TestASettingSendsTheCookie(t *testing.T) {
	t.Parallel()
	d, err := openapi.Read([]byte(partly), []string{"Cookie"})
	if err != nil {
		t.Fatal(err)
	}
	o := operation(t, d, "listOrders")
	if properties, _ := o.Arguments.Get("properties"); o.Description != "Lists orders" || strings.Contains(fmt.Sprint(properties), "session") {
		t.Errorf("%s takes %v", o.Description, properties)
	}
}

func TestManyOperationsThatAreNoTools(t *testing.T) {
	t.Parallel()
	var paths strings.Builder
	for i := range 3 * openapi.MaxOperations {
		fmt.Fprintf(&paths, "  /p%d: { get: { parameters: [{ name: s, in: cookie, required: true }] } }\n", i)
	}
	d, err := openapi.Read([]byte("openapi: 3.1.0\npaths:\n"+paths.String()), nil)
	if err != nil || len(d.LeftOut) != openapi.MaxOperations || len(d.Operations) > 0 {
		t.Errorf("%v", err)
	}
}
