package journal

import (
	"bytes"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/state"
)

// Erase removes the rows of a member, among the first limit rows whose number is at least from, and returns the number of the next row to look at, 0 if
// there is none; erased counts submissions. The transaction has named state.State.JournalKey. It does nothing on a board without a journal. O(limit). Errors: those of the engine, of a
// row that cannot be read.
func Erase(tx *engine.Tx, st *state.State, member string, from uint64, limit int) (next uint64, erased int, err error) {
	next, _, err = change(tx, st, member, from, limit, func(l Log, r *Row) error {
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

// Rename gives the rows of a member to another one, as Erase removes them.
func Rename(tx *engine.Tx, st *state.State, member, to string, from uint64, limit int) (next uint64, renamed int, err error) {
	return change(tx, st, member, from, limit, func(l Log, r *Row) error {
		r.Member = []byte(to)
		return l.Replace(r)
	})
}

// change calls do for the rows of a member, among the first limit rows whose number is at least from.
func change(tx *engine.Tx, st *state.State, member string, from uint64, limit int, do func(Log, *Row) error) (next uint64, changed int, err error) {
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
		if next = r.Number + 1; !bytes.Equal(r.Member, []byte(member)) || r.Kind == Blank {
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
