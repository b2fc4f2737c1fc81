package wire

import (
	"encoding/json"
	"strconv"
	"time"
	"unicode/utf8"
)

// Appender is what appends its own JSON: the same as package encoding/json writes without HTML escapes. It is for answers that are made often.
type Appender interface {
	AppendJSON(dst []byte) ([]byte, error)
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

// appendScore appends a score as JSON.
func appendScore(b []byte, s Score) ([]byte, error) {
	if s == nil {
		return append(b, "null"...), nil
	}
	b = append(b, '[')
	for i, v := range s {
		if i > 0 {
			b = append(b, ',')
		}
		text, err := v.MarshalJSON()
		if err != nil {
			return b, err
		}
		b = append(b, text...)
	}
	return append(b, ']'), nil
}

// AppendJSON implements Appender.
func (r *Row) AppendJSON(b []byte) (_ []byte, err error) {
	b = strconv.AppendInt(append(b, `{"rank":`...), int64(r.Rank), 10)
	b = AppendString(append(b, `,"member":`...), r.Member.String())
	if b, err = appendScore(append(b, `,"score":`...), r.Score); err != nil {
		return b, err
	}
	for i, text := range r.ScoreText {
		head := `,`
		if i == 0 {
			head = `,"scoreText":[`
		}
		b = AppendString(append(b, head...), text)
	}
	if len(r.ScoreText) > 0 {
		b = append(b, ']')
	}
	if r.Reached != nil {
		b = append(r.Reached.AppendFormat(append(b, `,"reached":"`...), time.RFC3339Nano), '"')
	}
	if r.Meta != nil {
		b = AppendString(append(b, `,"meta":`...), r.Meta.String())
	}
	if r.Beyond {
		b = append(b, `,"beyond":true`...)
	}
	if r.Within != nil {
		b = strconv.AppendInt(append(b, `,"within":`...), int64(*r.Within), 10)
	}
	return append(b, '}'), nil
}

// AppendRows appends a list of rows as JSON.
func AppendRows(b []byte, rows []Row) (_ []byte, err error) {
	if rows == nil {
		return append(b, "null"...), nil
	}
	b = append(b, '[')
	for i := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = rows[i].AppendJSON(b); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}

// AppendJSON implements Appender.
func (m *Move) AppendJSON(b []byte) (_ []byte, err error) {
	b = AppendString(append(b, `{"window":`...), m.Window)
	if m.Period != "" {
		b = AppendString(append(b, `,"period":`...), m.Period)
	}
	for _, x := range []struct {
		name string
		row  *Row
	}{{`,"before":`, m.Before}, {`,"after":`, m.After}} {
		if x.row != nil {
			if b, err = x.row.AppendJSON(append(b, x.name...)); err != nil {
				return b, err
			}
		}
	}
	if m.Ranked {
		b = append(b, `,"ranked":true`...)
	}
	if m.Hidden {
		b = append(b, `,"hidden":true`...)
	}
	b = strconv.AppendBool(append(b, `,"changed":`...), m.Changed)
	if m.Ignored != "" {
		b = AppendString(append(b, `,"ignored":`...), m.Ignored)
	}
	b = strconv.AppendBool(append(b, `,"improved":`...), m.Improved)
	b = strconv.AppendInt(append(b, `,"passed":`...), int64(m.Passed), 10)
	b = strconv.AppendInt(append(b, `,"members":`...), int64(m.Members), 10)
	for _, x := range []struct {
		name string
		rows []Row
	}{{`,"near":`, m.Near}, {`,"overtaken":`, m.Overtaken}} {
		if x.rows != nil {
			if b, err = AppendRows(append(b, x.name...), x.rows); err != nil {
				return b, err
			}
		}
	}
	return append(b, '}'), nil
}

// AppendFields appends the fields of a change, without braces.
func (c *Change) AppendFields(b []byte) (_ []byte, err error) {
	b = append(b, `"moves":`...)
	if c.Moves == nil {
		b = append(b, "null"...)
	} else {
		b = append(b, '[')
		for i := range c.Moves {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = c.Moves[i].AppendJSON(b); err != nil {
				return b, err
			}
		}
		b = append(b, ']')
	}
	if c.Duplicate {
		b = append(b, `,"duplicate":true`...)
	}
	if c.Skipped {
		b = append(b, `,"skipped":true`...)
	}
	return b, nil
}
