package events

import (
	"io"
)

// Next returns the next event. The error is io.EOF at the end, and a *BadRowError for a row that is not an event: the row
// is not consumed, so a Position taken now is before it, and Next repeats the error until Skip. Any other error ends the input, and
// Next repeats it: for example a *UnitError if the unit of the times is not known.
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

// Skip consumes the bad row whose error Next has returned. Otherwise it does nothing.
func (in *Input) Skip() {
	if len(in.ahead) > 0 && in.ahead[0].bad != nil {
		in.take()
	}
}

// take consumes the next row: it is part of the position from then on.
func (in *Input) take() {
	r := &in.ahead[0]
	if r.bad == nil {
		in.latest = max(in.latest, r.event.Time.Unix())
	}
	in.unit = r.times
	in.consumed(r.end)
	if in.ahead = in.ahead[1:]; len(in.ahead) == 0 {
		in.ahead = in.buffer[:0]
	}
}

// consumed counts a row that ends at end.
func (in *Input) consumed(end int64) {
	in.rows++
	in.tap.taken = end
}

// Ready reports whether Next returns without waiting for a stream's writer: a whole row has been read, and the rows that it is compared
// with, if any. A file is always ready. O(bytes read ahead).
func (in *Input) Ready() bool { return !in.stream || in.prepare(false) }
