package remote

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"github.com/zrankdb/zrank/internal/boardjson"

	"github.com/zrankdb/zrank/board"
)

// League is board.Board.League.
func (b *remoteBoard) League(ctx context.Context, name string) (board.League, error) {
	return b.league(ctx, member(name))
}

// LeagueOf is board.Board.LeagueOf.
func (b *remoteBoard) LeagueOf(ctx context.Context, period, name string) (board.League, error) {
	q := member(name)
	q.Set("period", period)
	return b.league(ctx, q)
}

func (b *remoteBoard) league(ctx context.Context, q url.Values) (board.League, error) {
	return get[board.League](ctx, b.c, b.path("league"), q)
}

// Promotions is board.Board.Promotions.
func (b *remoteBoard) Promotions(ctx context.Context, period string) iter.Seq2[board.Promotion, error] {
	return pages(func() func() ([]board.Promotion, bool, error) {
		skip := 0
		return func() ([]board.Promotion, bool, error) {
			page, err := get[struct {
				Promotions []board.Promotion
				More       bool
			}](ctx, b.c, b.path("promotions"), url.Values{"period": {period}, "n": {strconv.Itoa(rowsAtOnce)}, "skip": {strconv.Itoa(skip)}})
			skip += len(page.Promotions)
			return page.Promotions, page.More, err
		}
	})
}

// Tier is board.Board.Tier.
func (b *remoteBoard) Tier(ctx context.Context, name string) (string, error) {
	t, err := get[struct{ Tier string }](ctx, b.c, b.path("tier"), member(name))
	return t.Tier, err
}

// SetTier is board.Board.SetTier.
func (b *remoteBoard) SetTier(ctx context.Context, member, tier string, a board.Action) (entry uint64, err error) {
	e, err := send[struct{ Entry uint64 }](ctx, b.c, http.MethodPut, b.path("tier"), struct {
		Member boardjson.Text `json:"member"`
		Tier   string         `json:"tier"`
		board.Action
	}{boardjson.Text(member), tier, a})
	return e.Entry, err
}

// Watch is board.Board.Watch.
func (b *remoteBoard) Watch(ctx context.Context, name string) error {
	return b.do(ctx, http.MethodPut, b.path("watch"), member(name), nil)
}

// Unwatch is board.Board.Unwatch.
func (b *remoteBoard) Unwatch(ctx context.Context, name string) error {
	return b.do(ctx, http.MethodDelete, b.path("watch"), member(name), nil)
}
