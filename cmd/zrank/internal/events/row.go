package events

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"github.com/zrankdb/zrank/engine/board"
)

// row is a row that has been read and not consumed.
type row struct {
	event   Event
	bad     *BadRowError // why it is not an event
	end     int64        // where it ends in the text
	times   times        // the unit of times, as it is after the row
	decides bool         // its time decided for a unit of numbers, and the rows after it were not asked yet
	judged  bool         // it has been compared with the rows around it
}

// Next returns the next event. The error is io.EOF at the end, and a *BadRowError for a row that is not an event: the row
// is not consumed, so that a Position taken now lies before it, and Next repeats the error until Skip. Any other error ends
// the input, and Next repeats it; it is a *UnitError when nobody can say what unit the times are in.
func (in *Input) Next() (Event, error) {
	in.prepare(true)
	if len(in.ahead) == 0 {
		in.done = in.err == io.EOF
		return Event{}, in.err
	}
	r := &in.ahead[0]
	if r.bad != nil {
		return Event{}, r.bad
	}
	e := r.event
	in.take()
	return e, nil
}

// Skip consumes the bad row that Next has returned an error for. Otherwise it does nothing.
func (in *Input) Skip() {
	if len(in.ahead) > 0 && in.ahead[0].bad != nil {
		in.take()
	}
}

// take consumes the next row: from here on it is part of the position.
func (in *Input) take() {
	r := &in.ahead[0]
	if r.bad == nil {
		in.latest = max(in.latest, r.event.Time.Unix())
	}
	in.unit = r.times
	in.consumed(r.end)
	if in.ahead = in.ahead[1:]; len(in.ahead) == 0 {
		in.ahead = in.room[:0]
	}
}

// consumed counts a row that ends at end.
func (in *Input) consumed(end int64) {
	in.rows++
	in.tap.taken = end
}

// fetch reads one more row behind those that have been read. It reports whether there is one; in.err says why not.
func (in *Input) fetch() bool {
	fields, bad, err := in.split()
	if err != nil {
		in.err = err
		return false
	}
	n := len(in.ahead)
	in.ahead = append(in.ahead, row{end: in.csv.InputOffset()})
	if n == 0 {
		in.room = in.ahead
	}
	r := &in.ahead[n]
	if was := in.times.unit; bad == nil {
		bad = in.event(fields, &r.event)
		r.decides = was != in.times.unit && in.times.numeric()
	}
	if in.err != nil { // the row leaves the unit open
		in.ahead = in.ahead[:n]
		return false
	}
	r.bad, r.times = bad, in.times
	return true
}

// split reads the fields of a row. bad says why the CSV reader could not.
func (in *Input) split() (fields []string, bad *BadRowError, err error) {
	in.tap.row = in.csv.InputOffset()
	fields, err = in.csv.Read()
	if err == nil {
		in.line, _ = in.csv.FieldPos(0)
		return fields, nil, nil
	}
	var parse *csv.ParseError
	switch {
	case err == io.EOF:
		return nil, nil, in.end()
	case !errors.As(err, &parse):
		return nil, nil, in.broken(err)
	case in.tap.brokenAt(in.csv.InputOffset()):
		return nil, nil, in.broken(in.tap.err)
	}
	in.line = parse.StartLine
	reason := fmt.Sprintf("not CSV: %v in column %d", parse.Err, parse.Column)
	if parse.Line != parse.StartLine {
		reason += fmt.Sprintf(" of line %d", parse.Line)
	}
	return nil, in.bad(FaultCSV, reason), nil
}

// end returns io.EOF, unless the file is not the one that was opened: something wrote to it.
func (in *Input) end() error {
	if in.id.Size > 0 && in.BytesRead() != in.id.Size {
		return &ChangedError{in.shown, fmt.Sprintf(
			"changed while it was read: it had %d bytes when it was opened and %d at its end", in.id.Size, in.BytesRead())}
	}
	return io.EOF
}

// bad is the error of the row that was split last.
func (in *Input) bad(fault Fault, reason string) *BadRowError {
	return &BadRowError{in.shown, in.line, fault, reason}
}

// event reads the fields of a row. If its time leaves the unit of the input open, in.err says so.
func (in *Input) event(fields []string, e *Event) (bad *BadRowError) {
	if len(fields) != in.cols.count {
		return in.bad(FaultFields, fmt.Sprintf("%d fields where the header has %d", len(fields), in.cols.count))
	}
	e.Line = in.line
	e.Member = fields[in.cols.member]
	if reason := checkMember(e.Member); reason != "" {
		return in.bad(FaultMember, reason)
	}
	if in.cols.board >= 0 {
		e.Board = fields[in.cols.board]
		if reason := checkBoard(e.Board); reason != "" {
			return in.bad(FaultBoard, reason)
		}
	}
	var wrong *timeError
	if e.Time, wrong = in.times.parse(fields[in.cols.time]); wrong != nil {
		if wrong.ends {
			in.err = &UnitError{in.shown, in.line, wrong.reason}
		}
		return in.bad(wrong.fault, wrong.reason)
	}
	var reason string
	if e.Score, reason = in.score(fields); reason != "" {
		return in.bad(FaultScore, reason)
	}
	return nil
}

// score reads the numbers of a row.
func (in *Input) score(fields []string) (s board.Score, reason string) {
	values := in.values[:0]
	for i, at := range in.cols.values {
		v, reason := parseValue(in.cols.names[i], fields[at])
		if reason != "" {
			return s, reason
		}
		values = append(values, v)
	}
	return board.Values(values...), ""
}
