package store

// This file finds runs by how their ids begin.

import "bytes"

// IDs gives the ids of runs that begin with a text, in the order of the ids, at most
// most of them. A run of just that id is the only one.
func (s *Store) IDs(beginning string, most int) (ids []string, err error) {
	if !s.exists() {
		return nil, nil
	}
	err = s.read(func(t transaction) error {
		if t.get(bucketRuns, []byte(beginning)) != nil {
			ids = []string{beginning}
			return nil
		}
		c := t.cursor(bucketRuns)
		if c == nil {
			return nil
		}
		for key, _ := c.Seek([]byte(beginning)); bytes.HasPrefix(key, []byte(beginning)) && len(ids) < most; key, _ = c.Next() {
			ids = append(ids, string(key))
		}
		return nil
	})
	return ids, err
}

// Beginnings gives for each of the ids of runs how many bytes of its start no other
// run's id starts with; its whole length where there is no such start.
func (s *Store) Beginnings(ids []string) (lengths []int, err error) {
	lengths = make([]int, len(ids))
	for i, id := range ids {
		lengths[i] = len(id)
	}
	if !s.exists() {
		return lengths, nil
	}
	err = s.read(func(t transaction) error {
		c := t.cursor(bucketRuns)
		if c == nil {
			return nil
		}
		for i, id := range ids {
			own := []byte(id)
			if key, _ := c.Seek(own); !bytes.Equal(key, own) {
				continue // it was deleted meanwhile
			}
			before, _ := c.Prev()
			shared := sharedStart(before, own)
			c.Seek(own)
			after, _ := c.Next()
			lengths[i] = min(len(id), max(shared, sharedStart(after, own))+1)
		}
		return nil
	})
	return lengths, err
}

// sharedStart is how many bytes two keys start with alike.
func sharedStart(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// RequestsOf gives the requests of runs, nil for one that made none.
func (s *Store) RequestsOf(ids []string) ([]*Request, error) {
	requests := make([]*Request, len(ids))
	if !s.exists() {
		return requests, nil
	}
	err := s.read(func(t transaction) (err error) {
		for i, id := range ids {
			if requests[i], err = t.request(id); err != nil {
				return err
			}
		}
		return nil
	})
	return requests, err
}
