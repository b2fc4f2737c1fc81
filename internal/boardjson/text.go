package boardjson

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// ErrText is returned for a text that is no UTF-8, and for one that begins with "base64:" and goes on with something else than base64url.
var ErrText = errors.New("board: neither UTF-8 nor base64: and base64url")

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

// appendText appends bytes as the JSON of a Text.
func appendText(dst []byte, s string) []byte {
	if utf8.ValidString(s) && !strings.HasPrefix(s, escape) {
		return AppendString(dst, s)
	}
	return AppendString(dst, Text(s).String())
}

// Texts converts names.
func Texts(names []string) []Text {
	texts := make([]Text, len(names))
	for i, name := range names {
		texts[i] = Text(name)
	}
	return texts
}

// Strings is the inverse of Texts.
func Strings(texts []Text) []string {
	names := make([]string, len(texts))
	for i, t := range texts {
		names[i] = string(t)
	}
	return names
}

// AppendString appends a string as JSON.
func AppendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return appendEscaped(b, s)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// appendEscaped appends a string that has something to escape.
func appendEscaped(b []byte, s string) []byte {
	b = append(b, '"')
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < ' ' || r == '\u2028' || r == '\u2029' || r == utf8.RuneError && n == 1:
			text, _ := json.Marshal(s[:n])
			b = append(b, text[1:len(text)-1]...)
		default:
			b = append(b, s[:n]...)
		}
		s = s[n:]
	}
	return append(b, '"')
}
