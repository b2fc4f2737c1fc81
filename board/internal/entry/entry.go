package entry

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
)

// ErrKept is returned for kept results that cannot be read.
var ErrKept = errors.New("board: the kept results of a member cannot be read")

// Entry is an entry as a ranking has it, with what is kept beside it.
type Entry struct {
	Score int64
	Tie   []byte
	OK    bool   // there is one
	Kept  []byte // results, or times
}

// Apply returns what a result makes of an entry that a member has, and of what is kept beside it.
// changed reports whether the ranking has another entry then; what is kept may be another one
// without that. ignored says why the result does not count, if that is known. Errors: those of the
// rules, ErrKept.
func Apply(r *rules.Rules, was rules.Entry, had bool, kept []byte, sub rules.Entry) (
	is rules.Entry, changed bool, keeps []byte, ignored rules.Ignored, err error) {
	if r.K() == 0 {
		if r.Timed() > 0 {
			is, changed, keeps, err = r.ApplyTimed(was, had, kept, sub)
		} else {
			is, changed, err = r.Apply(was, had, sub)
		}
		if err == nil && !changed {
			ignored = r.Ignores(was, kept, sub)
		}
		return is, changed, keeps, ignored, err
	}
	results, ok := r.DecodeKept(kept)
	if !ok && (had || len(kept) > 0) {
		return was, false, kept, "", fmt.Errorf("%w: %d bytes", ErrKept, len(kept))
	}
	var after []rules.Result
	if is, changed, after, err = r.ApplyKept(was, had, results, sub); err != nil {
		return was, false, kept, "", err
	}
	if !changed {
		ignored = r.IgnoresKept(results, sub)
	}
	return is, changed, r.AppendKept(nil, after), ignored, nil
}

// Meets reports whether a submission of a score meets its condition: had says whether the member
// has an entry in the first window, and was which score. Error: of the rules.
func Meets(r *rules.Rules, c board.Condition, had bool, was, score rules.Score) (bool, error) {
	switch c {
	case board.IfNew:
		return !had, nil
	case board.IfRanked:
		return had, nil
	case board.IfBetter:
		own, err := r.Check(score)
		if err != nil {
			return false, err
		}
		return !had || r.Compare(own, was) < 0, nil
	}
	return true, nil
}

// Decoded returns the entry as the rules read it; it is zero if there is none.
func (e Entry) Decoded(r *rules.Rules) (is rules.Entry) {
	if e.OK {
		is = r.Decode(e.Score, e.Tie)
	}
	return is
}

// Submit returns the entry after a result, also decoded, and what Apply says of it. Errors: those
// of Apply; then next is e.
func (e Entry) Submit(r *rules.Rules, sub rules.Entry) (
	next Entry, is rules.Entry, changed bool, ignored rules.Ignored, err error) {
	next = e
	if is, changed, next.Kept, ignored, err = Apply(r, e.Decoded(r), e.OK, e.Kept, sub); err != nil {
		return e, is, false, "", err
	}
	if changed {
		next.OK = true
		next.Score, next.Tie = r.Encode(nil, is)
	}
	return next, is, changed, ignored, nil
}

// Merge returns the entry that a member has after the results of another one were submitted for it
// too, at the times at which they happened. Error: of the rules, if the score is out of range; then
// next is e.
func (e Entry) Merge(r *rules.Rules, from Entry) (next Entry, err error) {
	if !e.OK {
		return from, nil
	}
	entry, other := r.Decode(e.Score, e.Tie), r.Decode(from.Score, from.Tie)
	next.OK = true
	if r.K() > 0 {
		entry, next.Kept, err = mergeKept(r, entry, e.Kept, other, from.Kept)
	} else {
		at := other.Reached
		if r.Ties() == rules.ByMember {
			at = latest(from.Kept)
		}
		entry, next.Kept, err = r.Merge(entry, e.Kept, other, at)
	}
	if err != nil {
		return e, err
	}
	next.Score, next.Tie = r.Encode(nil, entry)
	return next, nil
}

// latest returns the latest of stored times: with ByMember an entry has none; 0 if they are not
// known.
func latest(times []byte) (at int64) {
	for i := 0; i+8 <= len(times); i += 8 {
		if x := int64(binary.BigEndian.Uint64(times[i:])); i == 0 || x > at {
			at = x
		}
	}
	return at
}

// mergeKept adds the results that the operator keeps of another member.
func mergeKept(r *rules.Rules, entry rules.Entry, into []byte, other rules.Entry, from []byte) (rules.Entry, []byte, error) {
	results, ok := r.DecodeKept(into)
	others, also := r.DecodeKept(from)
	if !ok || !also {
		return entry, into, fmt.Errorf("%w: %d and %d bytes", ErrKept, len(into), len(from))
	}
	next, results, err := r.MergeKept(entry, results, other, others)
	if err != nil {
		return entry, into, err
	}
	return next, r.AppendKept(nil, results), nil
}

// ScoreFunc computes the score of a submission from the member's row: see Board.SubmitFunc.
type ScoreFunc func(was board.Row, ranked bool) (rules.Score, bool)

// Displaced returns how many members have another rank when the entry of one of them goes, and that
// of a second one comes to another place, or comes at all. from and to are the places of the two
// among the others, from 0; to is -1 without an entry. next is where the second one is in the end,
// and others the number of the others.
func Displaced(from, to, next, others int) int {
	if to < 0 { // the second one takes the place of the first, but for its name
		return max(from-next, next-from)
	}
	gone, lo, hi := others-from, min(to, next), max(to, next) // those behind from come forward; those in [lo, hi) go back, or forward
	both := max(hi-max(from, lo), 0)
	if next < to { // they stay where they are
		return gone + hi - lo - 2*both
	}
	return gone + hi - lo - both
}
