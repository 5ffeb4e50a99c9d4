package store

// This file holds how a record stands in the file: its bytes behind their
// checksum, and most often as JSON.

import (
	"encoding/binary"
	"hash/crc32"
	"time"

	"github.com/beonauto/auto/engine/value"
)

// recordDepth is how deep a record's JSON may nest: the 512 levels of an input
// or an answer (reasoning format, "How a run works"; interaction format,
// "Bounds"), and those of the record around it.
const recordDepth = 512 + 16

const sealSize = 4

// checksum is CRC-32C. Its table is made when it is first asked for, and once.
func checksum(record []byte) uint32 {
	return crc32.Checksum(record, crc32.MakeTable(crc32.Castagnoli))
}

// seal puts a record's checksum before it.
func seal(record []byte) []byte {
	sealed := make([]byte, sealSize, sealSize+len(record))
	binary.BigEndian.PutUint32(sealed, checksum(record))
	return append(sealed, record...)
}

// unseal gives the record that was sealed, which still lies where it lay.
func unseal(sealed []byte) ([]byte, error) {
	if len(sealed) < sealSize {
		return nil, damage("a record is too short")
	}
	record := sealed[sealSize:]
	if binary.BigEndian.Uint32(sealed) != checksum(record) {
		return nil, damage("a record does not match its checksum")
	}
	return record, nil
}

func sealObject(object *value.Object) []byte { return seal(value.AppendJSON(nil, object)) }

// reader takes a sealed object apart. Its first fault stays: what it gives after
// it is worth nothing.
type reader struct {
	object *value.Object
	err    error
}

func unsealObject(sealed []byte) *reader {
	record, err := unseal(sealed)
	if err != nil {
		return &reader{err: err}
	}
	parsed, err := value.ParseJSON(record, recordDepth)
	if err != nil {
		return &reader{err: damage("a record is not JSON")}
	}
	object, ok := parsed.(*value.Object)
	if !ok {
		return &reader{err: damage("a record is not an object")}
	}
	return &reader{object: object}
}

func (r *reader) fault(key string) {
	if r.err == nil {
		r.err = damage("a record has no usable " + key)
	}
}

func (r *reader) text(key string) string {
	v, _ := r.object.Get(key)
	text, ok := v.(string)
	if !ok {
		r.fault(key)
	}
	return text
}

// whole gives a number from 0 to most.
func (r *reader) whole(key string, most int64) int64 {
	v, _ := r.object.Get(key)
	number, ok := value.Whole(v)
	if !ok || number < 0 || number > most {
		r.fault(key)
		return 0
	}
	return number
}

func (r *reader) flag(key string) bool {
	v, _ := r.object.Get(key)
	flag, ok := v.(bool)
	if !ok {
		r.fault(key)
	}
	return flag
}

// time gives a time, and the zero time for null.
func (r *reader) time(key string) time.Time {
	v, ok := r.object.Get(key)
	if v == nil && ok {
		return time.Time{}
	}
	text, _ := v.(string)
	t, err := time.Parse(timeLayout, text)
	if err != nil {
		r.fault(key)
	}
	return t
}

// optional gives an object, and nil for null.
func (r *reader) optional(key string) *value.Object {
	v, ok := r.object.Get(key)
	if v == nil && ok {
		return nil
	}
	object, isObject := v.(*value.Object)
	if !isObject {
		r.fault(key)
	}
	return object
}

// timeLayout is how a time is written: UTC, in milliseconds.
const timeLayout = "2006-01-02T15:04:05.000Z"

func writtenTime(t time.Time) value.Value {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(timeLayout)
}

// object builds an object from keys and values in turn.
func object(pairs ...any) *value.Object {
	o := value.NewObject(len(pairs) / 2)
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

// orderKey joins a text and a number into a key: text, 0, number.
func orderKey(prefix string, order uint64) []byte {
	return binary.BigEndian.AppendUint64(append([]byte(prefix), 0), order)
}

func orderBytes(order uint64) []byte { return binary.BigEndian.AppendUint64(nil, order) }
