package moderation

import (
	"encoding/binary"
	"fmt"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// stored is an entry as a ranking and the private key beside it have it.
type stored struct {
	score int64
	tie   []byte
	ok    bool   // there is one
	kept  []byte // results, or times
}

// keptVersion is the length of the board's version before stored times.
const keptVersion = 8

// readKept reads what is kept beside the entry of a member.
func (s *stored) readKept(tx *engine.Tx, st *state.State, window, period, member string) (err error) {
	if st.Rules.K() == 0 && st.Rules.Timed() == 0 || !s.ok {
		return nil
	}
	if s.kept, _, err = tx.Get(boardkey.Kept(st.Name, window, period, member)); err != nil || st.Rules.K() > 0 {
		return err
	}
	if len(s.kept) < keptVersion || binary.BigEndian.Uint64(s.kept) != uint64(st.Version) {
		s.kept = nil
		return nil
	}
	s.kept = s.kept[keptVersion:]
	return nil
}

// putKept stores what is kept beside the entry of a member.
func (s *stored) putKept(tx *engine.Tx, st *state.State, t *state.Timeline, period, member string) error {
	if st.Rules.K() == 0 && st.Rules.Timed() == 0 {
		return nil
	}
	key := boardkey.Kept(st.Name, t.Window.Name, period, member)
	if len(s.kept) == 0 {
		return tx.Delete(key)
	}
	t.Times.Store(state.SomeTimes)
	if st.Rules.K() > 0 {
		return tx.Put(key, s.kept)
	}
	return tx.Put(key, append(binary.BigEndian.AppendUint64(nil, uint64(st.Version)), s.kept...))
}

// rankAt returns the rank of an entry of a closed period by the rank that it would have if others had closed up; 0 stays 0, as in parts.
func rankAt(st *state.State, r *state.Record, closedUp int, s stored) int {
	if closedUp == 0 {
		return 0
	}
	return closedUp + r.VacantBefore(st.Version, s.score, s.tie)
}

// submit returns the entry after a result. Errors: those of the rules.
func (s stored) submit(st *state.State, sub rules.Entry) (next stored, err error) {
	r, entry := st.Rules, rules.Entry{}
	if s.ok {
		entry = r.Decode(s.score, s.tie)
	}
	next = stored{ok: true, kept: s.kept}
	switch {
	case r.K() > 0:
		results, _ := r.DecodeKept(s.kept)
		entry, _, results, err = r.ApplyKept(entry, s.ok, results, sub)
		next.kept = r.AppendKept(nil, results)
	case r.Timed() > 0:
		entry, _, next.kept, err = r.ApplyTimed(entry, s.ok, s.kept, sub)
	default:
		entry, _, err = r.Apply(entry, s.ok, sub)
	}
	if err != nil {
		return s, err
	}
	next.score, next.tie = r.Encode(nil, entry)
	return next, nil
}

// combine returns the entry that a member has after the results of another one were submitted for it too, at the times at which they happened. Error: of the
// rules, if the score is out of range.
func combine(st *state.State, into, from stored) (next stored, err error) {
	if !into.ok {
		return from, nil
	}
	r := st.Rules
	entry, other := r.Decode(into.score, into.tie), r.Decode(from.score, from.tie)
	sub := rules.Entry{Score: r.Submitted(other.Score), Reached: other.Reached}
	next.ok, next.kept = true, into.kept
	switch {
	case r.K() > 0:
		entry, next.kept, err = combineKept(r, entry, into.kept, other, from.kept)
	case r.Timed() > 0:
		if r.Ties() == rules.ByMember {
			sub.Reached = latest(from.kept)
		}
		entry, _, next.kept, err = r.ApplyTimed(entry, true, into.kept, sub)
	default:
		entry, _, err = r.Apply(entry, true, sub)
	}
	if err != nil {
		return into, err
	}
	next.score, next.tie = r.Encode(nil, entry)
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

// combineKept adds the results that the operator keeps of another member.
func combineKept(r *rules.Rules, entry rules.Entry, into []byte, other rules.Entry, from []byte) (rules.Entry, []byte, error) {
	results, ok := r.DecodeKept(into)
	others, also := r.DecodeKept(from)
	if !ok || !also {
		return entry, into, fmt.Errorf("board: kept results of %d and %d bytes cannot be read", len(into), len(from))
	}
	next, results, err := r.MergeKept(entry, results, other, others)
	if err != nil {
		return entry, into, err
	}
	return next, r.AppendKept(nil, results), nil
}

// deleteBeside deletes what is stored beside a member's entry in a period.
func deleteBeside(tx *engine.Tx, st *state.State, window, period, member string) error {
	if err := tx.Delete(boardkey.Kept(st.Name, window, period, member)); err != nil {
		return err
	}
	return tx.Delete(boardkey.Meta(st.Name, window, period, member))
}
