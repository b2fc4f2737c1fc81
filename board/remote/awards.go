package remote

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"github.com/zrankdb/zrank/internal/boardjson"

	"github.com/zrankdb/zrank/board/awards"
)

// Awards is board.Board.Awards.
func (b *remoteBoard) Awards(ctx context.Context, window, period string) iter.Seq2[awards.Award, error] {
	return pages(func() func() ([]awards.Award, bool, error) {
		skip := 0
		return func() ([]awards.Award, bool, error) {
			page, err := get[struct {
				Awards []awards.Award
				More   bool
			}](ctx, b.c, b.path("windows", window, "periods", period, "awards"), url.Values{"n": {strconv.Itoa(rowsAtOnce)}, "skip": {strconv.Itoa(skip)}})
			skip += len(page.Awards)
			return page.Awards, page.More, err
		}
	})
}

// awardList makes a request for awards.
func (b *remoteBoard) awardList(ctx context.Context, path, name string) ([]awards.Award, error) {
	list, err := get[struct{ Awards []awards.Award }](ctx, b.c, b.path(path), member(name))
	return list.Awards, err
}

// AwardsOf is board.Board.AwardsOf.
func (b *remoteBoard) AwardsOf(ctx context.Context, member string) ([]awards.Award, error) {
	return b.awardList(ctx, "awards", member)
}

// Claimable is board.Board.Claimable.
func (b *remoteBoard) Claimable(ctx context.Context, member string) ([]awards.Award, error) {
	return b.awardList(ctx, "claimable", member)
}

// Claim is board.Board.Claim.
func (b *remoteBoard) Claim(ctx context.Context, member, id string) (awards.Award, error) {
	return send[awards.Award](ctx, b.c, http.MethodPost, b.path("awards", "claim"), map[string]any{"member": boardjson.Text(member), "id": id})
}

// Withhold is board.Board.Withhold.
func (b *remoteBoard) Withhold(ctx context.Context, id, reason string) error {
	return b.do(ctx, http.MethodPost, b.path("awards", "withhold"), nil, map[string]string{"id": id, "reason": reason})
}

// Release is board.Board.Release.
func (b *remoteBoard) Release(ctx context.Context, id string) error {
	return b.do(ctx, http.MethodPost, b.path("awards", "release"), nil, map[string]string{"id": id})
}

// Settlements is board.Board.Settlements.
func (b *remoteBoard) Settlements(ctx context.Context, window string) ([]awards.Settlement, error) {
	list, err := get[struct{ Settlements []awards.Settlement }](ctx, b.c, b.path("windows", window, "settlements"), nil)
	return list.Settlements, err
}

// Resettle is board.Board.Resettle.
func (b *remoteBoard) Resettle(ctx context.Context, window, period string, r awards.Resettlement) (awards.Difference, error) {
	return send[awards.Difference](ctx, b.c, http.MethodPost, b.path("windows", window, "periods", period, "resettle"), r)
}
