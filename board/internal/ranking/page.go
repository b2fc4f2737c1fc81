package ranking

import (
	"context"
	"fmt"
	"iter"

	"github.com/zrankdb/zrank/board"
)

// walkPage is the number of rows that All reads at a time.
const walkPage = 256

// Page implements Ranking.
func (r *reader) Page(ctx context.Context, after board.Cursor, rows int) (page []board.Row, next board.Cursor, err error) {
	if err := r.checkCounts(rows); err != nil {
		return nil, after, err
	}
	s, err := r.ready()
	if err != nil {
		return nil, after, err
	}
	if err := checkCursor(after, s.id, r.rules.TieWidth()); err != nil {
		return nil, after, r.foreignError(after, err)
	}
	l, err := r.lookAt(ctx, s)
	if err != nil {
		return nil, after, err
	}
	defer l.done(&err)
	if after.Done() {
		return nil, after, nil
	}
	return l.page(s.id, after, rows)
}

// foreignError returns the error for a cursor of another ranking. For a ranking of Board.Live, also in a View of it and pinned, it is
// ErrPeriodOver if the cursor is of an earlier period.
func (r *reader) foreignError(c board.Cursor, err error) error {
	if r.live != nil {
		if period, over := r.live.Earlier(rankingOf(c)); over {
			err = fmt.Errorf("%w: it is of %s", board.ErrPeriodOver, period)
		}
	}
	return r.fault(err)
}

// page returns the rows after a cursor that is not Done, and the cursor behind them. O(log n + rows).
func (l *Look) page(ranking uint64, after board.Cursor, rows int) (page []board.Row, next board.Cursor, err error) {
	lo, n := l.behind(after), l.n
	hi := lo + min(rows, n-lo)
	switch {
	case lo == n:
		return nil, doneCursor(ranking), nil
	case lo == hi:
		return nil, after, nil
	}
	if page, err = l.Rows(lo, hi); err != nil {
		return nil, after, err
	}
	if hi == n {
		return page, doneCursor(ranking), nil
	}
	e, _ := l.v.entry(hi - 1)
	return page, cursorAfter(ranking, e.Score, e.Tie, e.Member), nil
}

// behind returns the first place behind a cursor that is not Done. O(log n).
func (l *Look) behind(c board.Cursor) int {
	if c == (board.Cursor{}) {
		return 0
	}
	score, text := entryOf(c)
	return min(l.v.seek(score, append(text, 0)), l.n) // no text sorts between a text and the same text with a zero byte appended
}

// All implements Ranking.
func (r *reader) All(ctx context.Context) iter.Seq2[board.Row, error] {
	return func(yield func(board.Row, error) bool) {
		s, err := r.ready()
		if err != nil {
			yield(board.Row{}, err)
			return
		}
		r := r.fixedTo(s)
		for at := (board.Cursor{}); !at.Done(); {
			page, next, err := r.Page(ctx, at, walkPage)
			if err != nil {
				yield(board.Row{}, err)
				return
			}
			for _, row := range page {
				if !yield(row, nil) {
					return
				}
			}
			at = next
		}
	}
}
