package journal

import (
	"fmt"

	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// trimStep is the number of surplus rows that an Append removes, at most. There is more than one after a migration to a shorter journal.
const trimStep = 16

// Log is the journal of a board in a transaction.
type Log struct {
	set  *engine.IntSet
	name string // of the board
	size int    // the number of rows that are kept
}

// Open returns the journal of a board. The transaction has named the key of its set, state.State.JournalKey. Errors: those of the engine.
func Open(tx *engine.Tx, st *state.State) (Log, error) {
	set, err := tx.IntSet(st.JournalKey, engine.Form{})
	return Log{set, st.Name, st.Spec.Journal}, err
}

// Newest returns the number of the newest row of a board, 0 if there is none or the board has no journal. O(log n). Errors: those of Open.
func Newest(tx *engine.Tx, st *state.State) (number uint64, err error) {
	if !st.HasJournal() {
		return 0, nil
	}
	l, err := Open(tx, st)
	if err == nil {
		_, number = l.Bounds()
	}
	return number, err
}

// Next returns the number of the next row. O(log n).
func (l Log) Next() uint64 { return uint64(lastNumber(l.set.IntView)) + 1 }

// lastNumber returns the number of the newest row, 0 if there is none.
func lastNumber(v *zset.IntView) int64 {
	n := v.Len()
	for _, number := range v.Range(n-1, n) {
		return number
	}
	return 0
}

// firstNumber returns the number of the oldest row, 0 if there is none.
func firstNumber(v *zset.IntView) int64 {
	for _, number := range v.Range(0, 1) {
		return number
	}
	return 0
}

// Append adds a row, whose number is that of Next, and removes the oldest ones if there are too many. buf is memory for the row, which Append returns for
// the next one. O(log n). Errors: those of the engine.
func (l Log) Append(r *Row, buf []byte) ([]byte, error) {
	buf = r.append(buf[:0])
	if _, err := l.set.Add(buf, int64(r.Number)); err != nil {
		return buf, err
	}
	surplus := min(l.set.Len()-l.size, trimStep)
	if surplus <= 0 {
		return buf, nil
	}
	_, err := l.set.RemoveRange(0, surplus)
	return buf, err
}

// KeptAfter returns the number from which on the rows stay when n more are added. O(log n).
func (l Log) KeptAfter(n int) uint64 {
	surplus := min(l.set.Len()+n-l.size, n*trimStep)
	if surplus <= 0 {
		return 0
	}
	for _, x := range l.set.Append(nil, surplus, surplus+1) {
		return uint64(x.Score)
	}
	return l.Next()
}

// Bounds returns the numbers of the oldest and of the newest row, 0 if there is none. O(log n).
func (l Log) Bounds() (first, last uint64) {
	return uint64(firstNumber(l.set.IntView)), uint64(lastNumber(l.set.IntView))
}

// Row returns the row with a number, and false if there is none. O(log n). Error: of a row that cannot be read.
func (l Log) Row(number uint64) (r Row, ok bool, err error) {
	at := l.set.Seek(int64(number), nil)
	for _, x := range l.set.Append(nil, at, at+1) {
		if x.Score == int64(number) {
			return r, true, l.read(&r, x)
		}
	}
	return r, false, nil
}

// AppendOf appends the rows of a member from a number on. O(rows from there on).
func (l Log) AppendOf(dst []Row, member string, from uint64) ([]Row, error) {
	for _, x := range l.set.Append(nil, l.set.Seek(int64(from), nil), l.set.Len()) {
		var r Row
		if err := l.read(&r, x); err != nil {
			return nil, err
		}
		if r.Kind != Blank && string(r.Member) == member {
			dst = append(dst, r)
		}
	}
	return dst, nil
}

// read reads a row.
func (l Log) read(r *Row, x zset.IntEntry) error {
	if !r.decode(x.Member) || r.Number != uint64(x.Score) {
		return unreadable(l.name, x.Score)
	}
	return nil
}

func unreadable(board string, number int64) error {
	return fmt.Errorf("board: row %d of the journal of %q cannot be read", number, board)
}

// Replace puts another row in place of the one with its number. O(log n). Errors: those of the engine.
func (l Log) Replace(r *Row) error {
	if err := l.remove(r.Number); err != nil {
		return err
	}
	_, err := l.set.Add(r.append(nil), int64(r.Number))
	return err
}

// remove removes the row with a number.
func (l Log) remove(number uint64) error {
	at := l.set.Seek(int64(number), nil)
	_, err := l.set.RemoveRange(at, l.set.Seek(int64(number)+1, nil))
	return err
}

// AppendRemoval adds a row for the removal of a member from some rankings, of which there is at least one, so that a revert of an earlier submission does not
// bring the member back. O(places). Errors: those of the engine.
func AppendRemoval(tx *engine.Tx, st *state.State, member string, places []Place) error {
	l, err := Open(tx, st)
	if err != nil {
		return err
	}
	now := tx.Now().UnixMicro()
	_, err = l.Append(&Row{Number: l.Next(), Kind: Removal, Version: st.Version, Arrived: now, At: now, Member: []byte(member), Removed: places, Entries: true}, nil)
	return err
}
