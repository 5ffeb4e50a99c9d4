package store

// This file holds the versions of definitions: each content that was run or
// saved, and which definitions went away.

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Version is one content of a definition's document.
type Version struct {
	Type, Name string
	Number     int // from 1
	Source     string
	Saved      time.Time // when the store first kept it
}

// Definition is a definition that the store knows versions of.
type Definition struct {
	Type, Name string
	Latest     int       // the version that was last saved or run
	Versions   int       // how many contents are kept, numbered from 1
	Retired    bool      // its document went away
	Changed    time.Time // when Latest or Retired last changed
}

// Save keeps a document as its definition's latest version, and gives that
// version. Each content has one number: a document that was kept before has the
// number it had. A retired definition is active again.
func (s *Store) Save(typeName, name string, source []byte) (Version, error) {
	if err := checkDocument(typeName, name, source); err != nil {
		return Version{}, err
	}
	var saved Version
	err := s.write(func(t transaction) (err error) {
		saved, err = t.save(typeName, name, source)
		return err
	})
	return saved, err
}

func (t transaction) save(typeName, name string, source []byte) (Version, error) {
	definition, err := t.definition(typeName, name)
	if err != nil {
		return Version{}, err
	}
	if definition == nil {
		definition = &Definition{Type: typeName, Name: name}
	}
	digest := sha256.Sum256(source)
	contentKey := append([]byte(typeName+"/"+name+"\x00"), digest[:]...)
	kept := t.get(bucketByContent, contentKey)
	if kept == nil {
		return t.saveNew(definition, contentKey, source)
	}
	if len(kept) != 4 {
		return Version{}, damage("the number of a version has the wrong size")
	}
	version, err := t.version(typeName, name, int(binary.BigEndian.Uint32(kept)))
	if err != nil {
		return Version{}, err
	}
	if version == nil {
		return Version{}, damage("a version is missing")
	}
	if definition.Latest == version.Number && !definition.Retired {
		return *version, nil
	}
	definition.Latest, definition.Retired = version.Number, false
	return *version, t.putDefinition(definition)
}

func (t transaction) saveNew(definition *Definition, contentKey, source []byte) (Version, error) {
	definition.Versions++
	definition.Latest, definition.Retired = definition.Versions, false
	version := Version{
		Type: definition.Type, Name: definition.Name, Number: definition.Latest,
		Source: string(source), Saved: t.store.moment(),
	}
	record := object("version", float64(version.Number), "saved", writtenTime(version.Saved), "source", version.Source)
	if err := t.put(bucketVersions, versionKey(version.Type, version.Name, version.Number), sealObject(record)); err != nil {
		return Version{}, err
	}
	if err := t.put(bucketByContent, contentKey, binary.BigEndian.AppendUint32(nil, uint32(version.Number))); err != nil {
		return Version{}, err
	}
	return version, t.putDefinition(definition)
}

// Retire records that a definition's document went away. A definition that the
// store never kept stays unknown to it.
func (s *Store) Retire(typeName, name string) error {
	if !s.exists() {
		return nil
	}
	return s.write(func(t transaction) error {
		definition, err := t.definition(typeName, name)
		if err != nil || definition == nil || definition.Retired {
			return err
		}
		definition.Retired = true
		return t.putDefinition(definition)
	})
}

// Version gives a version by its number, or ErrNotFound.
func (s *Store) Version(typeName, name string, number int) (*Version, error) {
	var found *Version
	err := s.read(func(t transaction) (err error) {
		found, err = t.version(typeName, name, number)
		return err
	})
	if err == nil && found == nil {
		err = ErrNotFound
	}
	return found, err
}

// Definitions gives every definition the store knows, by type and name.
func (s *Store) Definitions() ([]Definition, error) {
	var all []Definition
	err := s.read(func(t transaction) error {
		c := t.cursor(bucketDefinitions)
		if c == nil {
			return nil
		}
		for key, sealed := c.First(); key != nil; key, sealed = c.Next() {
			definition, err := decodeDefinition(string(key), sealed)
			if err != nil {
				return err
			}
			all = append(all, *definition)
		}
		return nil
	})
	return all, err
}

func versionKey(typeName, name string, number int) []byte {
	return binary.BigEndian.AppendUint32([]byte(typeName+"/"+name+"\x00"), uint32(number))
}

func (t transaction) version(typeName, name string, number int) (*Version, error) {
	if number < 1 || number > maxCount {
		return nil, nil
	}
	sealed := t.get(bucketVersions, versionKey(typeName, name, number))
	if sealed == nil {
		return nil, nil
	}
	r := unsealObject(sealed)
	version := &Version{
		Type: typeName, Name: name, Number: int(r.whole("version", maxCount)),
		Saved: r.time("saved"), Source: r.text("source"),
	}
	return version, r.err
}

func (t transaction) definition(typeName, name string) (*Definition, error) {
	key := typeName + "/" + name
	sealed := t.get(bucketDefinitions, []byte(key))
	if sealed == nil {
		return nil, nil
	}
	return decodeDefinition(key, sealed)
}

func decodeDefinition(key string, sealed []byte) (*Definition, error) {
	typeName, name, ok := strings.Cut(key, "/")
	if !ok {
		return nil, damage("a definition has no name")
	}
	r := unsealObject(sealed)
	definition := &Definition{
		Type: typeName, Name: name,
		Latest:   int(r.whole("latest", maxCount)),
		Versions: int(r.whole("versions", maxCount)),
		Retired:  r.flag("retired"),
		Changed:  r.time("changed"),
	}
	return definition, r.err
}

func (t transaction) putDefinition(d *Definition) error {
	d.Changed = t.store.moment()
	record := object("latest", float64(d.Latest), "versions", float64(d.Versions), "retired", d.Retired, "changed", writtenTime(d.Changed))
	return t.put(bucketDefinitions, []byte(d.Type+"/"+d.Name), sealObject(record))
}

// checkDocument refuses what cannot be kept as a version.
func checkDocument(typeName, name string, source []byte) error {
	switch {
	case !validPart(typeName) || !validPart(name):
		return fmt.Errorf("expected a definition's type and name, each of 1 to 256 bytes without a /")
	case !utf8.Valid(source):
		return fmt.Errorf("expected the document of %s/%s to be text", typeName, name)
	}
	return nil
}

// validPart tells whether a text can stand in a key as a definition's type or
// name.
func validPart(text string) bool {
	return text != "" && len(text) <= 256 && !strings.ContainsAny(text, "/\x00")
}
