package combine

import (
	"encoding/binary"
	"errors"
	"fmt"

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

// Submit returns the entry after a result, also decoded. changed reports whether the ranking has another one then; what is kept may differ without that. Errors: those of the
// rules; then next is e.
func (e Entry) Submit(r *rules.Rules, sub rules.Entry) (next Entry, is rules.Entry, changed bool, err error) {
	if e.OK {
		is = r.Decode(e.Score, e.Tie)
	}
	next = e
	switch {
	case r.K() > 0:
		results, ok := r.DecodeKept(e.Kept)
		if !ok && len(e.Kept) > 0 {
			return e, is, false, fmt.Errorf("%w: %d bytes", ErrKept, len(e.Kept))
		}
		is, changed, results, err = r.ApplyKept(is, e.OK, results, sub)
		next.Kept = r.AppendKept(nil, results)
	case r.Timed() > 0:
		is, changed, next.Kept, err = r.ApplyTimed(is, e.OK, e.Kept, sub)
	default:
		is, changed, err = r.Apply(is, e.OK, sub)
	}
	if err != nil {
		return e, is, false, err
	}
	if changed {
		next.OK = true
		next.Score, next.Tie = r.Encode(nil, is)
	}
	return next, is, changed, nil
}

// Ignores says why a result that Submit has not changed the entry for does not count.
func (e Entry) Ignores(r *rules.Rules, sub rules.Entry) rules.Ignored {
	if r.K() > 0 {
		results, _ := r.DecodeKept(e.Kept)
		return r.IgnoresKept(results, sub)
	}
	return r.Ignores(r.Decode(e.Score, e.Tie), e.Kept, sub)
}

// Merge returns the entry that a member has after the results of another one were submitted for it too, at the times at which they happened. Error: of the
// rules, if the score is out of range; then next is e.
func (e Entry) Merge(r *rules.Rules, from Entry) (next Entry, err error) {
	if !e.OK {
		return from, nil
	}
	entry, other := r.Decode(e.Score, e.Tie), r.Decode(from.Score, from.Tie)
	sub := rules.Entry{Score: r.Submitted(other.Score), Reached: other.Reached}
	next.OK, next.Kept = true, e.Kept
	switch {
	case r.K() > 0:
		entry, next.Kept, err = mergeKept(r, entry, e.Kept, other, from.Kept)
	case r.Timed() > 0:
		if r.Ties() == rules.ByMember {
			sub.Reached = latest(from.Kept)
		}
		entry, _, next.Kept, err = r.ApplyTimed(entry, true, e.Kept, sub)
	default:
		entry, _, err = r.Apply(entry, true, sub)
	}
	if err != nil {
		return e, err
	}
	next.Score, next.Tie = r.Encode(nil, entry)
	return next, nil
}

// latest returns the latest of stored times: with ByMember an entry has none; 0 if they are not known.
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
