package store

// This file keeps what is told of a definition beside its document: the overview
// and the diagram that its author gave with a version.

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"
)

// Overview is what a definition's author tells of it (interaction format, "The
// overview"). Its bounds are for the caller to see to.
type Overview struct {
	Text    string // Markdown; empty when none was given
	Diagram string // Mermaid, or the word none; empty when none was given
	Version int    // of the definition, with which it was last given; 0 when it never was
}

// SaveTold keeps a document as Save does, and the overview and the diagram given
// with it, in one transaction. A nil overview keeps the text that was given before.
// Place puts the document where it belongs, while no other process saves one; where
// it fails, nothing is kept and its error is given.
func (s *Store) SaveTold(typeName, name string, source []byte, overview *string, diagram string, place func() error) (Version, Overview, error) {
	if err := checkDocument(typeName, name, source); err != nil {
		return Version{}, Overview{}, err
	}
	var saved Version
	var told Overview
	err := s.write(func(t transaction) (err error) {
		if saved, err = t.save(typeName, name, source); err != nil {
			return err
		}
		if told, err = t.overview(typeName, name); err != nil {
			return err
		}
		told.Diagram, told.Version = diagram, saved.Number
		if overview != nil {
			told.Text = *overview
		}
		record := object("overview", told.Text, "diagram", told.Diagram, "version", float64(told.Version))
		if err := t.put(bucketOverviews, []byte(typeName+"/"+name), sealObject(record)); err != nil {
			return err
		}
		return place()
	})
	return saved, told, err
}

func (t transaction) overview(typeName, name string) (Overview, error) {
	sealed := t.get(bucketOverviews, []byte(typeName+"/"+name))
	if sealed == nil {
		return Overview{}, nil
	}
	r := unsealObject(sealed)
	told := Overview{Text: r.text("overview"), Diagram: r.text("diagram"), Version: int(r.whole("version", maxCount))}
	return told, r.err
}

// Content is a document under its definition's type and name, by its digest.
type Content struct {
	Type, Name string
	Digest     [sha256.Size]byte
}

// Known is what the store knows of a document.
type Known struct {
	Version  int // the number that the content was kept under; 0 for one that was not
	Overview Overview
}

// Known tells what the store knows of each of some documents. It writes nothing.
func (s *Store) Known(contents ...Content) ([]Known, error) {
	known := make([]Known, len(contents))
	err := s.read(func(t transaction) (err error) {
		for i, of := range contents {
			if !validPart(of.Type) || !validPart(of.Name) {
				continue
			}
			kept := t.get(bucketByContent, append([]byte(of.Type+"/"+of.Name+"\x00"), of.Digest[:]...))
			if kept != nil && len(kept) != 4 {
				return damage("the number of a version has the wrong size")
			}
			if kept != nil {
				known[i].Version = int(binary.BigEndian.Uint32(kept))
			}
			if known[i].Overview, err = t.overview(of.Type, of.Name); err != nil {
				return err
			}
		}
		return nil
	})
	return known, err
}

// inspectOverviews sees that each overview belongs to a version that is kept.
func (t transaction) inspectOverviews(fault faultFunc) {
	t.each(bucketOverviews, func(key, _ []byte) {
		typeName, name, ok := strings.Cut(string(key), "/")
		if !ok {
			fault("an overview belongs to no definition")
			return
		}
		told, err := t.overview(typeName, name)
		switch {
		case err != nil:
			fault("the overview of %s: %v", key, err)
		case t.get(bucketVersions, versionKey(typeName, name, told.Version)) == nil:
			fault("the overview of %s was given with version %d, which is not kept", key, told.Version)
		}
	})
}
