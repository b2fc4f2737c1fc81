package boardoracle

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/zrankdb/zrank/board"
)

// merge returns the entry of a member after a submission, and whether the submission changes it. all are the member's results, of which the
// submission is the last.
func (w *World) merge(old entry, had bool, all []entry, sub entry, at int64) (next entry, changed bool, err error) {
	if w.spec.K == 0 {
		return merge(w.spec, old, had, sub, at)
	}
	counted := counted(w.spec, all)
	next = entry{arrival: sub.arrival, meta: old.meta}
	for i, c := range w.spec.Columns {
		var sum big.Int
		for _, r := range counted {
			sum.Add(&sum, big.NewInt(units(r.score[i])))
		}
		if !sum.IsInt64() {
			return old, false, board.ErrOverflow
		}
		next.score = append(next.score, board.Int(sum.Int64()))
		if !inBounds(c, next.score[i]) {
			err = board.ErrBounds
		}
	}
	if err != nil {
		return old, false, err
	}
	switch {
	case w.spec.Ties == board.ByMember:
		next.arrival = 0
	case w.spec.Op == board.DropWorst:
		next.reached = w.reached(old, had, all, counted)
	default:
		for _, r := range counted {
			next.reached = max(next.reached, r.reached)
		}
	}
	if had && slices.Equal(next.score, old.score) && (w.spec.Ties != board.FirstToReach || next.reached >= old.reached) {
		return old, false, nil
	}
	return next, true, nil
}

// reached returns when a score of DropWorst was reached: with the latest result that has begun to count.
func (w *World) reached(old entry, had bool, all, counts []entry) int64 {
	if !had {
		return all[len(all)-1].reached
	}
	at, before := old.reached, counted(w.spec, all[:len(all)-1])
	for _, r := range counts {
		if !slices.ContainsFunc(before, func(b entry) bool { return b.arrival == r.arrival }) {
			at = max(at, r.reached)
		}
	}
	return at
}

// counted returns the results that count among all of a member.
func counted(spec board.Spec, all []entry) []entry {
	sorted := slices.SortedFunc(slices.Values(all), func(a, b entry) int {
		earlier := cmp.Or(cmp.Compare(a.reached, b.reached), cmp.Compare(a.arrival, b.arrival))
		if spec.Op == board.LastOf {
			return -earlier
		}
		return cmp.Or(compareScores(spec.Columns, a.score, b.score), earlier)
	})
	n := spec.K
	if spec.Op == board.DropWorst {
		n = max(len(all)-spec.K, 0)
	}
	return sorted[:min(n, len(sorted))]
}
