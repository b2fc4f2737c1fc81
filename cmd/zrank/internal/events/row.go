package events

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"github.com/zrankdb/zrank/engine/board"
)

// Next returns the next event. The error is io.EOF at the end, and a *BadRowError for a row that is not an event: the row
// is not consumed, so that a Position taken now lies before it, and Next repeats the error until Skip. Any other error ends
// the input, and Next repeats it.
func (in *Input) Next() (Event, error) {
	if err := in.fetch(); err != nil {
		return Event{}, err
	}
	e, reason := in.event()
	if reason != "" {
		return Event{}, &BadRowError{in.shown, in.line, reason}
	}
	in.take()
	return e, nil
}

// Skip consumes the bad row that Next has returned an error for. Otherwise it does nothing.
func (in *Input) Skip() {
	if in.ahead {
		in.take()
	}
}

// fetch splits the next row into fields without consuming it. Until take, calling it again does nothing.
func (in *Input) fetch() error {
	if in.ahead || in.err != nil {
		return in.err
	}
	fields, err := in.csv.Read()
	if err != nil {
		return in.unsplit(err)
	}
	in.fields, in.bad, in.ahead = fields, "", true
	in.line, _ = in.csv.FieldPos(0)
	return nil
}

// unsplit tells a row that the CSV reader could not split from the end of the input and from a broken source.
func (in *Input) unsplit(err error) error {
	var split *csv.ParseError
	switch {
	case err == io.EOF:
		in.err = in.end()
	case !errors.As(err, &split):
		in.err = in.broken(err)
	case in.tap.brokenAt(in.csv.InputOffset()):
		in.err = in.broken(in.tap.err)
	default:
		in.ahead, in.line = true, split.StartLine
		in.bad = fmt.Sprintf("not CSV: %v in column %d", split.Err, split.Column)
		if split.Line != split.StartLine {
			in.bad += fmt.Sprintf(" of line %d", split.Line)
		}
	}
	return in.err
}

// end returns io.EOF, unless the file is not the one that was opened: something wrote to it.
func (in *Input) end() error {
	if in.id.Size > 0 && in.BytesRead() != in.id.Size {
		return &ChangedError{in.shown, fmt.Sprintf(
			"changed while it was read: it had %d bytes when it was opened and %d at its end", in.id.Size, in.BytesRead())}
	}
	return io.EOF
}

// take consumes the row that fetch split: from here on it is part of the position.
func (in *Input) take() {
	in.ahead = false
	in.rows++
	in.tap.taken = in.csv.InputOffset()
}

// event reads the fields of the row. A reason that is not empty says why it is a bad one.
func (in *Input) event() (e Event, reason string) {
	if in.bad != "" {
		return e, in.bad
	}
	if len(in.fields) != in.cols.count {
		return e, fmt.Sprintf("%d fields where the header has %d", len(in.fields), in.cols.count)
	}
	e.Line = in.line
	e.Member = in.fields[in.cols.member]
	if e.Member == "" {
		return e, "member is empty"
	}
	if reason = checkName("member", e.Member, maxMember); reason != "" {
		return e, reason
	}
	if in.cols.board >= 0 {
		e.Board = in.fields[in.cols.board]
		if reason = checkName("board", e.Board, maxBoard); reason != "" {
			return e, reason
		}
	}
	if e.Time, reason = parseTime(in.fields[in.cols.time]); reason != "" {
		return e, reason
	}
	e.Score, reason = in.score()
	return e, reason
}

// score reads the numbers of the row.
func (in *Input) score() (s board.Score, reason string) {
	values := in.values[:0]
	for i, at := range in.cols.values {
		v, reason := parseValue(in.cols.names[i], in.fields[at])
		if reason != "" {
			return s, reason
		}
		values = append(values, v)
	}
	return board.Values(values...), ""
}
