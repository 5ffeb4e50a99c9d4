package value

// This file writes, splits and follows JSON Pointers.

import (
	"errors"
	"strconv"
	"strings"
)

var (
	escapeToken   = strings.NewReplacer("~", "~0", "/", "~1")
	unescapeToken = strings.NewReplacer("~1", "/", "~0", "~")
)

// Join adds a key to a JSON Pointer: Join("/a", "b/c") is "/a/b~1c".
func Join(pointer, key string) string {
	if strings.ContainsAny(key, "~/") {
		key = escapeToken.Replace(key)
	}
	return pointer + "/" + key
}

// JoinIndex adds a list index to a JSON Pointer.
func JoinIndex(pointer string, index int) string {
	return pointer + "/" + strconv.Itoa(index)
}

// Tokens splits a JSON Pointer (RFC 6901) into its unescaped keys; the empty
// pointer, the whole document, has none.
func Tokens(pointer string) ([]string, error) {
	if pointer == "" {
		return nil, nil
	}
	if pointer[0] != '/' {
		return nil, errors.New("a JSON Pointer starts with a slash")
	}
	tokens := strings.Split(pointer[1:], "/")
	for i, token := range tokens {
		for at := strings.IndexByte(token, '~'); at >= 0; {
			if at+1 >= len(token) || (token[at+1] != '0' && token[at+1] != '1') {
				return nil, errors.New("a JSON Pointer writes ~ as ~0 and a slash within a name as ~1")
			}
			next := strings.IndexByte(token[at+2:], '~')
			if next < 0 {
				break
			}
			at += 2 + next
		}
		tokens[i] = unescapeToken.Replace(token)
	}
	return tokens, nil
}

// Lookup reads the value a JSON Pointer names, and tells whether there is one.
// A list takes only a plain index, such as /0.
func Lookup(v Value, pointer string) (Value, bool) {
	tokens, err := Tokens(pointer)
	if err != nil {
		return nil, false
	}
	for _, token := range tokens {
		switch within := v.(type) {
		case *Object:
			next, ok := within.Get(token)
			if !ok {
				return nil, false
			}
			v = next
		case []Value:
			index, ok := arrayIndex(token)
			if !ok || int(index) >= len(within) {
				return nil, false
			}
			v = within[index]
		default:
			return nil, false
		}
	}
	return v, true
}
