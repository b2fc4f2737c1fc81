package leagues

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// tierOf returns the tier of a member, from 0. Leagues of the window before these may have had more tiers.
func tierOf(tiers *engine.IntSet, st *state.State, member []byte) int {
	tier, _ := tiers.Score(member)
	return min(int(tier), len(st.Spec.Leagues.Tiers)-1)
}

// putTier stores the tier of a member.
func putTier(tiers *engine.IntSet, member []byte, tier int) (err error) {
	if tier == 0 {
		_, err = tiers.Remove(member)
	} else {
		_, err = tiers.Add(member, int64(tier))
	}
	return err
}

// Tier returns the tier of a member: see Board.Tier.
func Tier(ctx context.Context, b *catalog.Board, member string) (name string, err error) {
	if err := b.Env().CheckNotInTx(); err != nil {
		return "", err
	}
	st, t, err := timeline(b)
	if err != nil {
		return "", err
	}
	err = b.Engine().View(ctx, func(tx *engine.Tx) error {
		tiers, err := open(tx, t.TierKey)
		if err == nil {
			name = st.Spec.Leagues.Tiers[tierOf(tiers, st, []byte(member))]
		}
		return err
	}, t.TierKey)
	return name, err
}

// SetTier gives a member a tier, and writes the entry of the audit log, whose number it returns: see Board.SetTier.
func SetTier(ctx context.Context, b *catalog.Board, member, name string, a board.Action) (entry uint64, err error) {
	switch {
	case b.Engine().InTx():
		return 0, engine.ErrInTx
	case member == "":
		return 0, board.ErrMember
	}
	if err := a.Validate(audit.Tier); err != nil {
		return 0, err
	}
	err = b.Retry(func(st *state.State) error {
		t, err := timelineOf(st)
		if err != nil {
			return err
		}
		tier, err := st.Spec.Leagues.Tier(name)
		if err != nil || a.DryRun {
			return err
		}
		return b.Owner().Update(ctx, []string{t.TierKey}, func(tx *engine.Tx) error {
			if err := b.CheckWritable(st); err != nil {
				return err
			}
			tiers, err := open(tx, t.TierKey)
			if err != nil {
				return err
			}
			if err := putTier(tiers, []byte(member), tier); err != nil {
				return err
			}
			e := auditlog.New(audit.Tier, member, a)
			e.Tier, e.Done = name, true
			entry, err = auditlog.Add(tx, st.Name, e, nil)
			return err
		})
	})
	return entry, err
}
