package routes

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/board"
)

// Bounds of answers. Each operation counts the rows that it may answer before it reads any: an answer has at most MaxRows of them, a batch's included. Rows
// with metadata are fewer if the board allows much of it.

// maxMetas is the most bytes of metadata that the rows of an answer may have together.
const maxMetas = 16 << 20

// room is the number of rows that an answer may yet have.
type room struct{ left, most int }

// take takes some rows. A negative number is none: the board refuses it. Error: board.ErrCount.
func (m *room) take(counts ...int) error {
	for _, n := range counts {
		if n = max(n, 0); n > m.left {
			return fmt.Errorf("%w: an answer has at most %d rows", board.ErrCount, m.most)
		}
		m.left -= n
	}
	return nil
}

// room returns the room of an answer whose rows have no metadata.
func (r *Router) room() *room { return &room{r.MaxRows, r.MaxRows} }

// rows checks the number of rows of an answer, the sum of counts.
func (r *Router) rows(counts ...int) error { return r.room().take(counts...) }

// rowsIn is rows for rows of a ranking, which may have metadata.
func (r *Router) rowsIn(ctx context.Context, k board.Ranking, counts ...int) error {
	few := room{maxMetas / board.MaxMeta, maxMetas / board.MaxMeta}
	if few.take(counts...) == nil { // whatever the board allows
		return r.rows(counts...)
	}
	return r.roomIn(ctx, k).take(counts...)
}

// roomIn is room for rows of a ranking.
func (r *Router) roomIn(ctx context.Context, k board.Ranking) *room {
	most := r.MaxRows
	info, err := k.Info(ctx)
	if err != nil {
		return &room{most, most} // the read of the answer returns the error
	}
	if b, err := r.Boards.Board(ctx, info.Board); err == nil {
		if each := b.Spec().MaxMeta; each > 0 {
			most = min(most, maxMetas/each)
		}
	}
	return &room{most, most}
}

// around returns the counts of the rows around a member: each before it, its own, and each after.
func around(each int) []int { return []int{each, 1, each} }

// takeChange takes the rows of what a submission to a board does: in each window the member's own, those around it and those that it has passed.
func (m *room) takeChange(b board.Board, s board.Submission) error {
	windows := len(s.Windows)
	if windows == 0 {
		windows = len(b.Spec().Windows)
	}
	for range windows {
		err := m.take(1, s.Overtaken)
		if err == nil && s.Near > 0 {
			err = m.take(around(s.Near)...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// change checks the rows of what a submission does.
func (r *Router) change(b board.Board, s board.Submission) error {
	if s.Near <= 0 && s.Overtaken <= 0 {
		return nil
	}
	return r.room().takeChange(b, s)
}
