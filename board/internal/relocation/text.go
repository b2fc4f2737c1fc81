package relocation

import (
	"encoding/base64"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

const coded = "base64:"

// Name is a text of any bytes, in JSON.
type Name string

// MarshalText implements encoding.TextMarshaler.
func (n Name) MarshalText() ([]byte, error) {
	if utf8.ValidString(string(n)) && !strings.HasPrefix(string(n), coded) {
		return []byte(n), nil
	}
	return []byte(coded + base64.StdEncoding.EncodeToString([]byte(n))), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (n *Name) UnmarshalText(text []byte) error {
	rest, ok := strings.CutPrefix(string(text), coded)
	if !ok {
		*n = Name(text)
		return nil
	}
	b, err := base64.StdEncoding.Strict().DecodeString(rest)
	*n = Name(b)
	return err
}

// NameOf returns a text as a name.
func NameOf(text string) *Name {
	n := Name(text)
	return &n
}

// Moment is a time in microseconds after 1970, in JSON as text.
type Moment int64

const momentForm = "2006-01-02T15:04:05.999999Z07:00"

// MarshalText implements encoding.TextMarshaler.
func (m Moment) MarshalText() ([]byte, error) {
	return time.UnixMicro(int64(m)).UTC().AppendFormat(nil, momentForm), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (m *Moment) UnmarshalText(text []byte) error {
	t, err := time.Parse(momentForm, string(text))
	if err != nil {
		return fmt.Errorf("%.64q is no time", text)
	}
	*m = Moment(t.UnixMicro())
	return nil
}

// MomentOf returns microseconds after 1970 as a moment.
func MomentOf(micros int64) *Moment {
	m := Moment(micros)
	return &m
}

// Or returns the microseconds of a moment, none for nil.
func (m *Moment) Or(none int64) int64 {
	if m == nil {
		return none
	}
	return int64(*m)
}

// MomentAt returns a time as a moment, nil for the zero time.
func MomentAt(t time.Time) *Moment {
	if t.IsZero() {
		return nil
	}
	m := Moment(t.UnixMicro())
	return &m
}

// Time returns the moment in UTC, the zero time for nil.
func (m *Moment) Time() time.Time {
	if m == nil {
		return time.Time{}
	}
	return time.UnixMicro(int64(*m)).UTC()
}
