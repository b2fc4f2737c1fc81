package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/server/api/internal/wire"
)

// League is board.Board.League.
func (b *Board) League(name string) (board.League, error) { return b.league(member(name)) }

// LeagueOf is board.Board.LeagueOf.
func (b *Board) LeagueOf(period, name string) (board.League, error) {
	q := member(name)
	q.Set("period", period)
	return b.league(q)
}

func (b *Board) league(q url.Values) (board.League, error) {
	l, err := get[wire.League](context.Background(), b.c, b.path("league"), q)
	if err != nil {
		return board.League{}, err
	}
	return l.League()
}

// Promotions is board.Board.Promotions.
func (b *Board) Promotions(period string) iter.Seq2[board.Promotion, error] {
	return pages(func() func() ([]wire.Promotion, bool, error) {
		skip := 0
		return func() ([]wire.Promotion, bool, error) {
			page, err := get[struct {
				Promotions []wire.Promotion
				More       bool
			}](context.Background(), b.c, b.path("promotions"), url.Values{"period": {period}, "n": {strconv.Itoa(rowsAtOnce)}, "skip": {strconv.Itoa(skip)}})
			skip += len(page.Promotions)
			return page.Promotions, page.More, err
		}
	}, wire.Promotion.Board)
}

// Tier is board.Board.Tier.
func (b *Board) Tier(name string) (string, error) {
	t, err := get[struct{ Tier string }](context.Background(), b.c, b.path("tier"), member(name))
	return t.Tier, err
}

// SetTier is board.Board.SetTier.
func (b *Board) SetTier(member, tier string, a board.Action) (entry uint64, err error) {
	e, err := send[struct{ Entry uint64 }](context.Background(), b.c, http.MethodPut, b.path("tier"), struct {
		Member wire.Text `json:"member"`
		Tier   string    `json:"tier"`
		wire.Action
	}{wire.Text(member), tier, wire.ActionOf(a)})
	return e.Entry, err
}

// Watch is board.Board.Watch.
func (b *Board) Watch(name string) error {
	return b.do(http.MethodPut, b.path("watch"), member(name), nil)
}

// Unwatch is board.Board.Unwatch.
func (b *Board) Unwatch(name string) error {
	return b.do(http.MethodDelete, b.path("watch"), member(name), nil)
}
