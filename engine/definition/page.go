package definition

// This file reads page, which presents a function's runs.

import (
	"github.com/beonauto/auto/engine/liquid"
	"github.com/beonauto/auto/engine/schema"
)

// Page presents the runs of a function (interaction format, "Its page").
type Page struct {
	Data   *PageData
	Result *Template // reads output and run
	Runs   *Template // reads views
}

// PageData is the fold that makes a page's views from events.
type PageData struct {
	Language string
	Events   []PageEvent
	Views    []View
	Module   string // TypeScript
}

// PageEvent is a kind of event the fold reads.
type PageEvent struct {
	Type    string
	Subject string
}

// View is a view the fold makes: its name and the output shape it has.
type View struct {
	Name  string
	Shape string
}

var eventFields = []field[PageEvent]{
	{name: "type", required: true, takes: "The type of an event, such as run_succeeded", read: func(r *reader, at place, into *PageEvent) {
		into.Type, _ = r.textOf(at, 1, 1000)
	}},
	{name: "subject", takes: "What the event is about, such as interaction/approve-campaign-brief", read: func(r *reader, at place, into *PageEvent) {
		into.Subject, _ = r.textOf(at, 1, 1000)
	}},
}

var sourceFields = []field[PageData]{
	{name: "events", required: true, takes: "A list of the events the fold reads", within: describe(eventFields), read: func(r *reader, at place, into *PageData) {
		for _, item := range r.list(at) {
			event := PageEvent{}
			read(r, item, eventFields, &event)
			into.Events = append(into.Events, event)
		}
	}},
}

var dataFields = []field[PageData]{
	{name: "language", required: true, takes: "typescript", read: func(r *reader, at place, into *PageData) {
		into.Language, _ = r.word(at, []string{"typescript"})
	}},
	{name: "source", required: true, takes: "Where the data comes from", within: describe(sourceFields), read: func(r *reader, at place, into *PageData) {
		read(r, at, sourceFields, into)
	}},
	{name: "views", required: true, takes: "The views the fold makes, each with its shape", read: func(r *reader, at place, into *PageData) {
		if !r.mapping(at) {
			return
		}
		for i, key := range at.node.Keys {
			shape, _ := r.word(place{node: at.node.Items[i], pointer: join(at.pointer, key.Name), key: key}, schema.OutputShapeNames())
			into.Views = append(into.Views, View{Name: key.Name, Shape: shape})
		}
	}},
	{name: "module", required: true, takes: "The fold, a TypeScript module", read: func(r *reader, at place, into *PageData) {
		into.Module, _ = r.text(at)
	}},
}

var pageFields = []field[Page]{
	{name: "data", takes: "The fold that makes the views", within: describe(dataFields), read: func(r *reader, at place, into *Page) {
		into.Data = &PageData{}
		read(r, at, dataFields, into.Data)
	}},
	{name: "result", takes: "A template that heads each run; it reads output and run", read: func(*reader, place, *Page) {}},
	{name: "runs", takes: "A template over all runs; it reads views", read: func(*reader, place, *Page) {}},
}

// readPage reads the page's data first, since its templates are checked
// against the views.
func readPage(r *reader, at place, into *Interaction) {
	into.Page = &Page{}
	if !read(r, at, pageFields, into.Page) {
		return
	}
	if result, has := at.child("result"); has {
		into.Page.Result = r.pageTemplate(result, scope{"output": outputShape(into), "run": nil})
	}
	runs, has := at.child("runs")
	if !has {
		return
	}
	if into.Page.Data == nil {
		r.missing(at, "data", "Missing key: runs reads the views of data")
		return
	}
	into.Page.Runs = r.pageTemplate(runs, scope{"views": into.Page.Data.viewsShape()})
}

// outputShape is the shape of a run's output, the answer.
func outputShape(function *Interaction) liquid.Shape {
	switch {
	case function.SignIn != nil:
		return closed{"signed_in": nil}
	case function.Answer != nil:
		return shapeOf(function.Answer)
	}
	return nil
}

// viewsShape is the shape of the views: an object of exactly the named ones.
func (d *PageData) viewsShape() liquid.Shape {
	views := make(closed, len(d.Views))
	for _, view := range d.Views {
		views[view.Name] = nil
		if shape, ok := schema.NamedOutputShape(view.Shape); ok {
			views[view.Name] = shapeOf(shape.Schema())
		}
	}
	return views
}
