package moderation

import (
	"context"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Former is a name that a member had on a board until it was renamed or merged.
type Former struct {
	Name   string
	On     *catalog.Board
	Entry  uint64 // of the audit log of the board: the rename
	Until  time.Time
	Reused bool // somebody else has the name by now, on some board
}

// FormerNames returns the names that a member had before, as far as the audit logs of the boards tell: of each board the oldest name first. O(renames + log places).
// Errors: ErrClosed, engine.ErrInTx, those of the engine.
func FormerNames(ctx context.Context, c *catalog.Catalog, member string) (all []Former, err error) {
	if err := c.CheckNotInTx(); err != nil {
		return nil, err
	}
	for _, b := range c.All() {
		list, err := formerOn(ctx, b, member)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	for i := range all {
		for _, b := range c.All() {
			used, err := isUsed(ctx, b, all[i].Name)
			if err != nil {
				return nil, err
			}
			all[i].Reused = all[i].Reused || used
		}
	}
	return all, nil
}

// formerOn returns the names that a member had on a board, the oldest first.
func formerOn(ctx context.Context, b *catalog.Board, member string) (list []Former, err error) {
	var renames []auditlog.Renamed
	err = b.Engine().View(ctx, func(tx *engine.Tx) error {
		renames, err = b.Renames.In(tx, b.State().Name)
		return err
	})
	names := map[string]bool{member: true}
	for _, r := range slices.Backward(renames) {
		if names[r.To] && !names[r.From] {
			names[r.From] = true
			list = append(list, Former{Name: r.From, On: b, Entry: r.Entry, Until: r.At})
		}
	}
	slices.Reverse(list)
	return list, err
}

// isUsed reports whether a board has a member of a name. The members of a derived board are groups.
func isUsed(ctx context.Context, b *catalog.Board, name string) (bool, error) {
	if b.Following() != nil {
		return false, nil
	}
	if b.Bans.Has(name) || b.Hides.Has(name) {
		return true, nil
	}
	m, err := Of(ctx, b, name)
	return slices.ContainsFunc(m.Windows, func(h board.History) bool { return len(h.Places) > 0 }), err
}

// ForgetFormer takes a former name that somebody else has by now out of the audit log up to the entry of the rename. O(entries). Errors: those of the engine.
func ForgetFormer(ctx context.Context, f Former) error {
	defer f.On.Renames.Forget()
	for next := uint64(1); next > 0; {
		err := f.On.Retry(func(st *state.State) error {
			return f.On.Owner().Update(ctx, nil, func(tx *engine.Tx) (err error) {
				if f.On.CheckWritable(st) != nil {
					return state.ErrAgain
				}
				next, err = auditlog.Forget(tx, st.Name, f.Name, next, f.Entry, scanStep)
				return err
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}
