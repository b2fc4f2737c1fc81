package rules

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// An operator that keeps results orders the results of a member, and keeps the first k of that order: the best of BestOf, the newest of LastOf,
// the worst of DropWorst. They are all that the operator needs beside the entry to apply the next result. Scores are ranked as wholes, by the
// order of the columns, and added up column by column.

// MaxK is the largest k of an operator that keeps results.
const MaxK = 100

// Result is a result that is kept for a member.
type Result struct {
	Score Score // as submitted
	At    int64 // when it happened, in microseconds after 1970; with the tie rule ByMember too
}

// K returns the k of an operator that keeps results: the largest number of them that a member has. 0: the operator keeps none.
func (r *Rules) K() int { return r.k }

// ApplyKept is Apply for an operator that keeps results. kept are those of the member, in the order in which ApplyKept has returned them; after
// are those to keep now, which may differ although the entry is as it was. It does not change kept. O(k columns). Errors: those of Apply; then
// next is old, and after is kept.
func (r *Rules) ApplyKept(old Entry, had bool, kept []Result, sub Entry) (next Entry, changed bool, after []Result, err error) {
	if sub.Score, err = r.Check(sub.Score); err != nil {
		return old, false, kept, err
	}
	after, out := r.keep(kept, Result{sub.Score, sub.Reached})
	next = Entry{Reached: sub.Reached, Arrival: sub.Arrival}
	switch {
	case r.op != DropWorst:
		next.Reached = after[0].At
		for _, x := range after {
			next.Reached = max(next.Reached, x.At)
		}
		next.Score, err = r.total(sub.Score, after...)
	case !had:
		next.Score, err = r.total(sub.Score)
	case out == nil:
		return old, false, after, nil
	default:
		next.Reached = max(old.Reached, out.At)
		next.Score, err = r.total(sub.Score, Result{Score: old.Score}, *out)
	}
	if err == nil {
		err = r.inBounds(next.Score)
	}
	if err != nil {
		return old, false, kept, err
	}
	if r.ties == ByMember {
		next.Reached, next.Arrival = 0, 0
	}
	older := r.ties == FirstToReach && next.Reached < old.Reached
	if had && next.Score == old.Score && !older {
		return old, false, after, nil
	}
	return next, true, after, nil
}

// MergeKept returns the entry of a member that gets the results of another one too, and the results to keep of both. kept are those of the member, whose entry
// is old, and others those of the other one, whose entry is also; of results that happened at one time its own count as the earlier ones. With DropWorst the sum of
// what neither has kept is in the two scores. It does not change kept and others. O(k^2 + k columns). Errors: those of Apply; then next is old, and after is kept.
func (r *Rules) MergeKept(old Entry, kept []Result, also Entry, others []Result) (next Entry, after []Result, err error) {
	after, next = kept, Entry{Reached: max(old.Reached, also.Reached)}
	sums := []Result{{Score: old.Score}, {Score: also.Score}}
	for i := range others {
		x := others[i]
		if r.op == LastOf { // the last to arrive is the first of them
			x = others[len(others)-1-i]
		}
		var out *Result
		if after, out = r.keep(after, x); out != nil && r.op == DropWorst {
			sums, next.Reached = append(sums, *out), max(next.Reached, out.At)
		}
	}
	if r.op != DropWorst {
		sums, next.Reached = after, after[0].At
		for _, x := range after {
			next.Reached = max(next.Reached, x.At)
		}
	}
	next.Score, err = r.total(also.Score, sums...)
	if err == nil {
		err = r.inBounds(next.Score)
	}
	if err != nil {
		return old, kept, err
	}
	if r.ties == ByMember {
		next.Reached = 0
	}
	if next.Score == old.Score && (r.ties != FirstToReach || next.Reached >= old.Reached) {
		return old, after, nil
	}
	next.Arrival = mergedArrival(next, old, also)
	return next, after, nil
}

// keep returns the results to keep when one more has come, and the one that is not kept any more, nil for none.
func (r *Rules) keep(kept []Result, result Result) (after []Result, out *Result) {
	first := 0 // where the operator's order puts it
	for _, x := range kept {
		if c := r.compareKept(x, result); c > 0 || c == 0 && r.op != BestOf {
			break
		}
		first++
	}
	after = make([]Result, 0, len(kept)+1)
	after = append(append(append(after, kept[:first]...), result), kept[first:]...)
	if len(after) > r.k {
		out, after = &after[r.k], after[:r.k]
	}
	return after, out
}

// compareKept compares two results by the operator's order. Of equal scores the earlier one counts. Results for which it returns 0 are ordered
// by their arrival: LastOf has the last to arrive first.
func (r *Rules) compareKept(a, b Result) int {
	later := 0
	switch {
	case a.At > b.At:
		later = 1
	case a.At < b.At:
		later = -1
	}
	c := 0
	switch r.op {
	case LastOf:
		return -later
	case DropWorst:
		c, later = -r.Compare(a.Score, b.Score), -later
	default:
		c = r.Compare(a.Score, b.Score)
	}
	if c != 0 {
		return c
	}
	return later
}

// total returns the sum of results in each column; 0 for none. It is exact: only the sum itself must be in range. submitted is for the error, a
// *ScoreError with ErrOverflow.
func (r *Rules) total(submitted Score, results ...Result) (Score, error) {
	var b builder
	b.grow(len(r.columns))
	for i := range r.columns {
		var low, high uint64 // 128 bits
		absent := r.columns[i].Absent != ""
		for _, x := range results {
			value := x.Score.At(i)
			if value.IsAbsent() {
				continue
			}
			absent = false
			v, carry := value.bits, uint64(0)
			low, carry = bits.Add64(low, v, 0)
			high += uint64(int64(v)>>63) + carry
		}
		switch {
		case absent:
			b.add(Absent)
			continue
		case r.columns[i].Of != nil:
			low = 0 // compute sets it
		case high != uint64(int64(low)>>63):
			return Score{}, r.columns[i].fault(i, submitted.At(i), ErrOverflow)
		}
		b.add(Value{low, uint8(r.columns[i].Decimals)})
	}
	s := b.score()
	return s, r.compute(&s)
}

// AppendKept appends the stored form of kept results: for each its time and its columns, 8 bytes each. O(results columns).
func (r *Rules) AppendKept(dst []byte, kept []Result) []byte {
	for _, x := range kept {
		dst = binary.BigEndian.AppendUint64(dst, uint64(x.At))
		for i := range r.columns {
			dst = binary.BigEndian.AppendUint64(dst, r.columns[i].keptBits(x.Score.At(i)))
		}
	}
	return dst
}

// DecodeKept is the inverse of AppendKept. It returns false for bytes that are not those of 1 to k results in the operator's order.
// O(results columns).
func (r *Rules) DecodeKept(stored []byte) (kept []Result, ok bool) {
	width := 8 * (1 + len(r.columns))
	if n := len(stored) / width; n < 1 || n > r.k || len(stored)%width != 0 {
		return nil, false
	}
	for text := range slices.Chunk(stored, width) {
		x := Result{At: int64(binary.BigEndian.Uint64(text))}
		var b builder
		b.grow(len(r.columns))
		for i := range r.columns {
			v := Value{binary.BigEndian.Uint64(text[8*(1+i):]), uint8(r.columns[i].Decimals)}
			if r.columns[i].isReserved(v) {
				v = Absent
			}
			b.add(v)
		}
		if x.Score = b.score(); len(kept) > 0 && r.compareKept(kept[len(kept)-1], x) > 0 {
			return nil, false
		}
		kept = append(kept, x)
	}
	return kept, true
}

// keptBits returns the bits of a value in stored results. Absent has those of the value that it takes the place of.
func (c *Column) keptBits(v Value) uint64 {
	if v.IsAbsent() {
		return c.decodeValue(c.absentCode(64)).bits
	}
	return v.bits
}
