package archive

import (
	"encoding/base64"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

const coded = "base64:"

// name is a text of any bytes, in JSON.
type name string

// MarshalText implements encoding.TextMarshaler.
func (n name) MarshalText() ([]byte, error) {
	if utf8.ValidString(string(n)) && !strings.HasPrefix(string(n), coded) {
		return []byte(n), nil
	}
	return []byte(coded + base64.StdEncoding.EncodeToString([]byte(n))), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (n *name) UnmarshalText(text []byte) error {
	rest, ok := strings.CutPrefix(string(text), coded)
	if !ok {
		*n = name(text)
		return nil
	}
	b, err := base64.StdEncoding.Strict().DecodeString(rest)
	*n = name(b)
	return err
}

// nameOf returns a text as a name.
func nameOf(text string) *name {
	n := name(text)
	return &n
}

// moment is a time in microseconds after 1970, in JSON as text.
type moment int64

const momentForm = "2006-01-02T15:04:05.999999Z07:00"

// MarshalText implements encoding.TextMarshaler.
func (m moment) MarshalText() ([]byte, error) {
	return time.UnixMicro(int64(m)).UTC().AppendFormat(nil, momentForm), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (m *moment) UnmarshalText(text []byte) error {
	t, err := time.Parse(momentForm, string(text))
	if err != nil {
		return fmt.Errorf("%.64q is no time", text)
	}
	*m = moment(t.UnixMicro())
	return nil
}

// at returns a time as a moment, nil for the zero time.
func at(t time.Time) *moment {
	if t.IsZero() {
		return nil
	}
	m := moment(t.UnixMicro())
	return &m
}

// time returns the moment in UTC, the zero time for nil.
func (m *moment) time() time.Time {
	if m == nil {
		return time.Time{}
	}
	return time.UnixMicro(int64(*m)).UTC()
}
