package wire

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// ErrText is returned for a text that is no UTF-8, and for one that begins with "base64:" and goes on with something else than base64url.
var ErrText = errors.New("wire: neither UTF-8 nor base64: and base64url")

// escape begins a Text whose bytes are not those of the string.
const escape = "base64:"

// Text is bytes that are mostly UTF-8, such as the name of a member. As JSON and in URLs they are a string: the bytes themselves or, if they are
// no UTF-8 or begin with "base64:", that and the bytes in base64url without padding.
type Text string

// MarshalText returns the string. It has no error.
func (t Text) MarshalText() ([]byte, error) {
	if utf8.ValidString(string(t)) && !strings.HasPrefix(string(t), escape) {
		return []byte(t), nil
	}
	return []byte(escape + base64.RawURLEncoding.EncodeToString([]byte(t))), nil
}

// UnmarshalText is the inverse. Error: ErrText.
func (t *Text) UnmarshalText(b []byte) error {
	coded, ok := strings.CutPrefix(string(b), escape)
	if !ok && utf8.Valid(b) {
		*t = Text(b)
		return nil
	}
	if !ok {
		return fmt.Errorf("%w: %.64q", ErrText, b)
	}
	plain, err := base64.RawURLEncoding.Strict().DecodeString(coded)
	if err != nil || strings.ContainsAny(coded, "\r\n") { // the decoder skips line ends
		return fmt.Errorf("%w: %.64q", ErrText, coded)
	}
	*t = Text(plain)
	return nil
}

// String returns what MarshalText does.
func (t Text) String() string {
	b, _ := t.MarshalText()
	return string(b)
}

// textOf returns bytes that may be nil.
func textOf(b []byte) *Text {
	if b == nil {
		return nil
	}
	t := Text(b)
	return &t
}

// BytesOf is the inverse of textOf.
func BytesOf(t *Text) []byte {
	if t == nil {
		return nil
	}
	return []byte(*t)
}

// Texts converts names.
func Texts(names []string) []Text {
	return each(names, func(name string) Text { return Text(name) })
}

// Strings is the inverse of Texts.
func Strings(texts []Text) []string {
	return each(texts, func(t Text) string { return string(t) })
}

// each converts the elements of a list; that of nil is nil.
func each[A, B any](list []A, convert func(A) B) []B {
	if list == nil {
		return nil
	}
	converted := make([]B, len(list))
	for i, x := range list {
		converted[i] = convert(x)
	}
	return converted
}

// list is each for a list that JSON has as [] rather than null.
func list[A, B any](elements []A, convert func(A) B) []B {
	if elements == nil {
		return []B{}
	}
	return each(elements, convert)
}

// timeOf returns a time, nil for the zero time, and for one that has no JSON: the end of the last period of the year 9999 is in the year 10000.
func timeOf(t time.Time) *time.Time {
	if t.IsZero() || t.Year() > 9999 {
		return nil
	}
	return &t
}

// orZero is the inverse of timeOf.
func orZero(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}
