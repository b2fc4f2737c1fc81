package remote

import (
	"context"
	"errors"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"sync/atomic"

	"github.com/zrankdb/zrank/internal/boardjson"

	"github.com/zrankdb/zrank/board"
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

// params returns the parameters of a request, with pairs of further ones.
func (r *ranking) params(pairs ...string) url.Values {
	q := maps.Clone(r.query)
	if q == nil {
		q = url.Values{}
	}
	if r.mode != board.Ordinal {
		q.Set("mode", r.mode.String())
	}
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
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

// read makes a read of a ranking.
func read[T any](ctx context.Context, r *ranking, name string, pairs ...string) (out T, err error) {
	if err := r.check(); err != nil {
		return out, err
	}
	return get[T](ctx, r.c, r.path+"/"+name, r.params(pairs...))
}

// post makes a read of a ranking that has a body.
func post[T any](ctx context.Context, r *ranking, name string, body any) (out T, err error) {
	if err := r.check(); err != nil {
		return out, err
	}
	err = r.c.do(ctx, request{method: http.MethodPost, path: r.path + "/" + name, query: r.params(), body: body, reads: true}, &out)
	return out, err
}

type rows struct{ Rows []board.Row }

// rowList makes a read of rows.
func (r *ranking) rowList(ctx context.Context, name string, pairs ...string) ([]board.Row, error) {
	list, err := read[rows](ctx, r, name, pairs...)
	if err != nil {
		return nil, err
	}
	return list.Rows, nil
}

// isRanked makes the error of a member that is not ranked false.
func isRanked(err error) (ok bool, other error) {
	if errors.Is(err, board.ErrNotRanked) {
		return false, nil
	}
	return err == nil, err
}

func (r *ranking) fetchInfo(ctx context.Context) (board.Info, error) {
	return read[board.Info](ctx, r, "info")
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
	info, err := read[struct{ Members int }](ctx, r, "info")
	return info.Members, err
}

// Rank implements board.Ranking.
func (r *ranking) Rank(ctx context.Context, member string) (row board.Row, ok bool, err error) {
	return r.oneRow(ctx, "rank", "member", text(member))
}

// oneRow makes a read of a row that may not be there.
func (r *ranking) oneRow(ctx context.Context, name string, pairs ...string) (row board.Row, ok bool, err error) {
	own, err := read[struct{ Row board.Row }](ctx, r, name, pairs...)
	if ok, err = isRanked(err); ok {
		row = own.Row
	}
	return row, ok, err
}

// text returns a name as a parameter.
func text(name string) string { return boardjson.Text(name).String() }

// Score implements board.Ranking.
func (r *ranking) Score(ctx context.Context, member string) (score board.Score, ok bool, err error) {
	s, err := read[struct{ Score board.Score }](ctx, r, "score", "member", text(member))
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
		return r.rowList(ctx, "top", "n", strconv.Itoa(n))
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
		list, err := r.rowList(ctx, "places", "first", strconv.Itoa(first), "last", strconv.Itoa(to))
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
	list, err = r.rowList(ctx, "around", "member", text(member), "each", strconv.Itoa(each))
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
		page, err := read[struct {
			rows
			Next string
			Done bool
		}](ctx, r, "page", "cursor", next.String(), "n", strconv.Itoa(min(n, rowsAtOnce)))
		if err != nil {
			return nil, after, err
		}
		if next, err = board.ParseCursor(page.Next); err != nil {
			return nil, after, err
		}
		all = append(all, page.Rows...)
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
			k.query = r.params("period", info.Period)
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
