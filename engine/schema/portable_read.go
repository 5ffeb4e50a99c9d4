package schema

// This file reads an answer in the portable form back into one of the schema
// as written, and writes one the other way.

import (
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// Read turns an answer in the portable form into one of the schema as written.
// It changes only what the form changed: an answer that does not keep to the
// form is left as it is, for the check against the schema to refuse. The issues
// are those of the form alone, such as a key of a map given twice, at pointers
// in the schema as written. Whoever calls Read checks what it gives.
func (p *Portable) Read(answer value.Value) (value.Value, []problem.Issue) {
	r := &reading{work: work{left: maxSteps}}
	if p.wrapped {
		object, ok := answer.(*value.Object)
		within, has := object.Get(wrapperKey)
		if !ok || !has || object.Len() != 1 {
			return answer, nil
		}
		answer = within
	}
	return r.read(p.root, answer), r.issues
}

// Place gives the pointer in an answer, as the model wrote it, of a pointer in
// the answer that Read gave.
func (p *Portable) Place(answer value.Value, pointer string) string {
	tokens, err := value.Tokens(pointer)
	if err != nil {
		return pointer
	}
	r := &reading{work: work{left: maxSteps}}
	place, f := "", p.root
	if p.wrapped {
		object, _ := answer.(*value.Object)
		within, has := object.Get(wrapperKey)
		if !has || object.Len() != 1 {
			return pointer
		}
		answer, place = within, value.Join("", wrapperKey)
	}
	for _, token := range tokens {
		f = r.settle(f, answer)
		entry := -1
		list, isList := answer.([]value.Value)
		if f != nil && f.kind == mapForm && isList {
			entry = lastEntry(list, token)
		}
		switch {
		case entry >= 0:
			place = value.Join(value.JoinIndex(place, entry), entryValue)
			answer, _ = list[entry].(*value.Object).Get(entryValue)
		case isList:
			place = value.Join(place, token)
			answer, _ = value.Lookup(list, value.Join("", token))
		default:
			place = value.Join(place, token)
			object, _ := answer.(*value.Object)
			answer, _ = object.Get(token)
		}
		f = f.at(token)
	}
	return place
}

// reading is one answer being read.
type reading struct {
	work   work
	issues []problem.Issue
}

func (r *reading) issue(message string) {
	r.issues = append(r.issues, problem.Issue{Pointer: r.work.pointer(), Detail: message})
}

// at gives the form of a property, an entry or an item.
func (f *form) at(token string) *form {
	if f == nil {
		return nil
	}
	switch f.kind {
	case objectForm:
		for _, property := range f.properties {
			if property.name == token {
				return property.is
			}
		}
	case listForm, mapForm:
		return f.items
	}
	return nil
}

// settle follows references and chooses among choices, until the form is one
// that says what the answer holds. It is nil when no choice takes the answer.
func (r *reading) settle(f *form, answer value.Value) *form {
	for f != nil {
		switch f.kind {
		case referenceForm:
			f = f.to
		case choiceForm:
			f = r.choose(f, answer)
		default:
			return f
		}
	}
	return nil
}

// written are the types of values that a form is written as.
func (f *form) written() types {
	if f.kind == mapForm {
		return typeArray
	}
	return f.of
}

// choose gives the first choice that an answer fits once it is read, if need be
// alone, or else the one that has the least to say against it.
func (r *reading) choose(f *form, answer value.Value) *form {
	var fitting, best *form
	fewest := 0
	for _, choice := range f.choices {
		settled := choice
		for settled.kind == referenceForm {
			settled = settled.to
		}
		if settled.kind != choiceForm && settled.written()&typeOf(answer) == 0 {
			continue
		}
		trial := &reading{work: work{left: r.work.left}}
		v := trial.read(choice, answer)
		r.work.left = trial.work.left
		found := &findings{once: true}
		if r.work.check(choice.is, v, found, false) && choice.takes(v) && len(trial.issues) == 0 {
			if r.work.check(f.is, v, nil, false) {
				return choice
			}
			if fitting == nil {
				fitting = choice
			}
		}
		if misses := len(found.issues) + len(trial.issues); best == nil || misses < fewest {
			best, fewest = choice, misses
		}
		if r.work.over {
			break
		}
	}
	if fitting != nil {
		return fitting
	}
	return best
}

// takes tells whether a value is of the types that the form is for. A choice
// that was made of one type among several is a form of the whole schema.
func (f *form) takes(v value.Value) bool { return f.of&typeOf(v) != 0 }

func (r *reading) read(f *form, answer value.Value) value.Value {
	if f = r.settle(f, answer); f == nil || !r.work.spend(1) {
		return answer
	}
	switch answer := answer.(type) {
	case *value.Object:
		if f.kind == objectForm {
			return r.object(f, answer)
		}
		if f.kind == mapForm {
			return r.plainMap(f, answer)
		}
	case []value.Value:
		if f.kind == listForm {
			items := make([]value.Value, len(answer))
			for i, item := range answer {
				r.work.item(i)
				items[i] = r.read(f.items, item)
				r.work.back()
			}
			return items
		}
		if f.kind == mapForm {
			return r.entries(f, answer)
		}
	}
	return answer
}

// object leaves out the properties that were written as null.
func (r *reading) object(f *form, object *value.Object) value.Value {
	forms := make(map[string]*formProperty, len(f.properties))
	for i := range f.properties {
		forms[f.properties[i].name] = &f.properties[i]
	}
	read := value.NewObject(object.Len())
	for i := range object.Len() {
		key, v := object.At(i)
		property := forms[key]
		switch {
		case property == nil:
			read.Set(key, v)
		case v == nil && property.writesNull():
		default:
			r.work.into(key)
			read.Set(key, r.read(property.is, v))
			r.work.back()
		}
	}
	return read
}

// plainMap reads a map that was written as one.
func (r *reading) plainMap(f *form, object *value.Object) value.Value {
	keys, values := make([]string, object.Len()), make([]value.Value, object.Len())
	for i := range object.Len() {
		key, v := object.At(i)
		r.work.into(key)
		keys[i], values[i] = key, r.read(f.items, v)
		r.work.back()
	}
	return value.Build(keys, values)
}

// entries reads a map that was written as a list of entries.
func (r *reading) entries(f *form, list []value.Value) value.Value {
	keys, values := make([]string, 0, len(list)), make([]value.Value, 0, len(list))
	seen := make(map[string]bool, len(list))
	for _, item := range list {
		entry, _ := item.(*value.Object)
		named, _ := entry.Get(entryKey)
		key, isText := named.(string)
		v, has := entry.Get(entryValue)
		if !isText || !has {
			r.issue("Expected a list of entries, each with a key and a value")
			return list
		}
		r.work.into(key)
		if seen[key] {
			r.issue("Listed twice")
		}
		seen[key] = true
		keys, values = append(keys, key), append(values, r.read(f.items, v))
		r.work.back()
	}
	return value.Build(keys, values)
}

// lastEntry finds the entry of a key; of two, the second, which is the one too
// many.
func lastEntry(list []value.Value, key string) int {
	for i := len(list) - 1; i >= 0; i-- {
		entry, _ := list[i].(*value.Object)
		if named, _ := entry.Get(entryKey); named == value.Value(key) {
			return i
		}
	}
	return -1
}

// Write gives an answer of the schema as written in the portable form, as a
// model would write it. What the form cannot say, such as a property that the
// schema allows without naming it, is left out.
func (p *Portable) Write(answer value.Value) value.Value {
	r := &reading{work: work{left: maxSteps}}
	written := r.write(p.root, answer)
	if p.wrapped {
		return value.Build([]string{wrapperKey}, []value.Value{written})
	}
	return written
}

func (r *reading) write(f *form, answer value.Value) value.Value {
	for f.kind == referenceForm || f.kind == choiceForm {
		if f.kind == referenceForm {
			f = f.to
			continue
		}
		var fitting *form
		for _, choice := range f.choices {
			if choice.takes(answer) && r.work.check(choice.is, answer, nil, false) {
				fitting = choice
				break
			}
		}
		if fitting == nil {
			return answer
		}
		f = fitting
	}
	object, _ := answer.(*value.Object)
	list, _ := answer.([]value.Value)
	switch {
	case f.kind == objectForm && object != nil:
		written := value.NewObject(len(f.properties))
		for _, property := range f.properties {
			if v, has := object.Get(property.name); has {
				written.Set(property.name, r.write(property.is, v))
			} else if property.optional {
				written.Set(property.name, nil)
			}
		}
		return written
	case f.kind == mapForm && object != nil:
		entries := make([]value.Value, object.Len())
		for i := range object.Len() {
			key, v := object.At(i)
			entries[i] = value.Build([]string{entryKey, entryValue}, []value.Value{key, r.write(f.items, v)})
		}
		return entries
	case f.kind == listForm && list != nil:
		items := make([]value.Value, len(list))
		for i, item := range list {
			items[i] = r.write(f.items, item)
		}
		return items
	}
	return answer
}
