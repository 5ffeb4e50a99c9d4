package mcp

import (
	"bytes"
	"io"
	"strconv"
	"time"

	"github.com/beonauto/auto/engine/tool/transport"
)

// This file reads a stream of server-sent events.

// event is one event of a stream.
type event struct {
	name string // message when the stream gives none
	id   string
	data []byte
}

// eventReader reads events of at most limit bytes.
type eventReader struct {
	lines *lineReader
	limit int64
	// lastID is the id of the last event that had one, and retry how long the
	// server wants a lost stream to be left alone; negative when it did not say.
	lastID string
	retry  time.Duration
	first  bool
}

func newEventReader(from io.Reader, limit int64) *eventReader {
	return &eventReader{lines: newLineReader(from, limit), limit: limit, retry: -1, first: true}
}

// next gives the next event that holds data.
func (r *eventReader) next() (event, error) {
	e := event{name: "message"}
	has := false
	passed := int64(0) // bytes of what holds no data, such as comments
	for {
		line, err := r.lines.next()
		if err != nil {
			return event{}, err
		}
		if r.first {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
			r.first = false
		}
		if !bytes.HasPrefix(line, []byte("data")) {
			if passed += int64(len(line)) + 1; passed > r.limit {
				return event{}, transport.NewFault(transport.TooLarge, "The server writes more than "+transport.Size(r.limit)+" between two events")
			}
		}
		if len(line) == 0 {
			if has && len(e.data) > 0 {
				return e, nil
			}
			e, has = event{name: "message"}, false
			continue
		}
		field, text, _ := bytes.Cut(line, []byte(":"))
		text = bytes.TrimPrefix(text, []byte(" "))
		switch string(field) {
		case "data":
			if has {
				e.data = append(e.data, '\n')
			}
			e.data = append(e.data, text...)
			has = true
			if int64(len(e.data)) > r.limit {
				return event{}, transport.NewFault(transport.TooLarge, "The server's answer is larger than "+transport.Size(r.limit))
			}
		case "event":
			e.name = string(text)
		case "id":
			if len(text) <= 1024 && bytes.IndexByte(text, 0) < 0 {
				r.lastID = string(text)
				e.id = r.lastID
			}
		case "retry":
			if ms, err := strconv.Atoi(string(text)); err == nil && ms >= 0 {
				r.retry = min(time.Duration(ms)*time.Millisecond, time.Hour)
			}
		}
	}
}
