package example

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/beonauto/auto/engine/value"
)

// This file keeps the chat in a file of JSON, a message a line. A lock on a file
// beside it lets one process at a time add, and none read meanwhile. A line whose
// writer died on the way has no end, and is as if it had never been begun.

// all gives the messages, oldest first.
func (c *Chat) all() ([]message, error) {
	if _, err := os.Stat(c.path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	lock := c.lock()
	if err := lock.RLock(); err != nil {
		return nil, c.broken(err)
	}
	defer lock.Close()
	file, err := os.Open(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, c.broken(err)
	}
	defer file.Close()
	messages, _, err := c.read(file)
	return messages, err
}

// add adds the message that is made of those before it.
func (c *Chat) add(of func(before []message) (*message, error)) (*message, error) {
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		return nil, c.broken(err)
	}
	lock := c.lock()
	if err := lock.Lock(); err != nil {
		return nil, c.broken(err)
	}
	defer lock.Close()
	file, err := os.OpenFile(c.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, c.broken(err)
	}
	defer file.Close()
	before, end, err := c.read(file)
	if err != nil {
		return nil, err
	}
	added, err := of(before)
	if err != nil {
		return nil, err
	}
	line := append(value.AppendJSON(nil, object("channel", added.channel, "message", added.listed())), '\n')
	if end+len(line) > largestChat {
		return nil, refusal(fmt.Sprintf("The chat has %d MiB, and no more is kept; remove %s to begin a new one", largestChat>>20, c.path))
	}
	// What stands after the last whole line was never a message.
	if err := file.Truncate(int64(end)); err != nil {
		return nil, c.broken(err)
	}
	if _, err := file.WriteAt(line, int64(end)); err != nil {
		return nil, c.broken(err)
	}
	return added, nil
}

func (c *Chat) lock() *flock.Flock {
	return flock.New(c.path+".lock", flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
}

func (c *Chat) broken(err error) error {
	return refusal(fmt.Sprintf("The chat cannot be kept in %s: %s", c.path, err))
}

// read gives the messages of the file and where its last whole line ends.
func (c *Chat) read(file *os.File) (messages []message, end int, err error) {
	text, err := io.ReadAll(io.LimitReader(file, largestChat+longestLine))
	if err != nil {
		return nil, 0, c.broken(err)
	}
	for line := 1; ; line++ {
		at := bytes.IndexByte(text[end:], '\n')
		if at < 0 {
			return messages, end, nil
		}
		m, ok := readMessage(text[end : end+at])
		if !ok || len(messages) > 0 && m.ts <= messages[len(messages)-1].ts {
			return nil, 0, refusal(fmt.Sprintf("Line %d of %s is no message of a chat", line, c.path))
		}
		messages = append(messages, m)
		end += at + 1
	}
}

func readMessage(line []byte) (message, bool) {
	v, err := value.ParseJSON(line, deepest)
	o, ok := v.(*value.Object)
	if err != nil || !ok {
		return message{}, false
	}
	inner, _ := o.Get("message")
	of, _ := inner.(*value.Object)
	m := message{
		ts: stringOf(of, "ts"), channel: stringOf(o, "channel"), user: stringOf(of, "user"), text: stringOf(of, "text"),
		thread: stringOf(of, "thread_ts"),
	}
	return m, isTS(m.ts) && m.channel != ""
}
