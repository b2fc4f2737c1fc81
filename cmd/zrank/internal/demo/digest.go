package demo

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
)

// digest is a checksum over every place of every ranking.
type digest struct {
	sum                       [sha256.Size]byte
	rankings, places, players int
}

// digestOf computes the digest of all rankings of a directory.
func digestOf(ctx context.Context, d *datadir.Data) (digest, error) {
	var g digest
	h := sha256.New()
	players := map[string]struct{}{}
	err := d.Each(ctx, func(_ board.Board, r board.Ranking) error {
		i, err := r.Info(ctx)
		if err != nil {
			return err
		}
		for row, err := range r.All(ctx) {
			if err != nil {
				return err
			}
			fmt.Fprintf(h, "%q %q %q %d %q %v %v\n", i.Board, i.Window, i.Period, row.Rank, row.Member, row.Score, row.Reached)
			players[row.Member] = struct{}{}
			g.places++
		}
		g.rankings++
		return nil
	})
	h.Sum(g.sum[:0])
	g.players = len(players)
	return g, err
}
