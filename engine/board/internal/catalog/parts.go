package catalog

import (
	"context"
	"slices"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/ranking"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/zset"
)

// PartsIn returns the ranking of a period in a transaction that has named all of its keys. The caller calls Release.
func PartsIn(tx *engine.Tx, parts *state.Parts, f engine.Form) (*ranking.Parts, error) {
	p := ranking.NewParts(len(parts.Keys))
	for i, key := range parts.Keys {
		set, err := tx.IntSet(key, f)
		if err != nil {
			p.Release()
			return nil, err
		}
		p.Views[i] = set.IntView
	}
	return p, nil
}

// OpenParts begins a View of a ranking in parts. The caller calls EndView, and then Release. Errors: those of engine.Owner.BeginViews.
func OpenParts(own engine.Owner, parts *state.Parts, f engine.Form) (*ranking.Parts, *engine.Tx, error) {
	tx, err := own.BeginViews(parts.Sorted)
	if err != nil {
		return nil, nil, err
	}
	p, err := PartsIn(tx, parts, f)
	if err != nil {
		own.EndView(tx)
		return nil, nil, err
	}
	return p, tx, nil
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
