package leagues

import (
	"context"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Close stores that the cohorts of a period are to be settled, in the commit that closes it, and returns the period for Timeline.AddPromoting.
func Close(tx *engine.Tx, st *state.State, t *state.Timeline, slot *state.Slot) (*state.Promoting, error) {
	l := st.Spec.Leagues
	p := &state.Promoting{Period: slot.Name, Promotion: state.Promotion{End: slot.End.UnixMicro(), Up: l.Up, Down: l.Down, Tiers: len(l.Tiers)}}
	text, err := p.Encode()
	if err != nil {
		return nil, err
	}
	return p, tx.Put(boardkey.Cohorts(st.Name, t.Window.Name, slot.Name), text)
}

// Load reads which closed periods have cohorts that are not settled. Those of boards and windows that do not exist any more are left out: they are being
// deleted.
func Load(ctx context.Context, c *catalog.Catalog) error {
	return catalog.ViewKeys(ctx, c.Engine, boardkey.CohortsPrefix(), func(rest string, value []byte) error {
		name, rest, _ := strings.Cut(rest, "\x00")
		window, period, _ := strings.Cut(rest, "\x00")
		p, err := state.DecodePromotion(value)
		if err != nil {
			return fmt.Errorf("board: stored cohorts of %s of %q, window %s: %w", period, name, window, err)
		}
		b, err := c.Lookup(name)
		if err != nil {
			return nil
		}
		if t, err := b.State().Timeline(window); err == nil {
			t.AddPromoting(&state.Promoting{Period: period, Promotion: p})
		}
		return nil
	})
}
