package store

// This file holds what a run is in the store, whole and as a list shows it.

import (
	"encoding/binary"
	"strings"
	"time"

	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/value"
)

// MaxInput is the most bytes an input may take as JSON (reasoning format, "How a
// run works").
const MaxInput = 256 << 10

// Status is how a run stands.
type Status string

// The statuses. A started run is being worked on, waits for its party, or was
// cut off.
const (
	Started   Status = "started"
	Succeeded Status = "succeeded"
	Rejected  Status = "rejected"
	Failed    Status = "failed"
)

// statusBytes are the statuses in an index record. The numbers are part of the
// format.
var statusBytes = map[Status]byte{Started: 1, Succeeded: 2, Rejected: 3, Failed: 4}

func statusOf(b byte) (Status, bool) {
	for status, number := range statusBytes {
		if number == b {
			return status, true
		}
	}
	return "", false
}

// Summary is what a list shows of a run.
type Summary struct {
	ID      string
	Type    string // the definition's type, such as reasoning
	Name    string // the definition's name
	Version int    // of the definition, from 1
	Status  Status
	Started time.Time // UTC, in milliseconds
	Ended   time.Time // zero while the run is started
	// Attempt counts how often the run was started under its id, from 1.
	Attempt int
	// Reason and Kind are the name and the kind of the rejection of a run that did
	// not succeed, such as unavailable and tools_unfinished.
	Reason string
	Kind   string

	order uint64
}

// Run is all that is recorded of a run but its events.
type Run struct {
	Summary
	// Input is the input as it was supplied, before defaults: an object, but for a run
	// that was rejected since it is none.
	Input value.Value
	// Output is the output of a succeeded run.
	Output value.Value
	// Record is the record of its call (reasoning format, "What a run records"),
	// nil where there is none.
	Record *value.Object
	// Rejection is why a run did not succeed, nil where nothing was said.
	Rejection *problem.Rejection
	// Final says that the run's ending stands for its id: it is never run again.
	Final bool
}

// Value is the run as get_run returns it.
func (r *Run) Value() *value.Object {
	return object(
		"run_id", r.ID,
		"type", r.Type,
		"name", r.Name,
		"definition_version", float64(r.Version),
		"status", string(r.Status),
		"started", writtenTime(r.Started),
		"ended", writtenTime(r.Ended),
		"input", r.Input,
		"output", r.Output,
		"record", optionalObject(r.Record),
		"rejection", optionalObject(rejectionObject(r.Rejection)),
	)
}

// encode is the run as it is recorded: as get_run returns it, and what only the
// store needs.
func (r *Run) encode() []byte {
	o := r.Value()
	o.Set("order", float64(r.order))
	o.Set("attempt", float64(r.Attempt))
	o.Set("final", r.Final)
	return sealObject(o)
}

func decodeRun(sealed []byte) (*Run, error) {
	r := unsealObject(sealed)
	run := &Run{
		Summary: Summary{
			ID:      r.text("run_id"),
			Type:    r.text("type"),
			Name:    r.text("name"),
			Version: int(r.whole("definition_version", maxCount)),
			Status:  Status(r.text("status")),
			Started: r.time("started"),
			Ended:   r.time("ended"),
			Attempt: int(r.whole("attempt", maxCount)),
			order:   uint64(r.whole("order", maxOrder)),
		},
		Record:    r.optional("record"),
		Rejection: decodeRejection(r.optional("rejection")),
		Final:     r.flag("final"),
	}
	run.Input, _ = r.object.Get("input")
	run.Output, _ = r.object.Get("output")
	run.nameReason()
	if statusBytes[run.Status] == 0 {
		r.fault("status")
	}
	if r.err != nil {
		return nil, r.err
	}
	return run, nil
}

// The bounds of numbers in a record: a count, and a number of the sequence,
// which JSON carries exactly.
const (
	maxCount = 1<<31 - 1
	maxOrder = 1<<53 - 1
)

// nameReason puts what a list shows of the rejection into the summary.
func (r *Run) nameReason() {
	if r.Rejection != nil {
		r.Reason, r.Kind = strings.TrimPrefix(r.Rejection.Type, problem.TypeBase), r.Rejection.Kind
	}
}

func optionalObject(o *value.Object) value.Value {
	if o == nil {
		return nil
	}
	return o
}

func rejectionObject(r *problem.Rejection) *value.Object {
	if r == nil {
		return nil
	}
	o := object("type", r.Type, "title", r.Title, "status", float64(r.Status), "detail", r.Detail)
	if r.Kind != "" {
		o.Set("kind", r.Kind)
	}
	if r.Because != "" {
		o.Set("because", r.Because)
	}
	if len(r.Issues) > 0 {
		issues := make([]value.Value, len(r.Issues))
		for i, issue := range r.Issues {
			issues[i] = object("pointer", issue.Pointer, "detail", issue.Detail)
		}
		o.Set("issues", issues)
	}
	return o
}

func decodeRejection(o *value.Object) *problem.Rejection {
	if o == nil {
		return nil
	}
	text := func(of *value.Object, key string) string {
		v, _ := of.Get(key)
		t, _ := v.(string)
		return t
	}
	status, _ := o.Get("status")
	number, _ := value.Whole(status)
	rejection := &problem.Rejection{
		Type: text(o, "type"), Title: text(o, "title"), Status: int(number), Detail: text(o, "detail"),
		Kind: text(o, "kind"), Because: text(o, "because"),
	}
	listed, _ := o.Get("issues")
	issues, _ := listed.([]value.Value)
	for _, issue := range issues {
		if issue, ok := issue.(*value.Object); ok {
			rejection.Issues = append(rejection.Issues, problem.Issue{Pointer: text(issue, "pointer"), Detail: text(issue, "detail")})
		}
	}
	return rejection
}

// The index record of a run: the status, when it started and ended in
// milliseconds, its version and attempt, and five texts, each behind its length.
const summaryHead = 1 + 8 + 8 + 4 + 4

func (s *Summary) encode() []byte {
	record := make([]byte, 0, summaryHead+64+len(s.ID)+len(s.Name))
	record = append(record, statusBytes[s.Status])
	record = binary.BigEndian.AppendUint64(record, millis(s.Started))
	record = binary.BigEndian.AppendUint64(record, millis(s.Ended))
	record = binary.BigEndian.AppendUint32(record, uint32(s.Version))
	record = binary.BigEndian.AppendUint32(record, uint32(s.Attempt))
	for _, text := range [...]string{s.Type, s.Name, s.ID, s.Reason, s.Kind} {
		record = binary.AppendUvarint(record, uint64(len(text)))
		record = append(record, text...)
	}
	return seal(record)
}

// glance is an index record while it still lies in the file: what a filter looks
// at costs no copy.
type glance struct {
	status         byte
	started, ended uint64
	version        uint32
	attempt        uint32
	texts          [5][]byte // type, name, id, reason, kind
}

// at takes an index record into the glance, which is used again for the next one.
func (g *glance) at(sealed []byte) error {
	record, err := unseal(sealed)
	if err != nil {
		return err
	}
	if len(record) < summaryHead {
		return damage("an index record is too short")
	}
	g.status = record[0]
	g.started = binary.BigEndian.Uint64(record[1:])
	g.ended = binary.BigEndian.Uint64(record[9:])
	g.version = binary.BigEndian.Uint32(record[17:])
	g.attempt = binary.BigEndian.Uint32(record[21:])
	record = record[summaryHead:]
	for i := range g.texts {
		size, used := binary.Uvarint(record)
		if used <= 0 || size > uint64(len(record)-used) {
			return damage("an index record has no usable texts")
		}
		g.texts[i] = record[used : used+int(size)]
		record = record[used+int(size):]
	}
	return nil
}

func (g *glance) summary(order uint64) (Summary, error) {
	status, ok := statusOf(g.status)
	if !ok {
		return Summary{}, damage("an index record has no usable status")
	}
	return Summary{
		ID: string(g.texts[2]), Type: string(g.texts[0]), Name: string(g.texts[1]), Version: int(g.version),
		Status: status, Started: fromMillis(g.started), Ended: fromMillis(g.ended), Attempt: int(g.attempt),
		Reason: string(g.texts[3]), Kind: string(g.texts[4]), order: order,
	}, nil
}

// millis gives a time as milliseconds, 0 for the zero time.
func millis(t time.Time) uint64 {
	if t.IsZero() {
		return 0
	}
	return uint64(t.UnixMilli())
}

func fromMillis(ms uint64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(ms)).UTC()
}

// validID tells whether a text can be a run's id.
func validID(id string) bool {
	if len(id) < 1 || len(id) > 128 {
		return false
	}
	for i := range len(id) {
		switch b := id[i]; {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9',
			b == '-', b == '_', b == '.', b == ':':
		default:
			return false
		}
	}
	return true
}
