package events

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"github.com/zrankdb/zrank/board"
)

// fetch reads one more row after those in ahead. It reports whether there is one; if not, in.err says why.
func (in *Input) fetch() bool {
	fields, bad, err := in.split()
	if err != nil {
		in.err = err
		return false
	}
	n := len(in.ahead)
	in.ahead = append(in.ahead, row{end: in.csv.InputOffset()})
	if n == 0 {
		in.buffer = in.ahead
	}
	r := &in.ahead[n]
	if was := in.times.unit; bad == nil {
		bad = in.event(fields, &r.event)
		r.decides = was != in.times.unit && in.times.numeric()
	}
	if in.err != nil { // event has set it: the row's time does not decide the unit
		in.ahead = in.ahead[:n]
		return false
	}
	r.bad, r.times = bad, in.times
	return true
}

// split reads the fields of a row. bad is the error of a malformed row.
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

// bad returns the error of the row that was split last.
func (in *Input) bad(fault Fault, reason string) *BadRowError {
	return &BadRowError{in.shown, in.line, fault, reason}
}

// event reads the fields of a row. If its time cannot decide the unit, event sets in.err.
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
	if e.Remove, reason = in.op(fields); reason != "" {
		return in.bad(FaultOp, reason)
	}
	if e.Remove {
		reason = in.noScore(fields)
	} else {
		e.Score, reason = in.score(fields)
	}
	if reason != "" {
		return in.bad(FaultScore, reason)
	}
	return nil
}

// op reports whether a row removes its member.
func (in *Input) op(fields []string) (remove bool, reason string) {
	if in.cols.op < 0 {
		return false, ""
	}
	switch text := fields[in.cols.op]; text {
	case "", "submit":
		return false, ""
	case "remove":
		return true, ""
	default:
		return false, fmt.Sprintf("op is %s, want submit, remove or nothing", quote(text))
	}
}

// noScore returns the reason why a row that removes its member is wrong: it has a score.
func (in *Input) noScore(fields []string) (reason string) {
	for i, at := range in.cols.values {
		if !leftOut(fields[at]) {
			return fmt.Sprintf("a row that removes its member has no score, but here %s is %s", in.cols.names[i], quote(fields[at]))
		}
	}
	return ""
}

// score reads the numbers of a row.
func (in *Input) score(fields []string) (s board.Score, reason string) {
	values := in.values[:0]
	for i, at := range in.cols.values {
		v, reason := board.Absent, ""
		if !leftOut(fields[at]) {
			v, reason = parseValue(in.cols.names[i], fields[at])
		} else if !in.cols.absent[i] {
			reason = in.cols.names[i] + " is missing"
		}
		if reason != "" {
			return s, reason
		}
		values = append(values, v)
	}
	return board.Values(values...), ""
}
