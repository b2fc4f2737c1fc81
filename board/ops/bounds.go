package ops

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"

	"github.com/zrankdb/zrank/board"
)

// maxMetas is the most bytes of metadata that the rows of an answer may have together: rows of a board
// that allows much metadata are fewer.
const maxMetas = 16 << 20

// Room is how many rows an answer may yet have.
type Room struct{ left, most int }

// Take takes some rows. A negative number is none: the board refuses it. Error: board.ErrCount.
func (m *Room) Take(counts ...int) error {
	for _, n := range counts {
		if n = max(n, 0); n > m.left {
			return fmt.Errorf("%w: an answer has at most %d rows", board.ErrCount, m.most)
		}
		m.left -= n
	}
	return nil
}

// room returns the room of an answer whose rows have no metadata.
func (e *Env) room() *Room {
	most := cmp.Or(e.MaxRows, math.MaxInt)
	return &Room{most, most}
}

// rows checks the number of rows of an answer, the sum of counts.
func (e *Env) rows(counts ...int) error { return e.room().Take(counts...) }

// RowsIn checks the number of rows of a ranking, which may have metadata. Error: board.ErrCount.
func (e *Env) RowsIn(ctx context.Context, k board.Ranking, counts ...int) error {
	if e.MaxRows == 0 {
		return nil
	}
	few := Room{maxMetas / board.MaxMeta, maxMetas / board.MaxMeta}
	if few.Take(counts...) == nil { // whatever the board allows
		return e.rows(counts...)
	}
	return e.roomIn(ctx, k).Take(counts...)
}

// roomIn is room for rows of a ranking.
func (e *Env) roomIn(ctx context.Context, k board.Ranking) *Room {
	if e.MaxRows == 0 {
		return e.room()
	}
	most := e.MaxRows
	info, err := k.Info(ctx)
	if err != nil {
		return &Room{most, most} // the read of the answer returns the error
	}
	if b, err := e.Boards.Board(ctx, info.Board); err == nil {
		if each := b.Spec().MaxMeta; each > 0 {
			most = min(most, maxMetas/each)
		}
	}
	return &Room{most, most}
}

// around returns the counts of the rows around a member: each before it, its own, and each after.
func around(each int) []int { return []int{each, 1, each} }

// takeChange takes the rows of what a submission to a board does: in each window the member's own, those
// around it and those that it has passed.
func (m *Room) takeChange(b board.Board, s board.Submission) error {
	windows := len(s.Windows)
	if windows == 0 {
		windows = len(b.Spec().Windows)
	}
	for range windows {
		err := m.Take(1, s.Overtaken)
		if err == nil && s.Near > 0 {
			err = m.Take(around(s.Near)...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ChangeOf checks the rows of what a submission does. Error: board.ErrCount.
func (e *Env) ChangeOf(b board.Board, s board.Submission) error {
	if s.Near <= 0 && s.Overtaken <= 0 {
		return nil
	}
	return e.room().takeChange(b, s)
}

// page returns the first n elements of a sequence, and whether there are more.
func page[A any](e *Env, n int, all iter.Seq2[A, error]) (list []A, more bool, err error) {
	if err := e.rows(n); err != nil {
		return nil, false, err
	}
	list = []A{}
	for x, err := range all {
		if err != nil {
			return nil, false, err
		}
		if len(list) >= n {
			return list, true, nil
		}
		list = append(list, x)
	}
	return list, false, nil
}

// behind returns a sequence without its first n elements; an error is no element.
func behind[A any](n int, all iter.Seq2[A, error]) iter.Seq2[A, error] {
	return func(yield func(A, error) bool) {
		i := 0
		for x, err := range all {
			if i++; (err != nil || i > n) && !yield(x, err) {
				return
			}
		}
	}
}
