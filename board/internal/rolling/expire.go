package rolling

import (
	"encoding/binary"
	"sync"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// Due is when the next result leaves a rolling window, as a transaction has found it. The zero Due is that of one that had nothing to find.
type Due struct {
	roll  *state.Roll
	begun uint64
	first int64
}

// Raise notes it, once the transaction has been committed: see state.Roll.
func (d Due) Raise() {
	if d.roll != nil {
		d.roll.Raise(d.begun, d.first)
	}
}

// begin finds when the next result leaves.
func (s *Sets) begin() Due { return Due{s.t.Roll, s.t.Roll.Begin(), s.head()} }

// Expire removes the results that have left by the time of the transaction, but at most limit of
// them, and tells the observers of the board. It reports whether more have left. The caller calls
// Due.Raise after the commit. O(1) if nothing is due, else O(log n) for each result, and what the
// observers take. Errors: those of the observers and of the engine.
func (s *Sets) Expire(limit int) (d Due, more bool, err error) {
	now := s.tx.Now().UnixMicro()
	if now < s.t.Roll.Next() {
		return Due{}, false, nil
	}
	e := expiries.Get().(*expiry)
	for e.Sets = s; err == nil && limit > 0 && s.head() <= now; limit -= max(e.removed, 1) {
		if e.now = now; len(s.b.Followers()) > 0 { // groups reach a score when a result leaves
			e.now = s.head()
		}
		e.limit, e.removed, e.gone = min(limit, StepSize), 0, 0
		err = e.run()
	}
	*e = expiry{names: e.names[:0], members: e.members[:0], parts: e.parts[:0]}
	expiries.Put(e)
	if err != nil {
		return Due{}, false, err
	}
	d = s.begin()
	return d, d.first <= now, nil
}

// expiries reuses the memory of expiries.
var expiries = sync.Pool{New: func() any { return new(expiry) }}

// StepSize is the number of results that a step removes at most: about a millisecond of locks.
const StepSize = 256

// expiry removes results of the members whose timers are the first.
type expiry struct {
	*Sets
	now     int64 // what has left by then is removed
	limit   int   // of removed
	removed int   // results so far

	// gone is the number of members whose results have all left. Their timers are the first of all, and are removed together.
	gone int
	// [lo, hi) are the ranks of results that have left and are still stored. Those of members that came one after the other stand together.
	lo, hi  int
	follows bool // walk has found results of its member at hi

	names   []byte        // of members
	members []dueMember   // those whose timers are due, at most limit
	parts   []rules.Score // the scores of the present member's results that have left, where they are parts of a sum
	change  catalog.Change
}

// dueMember is a member whose timer is due.
type dueMember struct {
	number int64
	end    int // of its name in expiry.names, where that of the one before it ends
}

// run removes results of as many members as the limit allows.
func (e *expiry) run() error {
	e.names, e.members = e.names[:0], e.members[:0]
	for x := range e.timers.Entries(0, e.limit) {
		if x.Score > e.now {
			break
		}
		e.names = append(e.names, x.Member...)
		e.members = append(e.members, dueMember{int64(binary.BigEndian.Uint64(x.Tie)), len(e.names)})
	}
	begin := 0
	for _, m := range e.members {
		if e.removed == e.limit {
			break
		}
		if err := e.member(e.names[begin:m.end], m.number); err != nil {
			return err
		}
		begin = m.end
	}
	if err := e.flush(); err != nil {
		return err
	}
	_, err := e.timers.RemoveRange(0, e.gone)
	return err
}

// flush removes the results that have left.
func (e *expiry) flush() error {
	lo, hi := e.lo, e.hi
	if e.lo, e.hi = 0, 0; lo == hi {
		return nil
	}
	_, err := e.results.RemoveRange(lo, hi)
	return err
}

// member removes the results of a member that have left, and computes its entry from those that remain.
func (e *expiry) member(member []byte, number int64) error {
	next, remains := e.walk(number)
	if !e.follows {
		if err := e.flush(); err != nil {
			return err
		}
		e.lo = e.results.Seek(number, nil)
		e.hi = e.lo
		next, remains = e.walk(number)
	}
	home, c := e.home(member), &e.change
	score, tie, _ := home.Get(member)
	*c = catalog.Change{State: e.st, T: e.t, Slot: slotOf(e.t), Member: member, Had: true, Has: remains,
		Was: e.st.Rules.Decode(score, tie), Before: -1, After: -1, Hidden: home == e.hidden, Reached: e.now}
	if !remains {
		e.gone++
		if err := e.forget(home, member); err != nil {
			return err
		}
		return e.b.Changed(e.tx, c)
	}
	c.Is = next.entry
	if e.sums {
		if err := e.flush(); err != nil {
			return err
		}
		c.Is = e.rest(c.Was, number)
	}
	if err := e.setTimer(member, number, next.leaves); err != nil {
		return err
	}
	score, tie = e.st.Rules.Encode(e.tie[:0], c.Is)
	if _, err := home.Put(member, tie, score); err != nil {
		return err
	}
	return e.b.Changed(e.tx, c)
}

// walk notes the results of a member that have left, if its first result has the rank hi, and returns the first that remains. follows says
// whether it has.
func (e *expiry) walk(number int64) (next result, remains bool) {
	e.parts, e.follows = e.parts[:0], false
	for x := range e.results.Entries(e.hi, e.hi+e.limit-e.removed+1) {
		if x.Score != number {
			break
		}
		if e.follows = true; e.removed == e.limit || leavesOf(x.Member) > e.now {
			return e.decode(x.Member), true
		}
		if e.sums {
			e.parts = append(e.parts, e.decode(x.Member).entry.Score)
		}
		e.hi++
		e.removed++
	}
	return result{}, false
}

// rest returns what the entry of a member is without the results that walk has noted: its score is
// that of a sum.
func (e *expiry) rest(entry rules.Entry, number int64) rules.Entry {
	for _, part := range e.parts {
		left, ok := e.st.Rules.Subtract(entry.Score, part)
		if !ok {
			entry.Score = e.total(number, e.results.Seek(number, nil))
			break
		}
		entry.Score = left
	}
	return entry
}

// forget removes a member whose last result has left from the ranking. Its timer is removed later.
func (e *expiry) forget(home *engine.IntSet, member []byte) error {
	if _, err := home.Remove(member); err != nil || e.st.Spec.MaxMeta == 0 {
		return err
	}
	return e.tx.Delete(boardkey.Meta(e.st.Name, e.t.Window.Name, Period, string(member)))
}
