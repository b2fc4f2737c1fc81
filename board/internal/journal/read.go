package journal

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"math"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// page is the number of rows that one transaction looks at.
const page = 1024

// All iterates over the rows of a board, newest first: see Board.Journal.
func All(ctx context.Context, b *catalog.Board, q board.JournalQuery) iter.Seq2[board.JournalRow, error] {
	return func(yield func(board.JournalRow, error) bool) {
		var st *state.State
		err := b.Env().CheckNotInTx()
		if err == nil {
			st, err = Readable(b)
		}
		for below := uint64(math.MaxInt64); err == nil && below > 0; {
			var list []board.JournalRow
			err = Page(ctx, b, st, &below, q.Member, func(r *Row) {
				if e := r.entry(st); r.Kind != Blank && !e.Arrived.Before(q.Since) {
					list = append(list, e)
				}
			})
			for i := 0; i < len(list) && err == nil; i++ {
				if !yield(list[i], nil) {
					return
				}
			}
		}
		if err != nil {
			yield(board.JournalRow{}, err)
		}
	}
}

// Readable returns the state of a board with a journal. Errors: ErrNoJournal, ErrClosed, ErrNoBoard.
func Readable(b *catalog.Board) (*state.State, error) {
	st, err := b.Readable()
	if err == nil && !st.HasJournal() {
		err = fmt.Errorf("%w: %q", board.ErrNoJournal, st.Name)
	}
	return st, err
}

// entry returns the row as programs see it.
func (r *Row) entry(st *state.State) board.JournalRow {
	utc := func(micro int64) time.Time { return time.UnixMicro(micro).UTC() }
	return board.JournalRow{Number: r.Number, Arrived: utc(r.Arrived), At: utc(r.At), Member: string(r.Member), Score: r.Score, Windows: r.windows(st), Once: string(r.Once), Removal: r.Kind == Removal, Reverted: r.Reverted}
}

// windows returns the names of the windows that a submission went to; nil for all, and if the board has other windows by now.
func (r *Row) windows(st *state.State) (names []string) {
	if r.Version != st.Version || len(r.Befores) != len(st.Timelines) {
		return nil
	}
	for i := range r.Befores {
		if !r.Befores[i].Outside {
			names = append(names, st.Timelines[i].Window.Name)
		}
	}
	if len(names) == len(r.Befores) {
		return nil
	}
	return names
}

// Page calls visit for the rows among the last page of those whose numbers are less than below, newest first: of a member, or of all and the blank ones too if member is "". It sets
// below to the least number that it has seen, 0 if there is none. The row that visit gets is valid during the call.
func Page(ctx context.Context, b *catalog.Board, st *state.State, below *uint64, member string, visit func(*Row)) error {
	return b.Engine().View(ctx, func(tx *engine.Tx) error {
		l, err := Open(tx, st)
		if err != nil {
			return err
		}
		hi := l.set.Seek(int64(*below), nil)
		lo := max(0, hi-page)
		*below = 0
		var r Row
		for stored, number := range l.set.RevRange(l.set.Len()-hi, l.set.Len()-lo) {
			*below = uint64(number)
			if member != "" && !isOf(stored, member) {
				continue
			}
			if !r.decode(stored) || r.Number != uint64(number) {
				return unreadable(st.Name, number)
			}
			visit(&r)
		}
		if lo == 0 {
			*below = 0
		}
		return nil
	}, st.JournalKey)
}

// isOf reports whether a stored row is of a member. A row that cannot be read is: then decode says so.
func isOf(stored []byte, member string) bool {
	p, r := parser{rest: stored}, Row{}
	r.head(&p)
	return p.bad || bytes.Equal(r.Member, []byte(member))
}
