package engine

// This file reads the playbook's history.

import "github.com/beonauto/auto/engine/value"

// ShownEvent is the most bytes as JSON of one value that a list of the history
// shows (reasoning format, "The run's history").
const ShownEvent = 2 << 10

// EventByID gives one event of the history, whole, or ErrNoRun.
func (r *Runtime) EventByID(id uint64) (*Event, error) { return r.store.Event(id) }

// EventInList is an event as a list of the history shows it: its data is as
// DataInList gives it.
func EventInList(event *Event) *value.Object {
	o := event.Value()
	if event.Data != nil {
		o.Set("data", DataInList(event.Data))
	}
	return o
}

// DataInList is an event's data as a list of the history shows it: in the place of
// each value that is larger than ShownEvent stands its size.
func DataInList(data *value.Object) *value.Object {
	short := value.NewObject(data.Len())
	for i := range data.Len() {
		key, v := data.At(i)
		if value.JSONSize(v, ShownEvent) <= ShownEvent {
			short.Set(key, v)
		} else if size := key + "_bytes"; !data.Has(size) {
			short.Set(size, float64(len(value.AppendJSON(nil, v))))
		}
	}
	return short
}
