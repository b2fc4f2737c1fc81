package rolling

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// Sets is the sets of a rolling ranking in a transaction. The zero Sets is of no use.
type Sets struct {
	tx   *engine.Tx
	b    *catalog.Board
	st   *state.State
	t    *state.Timeline
	sums bool // every column is a sum

	entries, timers, results *engine.IntSet
	hidden                   *engine.IntSet // the entries of hidden members; nil: there are none

	tie  [rules.MaxTie]byte // these back the arguments of changes
	name [nameWidth + wordWidth + rules.MaxTie + wordWidth]byte
}

// timersForm is the form of a set of timers: ties are the numbers of members.
var timersForm = engine.Form{TieWidth: wordWidth}

const (
	wordWidth = 8
	nameWidth = 2 * wordWidth // bytes of a result's name before the result itself: when it leaves, and the member's number
	signBit   = 1 << 63
)

// IsRolling reports whether a timeline is that of a rolling window. That of a derived board has no
// results of its own.
func IsRolling(t *state.Timeline) bool { return t.Window.Kind == window.Rolling }

// Key returns the key of the ranking of a rolling window.
func Key(t *state.Timeline) string { return t.Key(Period) }

// Period is the name of the one period of a rolling window.
const Period = "all"

// slotOf returns the slot of the one period. O(1).
func slotOf(t *state.Timeline) *state.Slot { return t.SlotFor(window.Period{Name: Period}) }

// AppendKeys appends the keys of the sets that a transaction needs to remove what has left a
// rolling window: those of its results, which are those of the board that a derived one follows.
func AppendKeys(dst []string, b *catalog.Board, st *state.State, t *state.Timeline) []string {
	_, _, t = origin(b, st, t)
	return append(dst, Key(t), t.Roll.Timers, t.Roll.Results, t.Roll.Hidden)
}

// origin returns the board whose results make a ranking of a rolling window, with its state and its
// window: the board itself, or the first of those that it follows. O(depth).
func origin(b *catalog.Board, st *state.State, t *state.Timeline) (*catalog.Board, *state.State, *state.Timeline) {
	if b.Following() == nil {
		return b, st, t
	}
	for f := b.Following(); f != nil; f = b.Following() {
		b = f.Source
	}
	st = b.State()
	of, _ := st.Timeline(t.Window.Name) // no migration removes a window that others follow
	return b, st, of
}

// Renames returns the keys of the sets of a rolling window under one version of the board and under another.
func Renames(from, to *state.Timeline) [][2]string {
	return [][2]string{{Key(from), Key(to)}, {from.Roll.Timers, to.Roll.Timers}, {from.Roll.Results, to.Roll.Results}, {from.Roll.Hidden, to.Roll.Hidden}}
}

// Open returns the sets of a rolling window. entries is the set of its ranking. b is nil while the
// board is being made.
func Open(tx *engine.Tx, b *catalog.Board, st *state.State, t *state.Timeline, entries *engine.IntSet) (Sets, error) {
	s := Sets{tx: tx, b: b, st: st, t: t, sums: st.Rules.Sums(), entries: entries}
	var err error
	if s.timers, err = tx.IntSet(t.Roll.Timers, timersForm); err != nil {
		return Sets{}, err
	}
	if s.results, err = tx.IntSet(t.Roll.Results, engine.Form{}); err != nil {
		return s, err
	}
	if b == nil || b.Hides.Any() { // nobody is hidden while they are locked
		s.hidden, err = tx.IntSet(t.Roll.Hidden, st.Form)
	}
	return s, err
}

// home returns the set that has the entry of a member: the ranking, unless the member is hidden. O(1).
func (s *Sets) home(member []byte) *engine.IntSet {
	if s.hidden != nil && s.hidden.Len() > 0 {
		if _, ok := s.hidden.Score(member); ok {
			return s.hidden
		}
	}
	return s.entries
}

// Version rises with every result that is stored. O(1).
func (s *Sets) Version() uint64 { return s.results.Version() }

// head returns when the first result leaves, in microseconds after 1970; math.MaxInt64: there is none. O(log n).
func (s *Sets) head() int64 {
	for x := range s.timers.Entries(0, 1) {
		return x.Score
	}
	return math.MaxInt64
}

// timer returns the number of a member, and when the first of its results leaves. It returns false for a member that is not ranked. O(1).
func (s *Sets) timer(member []byte) (number, leaves int64, ok bool) {
	leaves, tie, ok := s.timers.Get(member)
	if !ok {
		return 0, 0, false
	}
	return int64(binary.BigEndian.Uint64(tie)), leaves, true
}

// newNumber returns the number of a member that gets a timer next: the version rises with every
// timer, so no two members have the same number. O(1).
func (s *Sets) newNumber() int64 { return int64(s.timers.Version()) }

// setTimer sets the timer of a member. O(log n).
func (s *Sets) setTimer(member []byte, number, leaves int64) error {
	s.t.Roll.Lower(leaves)
	_, err := s.timers.Put(member, binary.BigEndian.AppendUint64(s.tie[:0], uint64(number)), leaves)
	return err
}

// result is a stored result.
type result struct {
	leaves int64
	entry  rules.Entry // has no times where all columns are sums
	at     int64       // when the result happened, where the rules go by times
	unlike uint64      // not 0: makes the name another than that of a result with the same entry and time
}

// at returns the result at a rank, from 0, if it is that of a member. O(log n).
func (s *Sets) at(rank int, number int64) (r result, ok bool) {
	if rank < 0 {
		return r, false
	}
	for x := range s.results.Entries(rank, rank+1) {
		if x.Score == number {
			return s.decode(x.Member), true
		}
	}
	return r, false
}

// text returns the beginning of the names of results that leave at a time. Such texts order as the times do.
func text(leaves int64) (text [wordWidth]byte) {
	binary.BigEndian.PutUint64(text[:], uint64(leaves)^signBit)
	return text
}

// seek returns the rank, from 0, of the first result of a member that leaves at a time or later. O(log n).
func (s *Sets) seek(number, leaves int64) int {
	from := text(leaves)
	return s.results.Seek(number, from[:])
}

// interval returns the ranks of a member's results, half-open. O(log n).
func (s *Sets) interval(number int64) (lo, hi int) {
	return s.results.Seek(number, nil), s.results.Len() - s.results.Above(number)
}

// insert stores a result of a member. It returns its rank, from 0, and had if there was the same result, with the same time. O(log n).
func (s *Sets) insert(number int64, r result) (rank int, had bool, err error) {
	moved, err := s.results.Put(s.nameOf(number, r), nil, number)
	return moved.After, moved.Had, err
}

// nameOf returns the name of a result of a member, in the memory of s.
func (s *Sets) nameOf(number int64, r result) []byte {
	name := binary.BigEndian.AppendUint64(s.name[:0], uint64(r.leaves)^signBit)
	name = binary.BigEndian.AppendUint64(name, uint64(number))
	var score int64
	var tie []byte
	if s.sums {
		score, tie = s.st.Rules.Prefix(s.tie[:0], r.entry.Score)
	} else {
		score, tie = s.st.Rules.Encode(s.tie[:0], r.entry)
	}
	name = append(binary.BigEndian.AppendUint64(name, uint64(score)), tie...)
	switch {
	case r.unlike != 0:
		name = binary.BigEndian.AppendUint64(name, r.unlike)
	case s.st.Rules.Timed() > 0 && r.at != s.untold(r):
		name = binary.BigEndian.AppendUint64(name, uint64(r.at))
	}
	return name
}

// decode is the inverse of nameOf. A name that is too short, as nameOf writes none, reads as zero.
func (s *Sets) decode(name []byte) (r result) {
	if len(name) < nameWidth+wordWidth {
		return r
	}
	r.leaves = leavesOf(name)
	score := int64(binary.BigEndian.Uint64(name[nameWidth:]))
	tie := name[nameWidth+wordWidth:]
	r.entry = s.st.Rules.Decode(score, tie)
	r.at = s.untold(r)
	if width := s.st.Rules.TieWidth(); s.st.Rules.Timed() > 0 && len(tie) == width+wordWidth {
		r.at = int64(binary.BigEndian.Uint64(tie[width:]))
	}
	return r
}

// untold returns the time of a result whose name has none beside its entry.
func (s *Sets) untold(r result) int64 {
	if s.st.Rules.Ties() == rules.ByMember {
		return r.leaves - time.Duration(s.t.Window.Span).Microseconds()
	}
	return r.entry.Reached
}

// Times returns the time of the result that is a member's entry, as rules.ApplyTimed takes it; nil if the member is not ranked. O(log n).
func (s *Sets) Times(member []byte) []byte {
	number, leaves, ranked := s.timer(member)
	if !ranked {
		return nil
	}
	r, _ := s.at(s.seek(number, leaves), number)
	return binary.BigEndian.AppendUint64(nil, uint64(r.at))
}

// leavesOf returns when a result leaves, from its name.
func leavesOf(name []byte) int64 { return int64(binary.BigEndian.Uint64(name) ^ signBit) }

// Check returns an error that names the invariant unless RW1 to RW4 hold. O(n log n).
func (s *Sets) Check() error {
	hidden := 0
	if s.hidden != nil {
		hidden = s.hidden.Len()
	}
	if n := s.timers.Len(); n != s.entries.Len()+hidden {
		return fmt.Errorf("RW1: %d members have timers, %d are ranked, and %d hidden", n, s.entries.Len(), hidden)
	}
	results := 0
	for x := range s.timers.Entries(0, s.timers.Len()) {
		number := int64(binary.BigEndian.Uint64(x.Tie))
		lo, hi := s.interval(number)
		results += hi - lo
		if err := s.checkMember(x.Member, number, x.Score, lo, hi); err != nil {
			return fmt.Errorf("%w: member %q, number %d", err, x.Member, number)
		}
	}
	switch {
	case results != s.results.Len():
		return fmt.Errorf("RW1: %d results, and members have %d", s.results.Len(), results)
	case s.head() < s.t.Roll.Next():
		return fmt.Errorf("RW4: the first result leaves at %d, before %d", s.head(), s.t.Roll.Next())
	}
	return nil
}

// checkMember checks the member whose results have the ranks [lo, hi).
func (s *Sets) checkMember(member []byte, number, leaves int64, lo, hi int) error {
	first, ok := s.at(lo, number)
	score, tie, ranked := s.home(member).Get(member)
	switch {
	case !ok || !ranked:
		return fmt.Errorf("RW1: has %d results, and ranked is %v", hi-lo, ranked)
	case first.leaves != leaves:
		return fmt.Errorf("RW2: leaves at %d, and the timer is %d", first.leaves, leaves)
	}
	entry := s.st.Rules.Decode(score, tie)
	if s.sums {
		first.entry = entry
		first.entry.Score = s.total(number, lo)
	}
	if entry != first.entry {
		return fmt.Errorf("RW3: entry is %v, want %v", entry, first.entry)
	}
	return nil
}

// total returns the sum of a member's results, the first of which has a rank. O(log n + results).
func (s *Sets) total(number int64, lo int) rules.Score {
	return s.st.Rules.Total(func(yield func(rules.Score) bool) {
		for x := range s.results.Entries(lo, s.results.Len()) {
			if x.Score != number || !yield(s.decode(x.Member).entry.Score) {
				return
			}
		}
	})
}
