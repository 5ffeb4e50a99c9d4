package rpc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// This file reads messages that come one a line.

// ErrTooLong is a line that is longer than is read.
var ErrTooLong = errors.New("the line is too long")

// Lines reads lines of at most a number of bytes.
type Lines struct {
	from  *bufio.Reader
	limit int64
	cut   bool
}

// NewLines reads lines of at most limit bytes, without their ends.
func NewLines(from io.Reader, limit int64) *Lines {
	return &Lines{from: bufio.NewReaderSize(from, 64<<10), limit: limit}
}

// Next gives a line without its end. It is the caller's own. The last line counts
// without an end too. After ErrTooLong, Skip leaves the rest of that line out.
func (r *Lines) Next() ([]byte, error) {
	var line []byte
	for {
		part, err := r.from.ReadSlice('\n')
		if int64(len(line)+len(part)) > r.limit+1 {
			if err == nil {
				_ = r.from.UnreadByte() // the end, for Skip to find
			}
			return nil, ErrTooLong
		}
		line = append(line, part...)
		switch {
		case err == nil || err == io.EOF && len(line) > 0:
			r.cut = err != nil
			return bytes.TrimRight(line, "\r\n"), nil
		case err != bufio.ErrBufferFull:
			return nil, err
		}
	}
}

// Cut tells whether the line that Next gave last had no end.
func (r *Lines) Cut() bool { return r.cut }

// Skip leaves out what is left of a line, keeping none of it.
func (r *Lines) Skip() error {
	for {
		_, err := r.from.ReadSlice('\n')
		switch err {
		case nil:
			return nil
		case bufio.ErrBufferFull:
		default:
			return err
		}
	}
}
