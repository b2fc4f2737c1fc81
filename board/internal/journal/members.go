package journal

import (
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Erase removes the rows of a member, among the first limit rows whose number is at least from, and returns the number of the next row to look at, 0 if
// there is none; erased counts submissions. The transaction has named state.State.JournalKey. It does nothing on a board without a journal. O(limit). Errors: those of the engine, of a
// row that cannot be read.
func Erase(tx *engine.Tx, st *state.State, member string, from uint64, limit int) (next uint64, erased int, err error) {
	is := func(r *Row) bool { return isNamed(r, member) }
	next, _, err = change(tx, st, is, from, limit, func(l Log, r *Row) error {
		if r.Kind == Submission {
			erased++
		}
		if _, last := l.Bounds(); r.Number < last {
			return l.remove(r.Number)
		}
		return l.Replace(&Row{Number: r.Number, Kind: Blank, Version: r.Version, Arrived: r.Arrived, At: r.Arrived})
	})
	return next, erased, err
}

// Renaming is what becomes of the rows of a member that gets another name, or whose results become those of another one. Rows of the two that cannot be
// reverted any more get version 0: see J4.
type Renaming struct {
	Member, To string
	Merge      bool   // the other one has results of its own
	Last       uint64 // the newest row when the entries of open periods were moved: later ones of Member are those of a new member
}

// Rename gives the rows of a member to another one, as Erase removes them.
func Rename(tx *engine.Tx, st *state.State, x Renaming, from uint64, limit int) (next uint64, renamed int, err error) {
	is := func(r *Row) bool { return r.Number <= x.Last && (isNamed(r, x.Member) || isNamed(r, x.To)) }
	return change(tx, st, is, from, limit, func(l Log, r *Row) error {
		if x.Merge || isNamed(r, x.To) {
			r.Version = 0
		}
		r.Member = []byte(x.To)
		return l.Replace(r)
	})
}

// isNamed reports whether a row is of a member.
func isNamed(r *Row, member string) bool { return r.Kind != Blank && string(r.Member) == member }

// change calls do for some rows, among the first limit rows whose number is at least from.
func change(tx *engine.Tx, st *state.State, is func(*Row) bool, from uint64, limit int, do func(Log, *Row) error) (next uint64, changed int, err error) {
	if !st.HasJournal() {
		return 0, 0, nil
	}
	l, err := Open(tx, st)
	if err != nil {
		return 0, 0, err
	}
	at := l.set.Seek(int64(from), nil)
	var r Row
	for _, x := range l.set.Append(nil, at, at+limit) { // copies: do changes the set
		if err := l.read(&r, x); err != nil {
			return 0, changed, err
		}
		if next = r.Number + 1; !is(&r) {
			continue
		}
		if err := do(l, &r); err != nil {
			return 0, changed, err
		}
		changed++
	}
	if _, last := l.Bounds(); next > last {
		next = 0
	}
	return next, changed, nil
}
