package rules

import (
	"encoding/binary"
	"math"
)

// Last and First go by the times when results happened. The time of the result that counts is often that of the entry, Reached. It is another one
// if a later result has repeated the score, which does not move the member (R1), and in a column beside others. Then it is stored beside the entry:
// the times of all columns that go by them. With ByMember entries have no time, and these are always stored.

// Times are the times, in microseconds after 1970, of the results that count in the columns that go by them: only the first Timed are in use.
type Times [MaxColumns]int64

// Timed returns the number of times of an entry: 1 if the operator is Last or First, else the number of columns that have one of these as their own
// operator. O(1).
func (r *Rules) Timed() int { return len(r.timed) }

// findTimed finds the columns that go by times.
func (r *Rules) findTimed() {
	for i := range r.columns {
		if op := or(r.columns[i].Op, r.op); r.columns[i].Of == nil && (op == Last || op == First) {
			r.timed = append(r.timed, i)
		}
	}
	if len(r.timed) > 0 && !r.op.byColumn() {
		r.timed = r.timed[:1]
	}
}

// untold returns the time that an entry tells by itself. With ByMember it tells none: then the least time makes the order of arrival count.
func (r *Rules) untold(e Entry) int64 {
	if r.ties == ByMember {
		return math.MinInt64
	}
	return e.Reached
}

// setTimes sets the times of an entry: those that are stored beside it, or what it tells by itself.
func (r *Rules) setTimes(times *Times, e Entry, stored []byte) {
	for i := range r.timed {
		times[i] = r.untold(e)
	}
	for i := range len(stored) / 8 {
		times[i] = int64(binary.BigEndian.Uint64(stored[8*i:]))
	}
}

// appendTimes returns the stored form of times: 8 bytes each, or nothing if the entry tells them.
func (r *Rules) appendTimes(times *Times, e Entry) (stored []byte) {
	told := true
	for i := range r.timed {
		told = told && times[i] == r.untold(e)
	}
	if told {
		return nil
	}
	for i := range r.timed {
		stored = binary.BigEndian.AppendUint64(stored, uint64(times[i]))
	}
	return stored
}

// TimesWidth returns the length of stored times that are not empty. O(1).
func (r *Rules) TimesWidth() int { return 8 * len(r.timed) }
