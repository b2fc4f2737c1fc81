package events

import (
	"fmt"
	"io"
	"time"

	"github.com/zrankdb/zrank/board/window"
)

// prepare makes sure that the next row is read and judged, as the first of in.ahead. Without wait it does not wait for a stream's writer,
// and returns false if the row is not ready. If it returns true and in.ahead is empty, in.err says why.
func (in *Input) prepare(wait bool) (ready bool) {
	if len(in.ahead) == 0 && !in.more(wait) {
		return in.err != nil
	}
	if in.ahead[0].decides && !in.agreed() {
		return true
	}
	if r := &in.ahead[0]; r.judged || r.bad != nil {
		return true
	}
	return in.judge(wait)
}

// more appends one row to in.ahead and reports whether it did. Without wait it does not wait for a stream's writer.
func (in *Input) more(wait bool) bool {
	return in.err == nil && (wait || in.buffered()) && in.fetch()
}

// agreed reports whether most of the rows ahead are in the unit that the first of them has decided. If not, it ends the input with a
// *UnitError.
func (in *Input) agreed() bool {
	in.ahead[0].decides = false
	for len(in.ahead) <= lookAhead && in.tap.held() < lookAheadBytes && in.more(false) {
		// read more rows, as long as no read waits
	}
	fit, misfit := 0, 0
	var first *BadRowError
	for _, r := range in.ahead {
		switch {
		case r.bad == nil:
			fit++
		case r.bad.Fault == FaultUnit:
			if misfit++; first == nil {
				first = r.bad
			}
		}
	}
	if misfit <= fit {
		return true
	}
	in.stop(&UnitError{first.File, first.Line, fmt.Sprintf("%s; of the first %d times, %d are not in its unit", first.Reason, fit+misfit, misfit)})
	return false
}

// stop ends the input. It drops the rows that are not consumed.
func (in *Input) stop(err error) { in.ahead, in.err = in.buffer[:0], err }

// judge decides whether the next row, an event, is too far ahead, and marks it as bad if so. Without wait it does not wait for a stream's
// writer, and returns false if the rows read so far do not decide.
func (in *Input) judge(wait bool) (done bool) {
	bound, bounded := in.options.maxAhead()
	at := in.ahead[0].event.Time.Unix()
	if bounded && (in.latest == noTime || at-in.latest > bound) {
		v := vote{at: at, bound: bound, before: in.latest}
		if !in.collect(&v, wait) {
			return false
		}
		if len(in.ahead) == 0 { // the input has ended
			return true
		}
		if r := &in.ahead[0]; v.against() {
			r.bad = &BadRowError{in.shown, r.event.Line, FaultAhead, in.tooFarAhead(r.event.Time, &v)}
		}
	}
	in.ahead[0].judged = true
	return true
}

// collect counts the votes of the rows after the next one, until the vote is over. Without wait it does not wait for a stream's writer, and
// returns false if votes are missing. The first row of a stream does not wait for votes, unless one is against it. If the input breaks
// before the first vote, and earlier rows would decide, collect ends the input without consuming the row.
func (in *Input) collect(v *vote, wait bool) (done bool) {
	for i := 1; !v.over(i - 1); i++ {
		if i == len(in.ahead) {
			if in.tap.held() >= lookAheadBytes {
				break
			}
			needed := !in.stream || v.before != noTime || len(v.contra) > 0
			if !in.more(wait && needed) {
				if in.err == nil && needed {
					return false
				}
				break
			}
		}
		if r := &in.ahead[i]; r.bad == nil {
			v.count(r.event.Time.Unix())
		}
	}
	if in.err != nil && in.err != io.EOF && v.before != noTime && v.pro+len(v.contra) == 0 {
		in.stop(in.err)
	}
	return true
}

// tooFarAhead returns the reason why a row is bad.
func (in *Input) tooFarAhead(t time.Time, v *vote) string {
	bound, _ := in.options.maxAhead()
	text := fmt.Sprintf("time %s is too far ahead", t.Format(time.RFC3339Nano))
	if v.before != noTime {
		text += fmt.Sprintf(" of the rows before it, the latest of which is of %s", time.Unix(in.latest, 0).UTC().Format(time.RFC3339))
	}
	switch {
	case len(v.contra) > 0 && v.before != noTime:
		text += ", and the rows after it go back"
	case len(v.contra) > 0:
		text += " of the rows after it"
	default:
		text += ", and no row after it is as late"
	}
	return text + fmt.Sprintf("; if it is right, give --max-ahead more than %v, or forever",
		window.Duration(time.Duration(bound)*time.Second))
}
