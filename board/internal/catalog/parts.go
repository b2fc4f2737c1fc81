package catalog

import (
	"context"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// PartsIn returns a ranking in parts in a transaction. The caller calls Release. Errors: ErrMoved if d is not the present division when all sets are
// locked, those of the engine.
func PartsIn(tx *engine.Tx, parts *state.Parts, d *state.Division, f engine.Form) (*ranking.Parts, error) {
	p := ranking.NewParts(d.Layout)
	for i, key := range d.Keys {
		set, err := tx.IntSet(key, f)
		if err != nil {
			p.Release()
			return nil, err
		}
		p.Views[i] = set.IntView
	}
	if !parts.Is(d) {
		p.Release()
		return nil, state.ErrMoved
	}
	return p, nil
}

// OpenParts begins a View of a ranking in parts. The caller calls EndView, and then Release. Errors: those of engine.Owner.BeginViews.
func OpenParts(ctx context.Context, own engine.Owner, parts *state.Parts, f engine.Form) (*ranking.Parts, *engine.Tx, error) {
	for {
		d := parts.Now()
		tx, err := own.BeginViews(ctx, d.Sorted)
		if err != nil {
			return nil, nil, err
		}
		p, err := PartsIn(tx, parts, d, f)
		if err == nil {
			return p, tx, nil
		}
		own.EndView(tx)
		if err != state.ErrMoved {
			return nil, nil, err
		}
		parts.WaitForSteps()
	}
}

// CopySets returns one set with the entries of several, no two of which have a member in common, as they are at one moment. O(n log n). Errors:
// those of engine.Owner.CopyAll.
func CopySets(ctx context.Context, own engine.Owner, keys []string, f engine.Form) (*zset.IntSet, error) {
	all, err := own.CopyAll(ctx, keys, slices.Repeat([]engine.Form{f}, len(keys)))
	if err != nil {
		return nil, err
	}
	for _, z := range all[1:] {
		for e := range z.Entries(0, z.Len()) {
			if _, err := all[0].AddTied(e.Member, e.Tie, e.Score); err != nil {
				return nil, err
			}
		}
	}
	return all[0], ctx.Err()
}

// loadLayouts reads the layouts of rankings whose number of parts follows that of members, and deletes those of other versions of a board.
func (c *Catalog) loadLayouts(ctx context.Context) error {
	stale := map[*Board]bool{}
	err := ViewKeys(ctx, c.Engine, boardkey.LayoutPrefix(), func(rest string, value []byte) error {
		name, window, period, version, _ := boardkey.ParseLayout(rest)
		b := c.boards[name]
		if b == nil { // it is being dropped
			return nil
		}
		if b.State().Version != version {
			stale[b] = true
			return nil
		}
		l, err := ranking.ParseLayout(string(value))
		if err != nil {
			return fmt.Errorf("board: stored layout %q: %w", rest, err)
		}
		if t, err := b.State().Timeline(window); err == nil {
			t.SetLayout(period, l)
		}
		return nil
	})
	for b := range stale {
		if err := c.Deleter.DeleteLayouts(ctx, b.State().Name, b.State().Version); err != nil {
			c.Log.Error("board: what a migration has replaced cannot be deleted", "board", b.State().Name, "err", err)
		}
	}
	return err
}
