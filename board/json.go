package board

import (
	"encoding/json"
	"strconv"

	"github.com/zrankdb/zrank/internal/boardjson"
)

// The JSON of what boards take and answer: see package boardjson for its rules. It is the same in
// the HTTP API, in its clients and in the output of the command zrank.

// AppendJSON appends the JSON of the row. It is what MarshalJSON returns.
func (row *Row) AppendJSON(dst []byte) ([]byte, error) {
	dst, err := boardjson.Append(dst, row)
	if err != nil || !row.Beyond || row.Within == Unknown {
		return dst, err
	}
	dst = boardjson.AppendName(append(dst[:len(dst)-1], ','), "within")
	return append(strconv.AppendInt(dst, int64(row.Within), 10), '}'), nil
}

// MarshalJSON writes "within" only of a member that is Beyond, and not if it is Unknown.
func (row Row) MarshalJSON() ([]byte, error) { return row.AppendJSON(nil) }

// UnmarshalJSON reads what MarshalJSON writes.
func (row *Row) UnmarshalJSON(b []byte) error {
	var rest struct{ Within *int }
	if err := json.Unmarshal(b, &rest); err != nil {
		return err
	}
	if err := boardjson.Read(b, row); err != nil {
		return err
	}
	switch {
	case rest.Within != nil:
		row.Within = *rest.Within
	case row.Beyond:
		row.Within = Unknown
	}
	return nil
}

// appendWith appends the JSON of a row with one more field.
func appendWith(dst []byte, row *Row, name string, value any) ([]byte, error) {
	dst, err := row.AppendJSON(dst)
	if err != nil {
		return dst, err
	}
	text, err := json.Marshal(value)
	dst = boardjson.AppendName(append(dst[:len(dst)-1], ','), name)
	return append(append(dst, text...), '}'), err
}

// AppendJSON appends the JSON of the row with its local rank. It is what MarshalJSON returns.
func (r *AmongRow) AppendJSON(dst []byte) ([]byte, error) {
	return appendWith(dst, &r.Row, "local", r.Local)
}

// MarshalJSON writes the row with its local rank.
func (r AmongRow) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }

// UnmarshalJSON reads what MarshalJSON writes.
func (r *AmongRow) UnmarshalJSON(b []byte) error {
	var rest struct{ Local int }
	if err := json.Unmarshal(b, &rest); err != nil {
		return err
	}
	r.Local = rest.Local
	return r.Row.UnmarshalJSON(b)
}

// AppendJSON appends the JSON of the row with its zone. It is what MarshalJSON returns.
func (r *LeagueRow) AppendJSON(dst []byte) ([]byte, error) {
	return appendWith(dst, &r.Row, "zone", r.Zone)
}

// MarshalJSON writes the row with its zone.
func (r LeagueRow) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }

// UnmarshalJSON reads what MarshalJSON writes.
func (r *LeagueRow) UnmarshalJSON(b []byte) error {
	var rest struct{ Zone Zone }
	if err := json.Unmarshal(b, &rest); err != nil {
		return err
	}
	r.Zone = rest.Zone
	return r.Row.UnmarshalJSON(b)
}

// AppendJSON appends the JSON of the move. It is what MarshalJSON returns.
func (m *Move) AppendJSON(dst []byte) ([]byte, error) { return boardjson.Append(dst, m) }

// MarshalJSON leaves out the rows that there are not.
func (m Move) MarshalJSON() ([]byte, error) { return m.AppendJSON(nil) }

// AppendJSON appends the JSON of the change. It is what MarshalJSON returns.
func (c *Change) AppendJSON(dst []byte) ([]byte, error) {
	dst, err := c.Move.AppendJSON(append(dst, `{"moves":[`...))
	for i := 0; i < len(c.Others) && err == nil; i++ {
		dst, err = c.Others[i].AppendJSON(append(dst, ','))
	}
	dst = append(dst, ']')
	if c.Duplicate {
		dst = append(dst, `,"duplicate":true`...)
	}
	if c.Skipped {
		dst = append(dst, `,"skipped":true`...)
	}
	return append(dst, '}'), err
}

// MarshalJSON writes the moves as one list.
func (c Change) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Change) UnmarshalJSON(b []byte) error {
	var x struct {
		Moves              []Move
		Duplicate, Skipped bool
	}
	if err := json.Unmarshal(b, &x); err != nil {
		return err
	}
	if *c = (Change{Duplicate: x.Duplicate, Skipped: x.Skipped}); len(x.Moves) > 0 {
		c.Move, c.Others = x.Moves[0], x.Moves[1:]
	}
	return nil
}

// MarshalJSON leaves out the member's own row if it is not ranked.
func (c Card) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&c) }

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Card) UnmarshalJSON(b []byte) error {
	err := boardjson.Read(b, c)
	c.Ranked = c.Own.Rank > 0
	return err
}

// MarshalJSON leaves out the ranks that there are not.
func (a Arrow) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&a) }

// UnmarshalJSON reads what MarshalJSON writes.
func (a *Arrow) UnmarshalJSON(b []byte) error {
	err := boardjson.Read(b, a)
	a.Ranked, a.WasRanked = a.Rank > 0, a.Was > 0
	return err
}

// MarshalJSON writes the JSON of package boardjson.
func (i Info) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&i) }

// UnmarshalJSON reads what MarshalJSON writes.
func (i *Info) UnmarshalJSON(b []byte) error { return boardjson.Read(b, i) }

// MarshalJSON writes the JSON of package boardjson.
func (u Usage) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&u) }

// UnmarshalJSON reads what MarshalJSON writes.
func (u *Usage) UnmarshalJSON(b []byte) error { return boardjson.Read(b, u) }

// MarshalJSON writes the JSON of package boardjson.
func (m Moderated) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&m) }

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Moderated) UnmarshalJSON(b []byte) error { return boardjson.Read(b, m) }

// MarshalJSON writes the JSON of package boardjson.
func (p Place) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&p) }

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Place) UnmarshalJSON(b []byte) error { return boardjson.Read(b, p) }

// MarshalJSON writes the JSON of package boardjson.
func (j Job) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&j) }

// UnmarshalJSON reads what MarshalJSON writes.
func (j *Job) UnmarshalJSON(b []byte) error { return boardjson.Read(b, j) }

// MarshalJSON writes the JSON of package boardjson.
func (h History) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&h) }

// UnmarshalJSON reads what MarshalJSON writes.
func (h *History) UnmarshalJSON(b []byte) error { return boardjson.Read(b, h) }

// MarshalJSON writes the JSON of package boardjson.
func (m Member) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&m) }

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Member) UnmarshalJSON(b []byte) error { return boardjson.Read(b, m) }

// MarshalJSON writes the JSON of package boardjson.
func (r Reverted) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&r) }

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Reverted) UnmarshalJSON(b []byte) error { return boardjson.Read(b, r) }

// MarshalJSON writes the JSON of package boardjson.
func (r JournalRow) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&r) }

// UnmarshalJSON reads what MarshalJSON writes.
func (r *JournalRow) UnmarshalJSON(b []byte) error { return boardjson.Read(b, r) }

// MarshalJSON writes the JSON of package boardjson.
func (l League) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&l) }

// UnmarshalJSON reads what MarshalJSON writes.
func (l *League) UnmarshalJSON(b []byte) error { return boardjson.Read(b, l) }

// MarshalJSON writes the JSON of package boardjson.
func (p Promotion) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&p) }

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Promotion) UnmarshalJSON(b []byte) error { return boardjson.Read(b, p) }

// MarshalJSON writes the JSON of package boardjson.
func (g GroupInfo) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&g) }

// UnmarshalJSON reads what MarshalJSON writes.
func (g *GroupInfo) UnmarshalJSON(b []byte) error { return boardjson.Read(b, g) }

// MarshalJSON writes the JSON of package boardjson.
func (j Joining) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&j) }

// UnmarshalJSON reads what MarshalJSON writes. A field that does not exist is an error.
func (j *Joining) UnmarshalJSON(b []byte) error { return boardjson.ReadStrict(b, j) }

// MarshalJSON writes the JSON of package boardjson.
func (s ClosedSubmission) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&s) }

// UnmarshalJSON reads what MarshalJSON writes. A field that does not exist is an error.
func (s *ClosedSubmission) UnmarshalJSON(b []byte) error { return boardjson.ReadStrict(b, s) }

// MarshalJSON writes the JSON of package boardjson.
func (s Submission) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&s) }

// UnmarshalJSON reads what MarshalJSON writes. A field that does not exist is an error.
func (s *Submission) UnmarshalJSON(b []byte) error { return boardjson.ReadStrict(b, s) }

// MarshalJSON implements json.Marshaler.
func (r Resettled) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&r) }

// UnmarshalJSON implements json.Unmarshaler.
func (r *Resettled) UnmarshalJSON(b []byte) error { return boardjson.Read(b, r) }
