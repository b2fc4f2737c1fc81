package remote

import (
	"context"
	"errors"
	"iter"
	"maps"
	"net/url"
	"sync/atomic"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
)

// rowsAtOnce is the most rows that one request asks for.
const rowsAtOnce = 1000

// ranking is a ranking of a server: board.Ranking.
type ranking struct {
	c     *client
	path  string
	query url.Values
	mode  board.Mode
	info  board.Info   // without the period unless fixed
	fixed bool         // it is always of the same period
	pinID string       // of a pinned ranking
	union string       // the name of a stored union
	done  *atomic.Bool // of a View: it has returned
}

var _ board.Ranking = (*ranking)(nil)

// newRanking returns a ranking that a locator names.
func newRanking(c *client, path string, locator any) *ranking {
	q := request{query: url.Values{}}
	r := &ranking{c: c, path: q.set(path, locator), query: q.query}
	if u, ok := locator.(*ops.UnionLocator); ok {
		r.union = u.Union
	}
	return r
}

// params returns the parameters that name the ranking.
func (r *ranking) params() url.Values {
	q := maps.Clone(r.query)
	if q == nil {
		q = url.Values{}
	}
	if r.mode != board.Ordinal {
		q.Set("mode", r.mode.String())
	}
	return q
}

// check returns board.ErrViewDone after the View of the ranking has returned.
func (r *ranking) check() error {
	if r.done != nil && r.done.Load() {
		return board.ErrViewDone
	}
	return nil
}

// read does a read.
func read[A, R any](ctx context.Context, r *ranking, op ops.Typed[A, R], args A) (out R, err error) {
	if err := r.check(); err != nil {
		return out, err
	}
	err = r.c.do(ctx, requestOf(op.Op, r.path+"/"+op.Path(), r.params(), &args), &out)
	return out, err
}

// rowsOf does a read of rows.
func rowsOf[A any](ctx context.Context, r *ranking, op ops.Typed[A, ops.Rows], args A) ([]board.Row, error) {
	list, err := read(ctx, r, op, args)
	return list.Rows, err
}

// isRanked makes the error of a member that is not ranked false.
func isRanked(err error) (ok bool, other error) {
	if errors.Is(err, board.ErrNotRanked) {
		return false, nil
	}
	return err == nil, err
}

func (r *ranking) fetchInfo(ctx context.Context) (board.Info, error) {
	info, err := read(ctx, r, ops.Info, ops.NoArgs{})
	return info.Info, err
}

// found returns the ranking if there is one.
func (r *ranking) found(ctx context.Context) (board.Ranking, error) {
	info, err := r.fetchInfo(ctx)
	if err != nil {
		return nil, err
	}
	r.info, r.fixed = info, true
	return r, nil
}

// Info implements board.Ranking. Of a live ranking it asks the server.
func (r *ranking) Info(ctx context.Context) (info board.Info, err error) {
	if info = r.info; !r.fixed {
		info, err = r.fetchInfo(ctx)
	}
	info.Mode = r.mode
	return info, err
}

// By implements board.Ranking.
func (r *ranking) By(mode board.Mode) board.Ranking {
	other := *r
	other.mode = mode
	return &other
}

// Len implements board.Ranking.
func (r *ranking) Len(ctx context.Context) (int, error) {
	info, err := read(ctx, r, ops.Info, ops.NoArgs{})
	return info.Members, err
}

// Rank implements board.Ranking.
func (r *ranking) Rank(ctx context.Context, member string) (row board.Row, ok bool, err error) {
	return ownRow(read(ctx, r, ops.Rank, ops.About{Member: member}))
}

// ownRow returns a row that may not be there.
func ownRow(own ops.Own, err error) (row board.Row, ok bool, _ error) {
	if ok, err = isRanked(err); ok {
		row = own.Row
	}
	return row, ok, err
}

// Score implements board.Ranking.
func (r *ranking) Score(ctx context.Context, member string) (score board.Score, ok bool, err error) {
	s, err := read(ctx, r, ops.Score, ops.About{Member: member})
	if ok, err = isRanked(err); ok {
		score = s.Score
	}
	return score, ok, err
}

// At implements board.Ranking.
func (r *ranking) At(ctx context.Context, place int) (row board.Row, ok bool, err error) {
	if place == 0 {
		return row, false, r.check()
	}
	list, err := r.Places(ctx, place, place)
	if err != nil || len(list) == 0 {
		return row, false, err
	}
	return list[0], true, nil
}

// Top implements board.Ranking.
func (r *ranking) Top(ctx context.Context, n int) ([]board.Row, error) {
	if n <= rowsAtOnce {
		return rowsOf(ctx, r, ops.Top, ops.TopArgs{N: n})
	}
	return r.Places(ctx, 1, n)
}

// AppendTop implements board.Ranking.
func (r *ranking) AppendTop(ctx context.Context, dst []board.Row, n int) ([]board.Row, error) {
	list, err := r.Top(ctx, n)
	return append(dst, list...), err
}

// Places implements board.Ranking.
func (r *ranking) Places(ctx context.Context, first, last int) (all []board.Row, err error) {
	if (first < 0) != (last < 0) || first < 0 && last-first >= rowsAtOnce {
		n, err := r.Len(ctx)
		if err != nil {
			return nil, err
		}
		if first, last = fromStart(first, n), fromStart(last, n); last < 1 {
			return []board.Row{}, nil
		}
		first = max(first, 1)
	}
	for {
		to := min(last, first+rowsAtOnce-1)
		list, err := rowsOf(ctx, r, ops.Places, ops.PlacesArgs{First: first, Last: to})
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
		if to >= last || len(list) < rowsAtOnce {
			return all, nil
		}
		first = to + 1
	}
}

// fromStart returns a place that may count from the end as one from 1; 0 and less is before the first.
func fromStart(place, n int) int {
	if place < 0 {
		return n + 1 + place
	}
	return place
}

// AppendPlaces implements board.Ranking.
func (r *ranking) AppendPlaces(ctx context.Context, dst []board.Row, first, last int) ([]board.Row, error) {
	list, err := r.Places(ctx, first, last)
	return append(dst, list...), err
}

// Around implements board.Ranking.
func (r *ranking) Around(ctx context.Context, member string, each int) (list []board.Row, ok bool, err error) {
	list, err = rowsOf(ctx, r, ops.Around, ops.AroundArgs{About: ops.About{Member: member}, Each: each})
	ok, err = isRanked(err)
	return list, ok, err
}

// AppendAround implements board.Ranking.
func (r *ranking) AppendAround(ctx context.Context, dst []board.Row, member string, each int) ([]board.Row, bool, error) {
	list, ok, err := r.Around(ctx, member, each)
	return append(dst, list...), ok, err
}

// Page implements board.Ranking.
func (r *ranking) Page(ctx context.Context, after board.Cursor, n int) (all []board.Row, next board.Cursor, err error) {
	next = after
	for {
		page, err := read(ctx, r, ops.Page, ops.PageArgs{Cursor: next, N: min(n, rowsAtOnce)})
		if err != nil {
			return nil, after, err
		}
		if next, err = board.ParseCursor(page.Next); err != nil {
			return nil, after, err
		}
		all = append(all, page.Rows.Rows...)
		if n -= rowsAtOnce; n <= 0 || page.Done {
			return all, next, nil
		}
	}
}

// All implements board.Ranking.
func (r *ranking) All(ctx context.Context) iter.Seq2[board.Row, error] {
	return func(yield func(board.Row, error) bool) {
		k := *r
		if !r.fixed { // it stays with the period that is live now
			info, err := r.fetchInfo(ctx)
			if err != nil {
				yield(board.Row{}, err)
				return
			}
			k.query = r.params()
			k.query.Set("period", info.Period)
		}
		var cursor board.Cursor
		for !cursor.Done() {
			page, next, err := k.Page(ctx, cursor, rowsAtOnce)
			if err != nil {
				if !errors.Is(err, board.ErrNoPeriod) { // nobody has scored in it
					yield(board.Row{}, err)
				}
				return
			}
			cursor = next
			for _, row := range page {
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}
