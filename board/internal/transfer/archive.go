package transfer

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/leagues"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/rolling"
)

// Written implements relocation.Archive.
func (s store) Written(ctx context.Context, name string) (relocation.Written, error) {
	if err := s.c.CheckNotInTx(); err != nil {
		return nil, err
	}
	b, err := s.c.Lookup(name)
	if err != nil {
		return nil, err
	}
	if err := rolling.SettleAll(ctx, b, b.State()); err != nil {
		return nil, err
	}
	if err := leagues.SettleBoard(ctx, b); err != nil {
		return nil, err
	}
	src, err := openSource(ctx, s.c, b)
	return &written{source: src, points: map[relocation.Ranking]uint64{}}, err
}

// written is a board that is written to a file.
type written struct {
	*source
	points map[relocation.Ranking]uint64 // hashes of the points of members that were written
	fn     func(*relocation.Line) error  // of Lines
}

// put calls fn with a line.
func (w *written) put(l relocation.Line) error { return w.fn(&l) }

// LeftOut implements relocation.Source.
func (w *written) LeftOut(ctx context.Context) ([]string, error) {
	list, err := w.source.LeftOut(ctx)
	if w.st.Spec.Journal > 0 {
		list = append(list, "the journal")
	}
	return list, err
}
