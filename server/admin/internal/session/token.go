package session

import (
	"crypto/subtle"
	"encoding/base64"
	"io"
)

// Token returns the token of a session for one form: random bytes, and the session's own token under them. Errors: those of the random numbers.
func (s *Store) Token(x *Session) (string, error) {
	var b [2 * nameBytes]byte
	if _, err := io.ReadFull(s.random, b[:nameBytes]); err != nil {
		return "", err
	}
	subtle.XORBytes(b[nameBytes:], b[:nameBytes], x.token[:])
	return base64.RawURLEncoding.EncodeToString(b[:]), nil
}

// Accepts reports whether a text is a token of the session. The time it takes does not depend on the text.
func (x *Session) Accepts(token string) bool {
	b, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(b) != 2*nameBytes {
		return false
	}
	var own [nameBytes]byte
	subtle.XORBytes(own[:], b[:nameBytes], b[nameBytes:])
	return subtle.ConstantTimeCompare(own[:], x.token[:]) == 1
}
