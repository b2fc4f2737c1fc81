package leagues

import (
	"fmt"
	"strconv"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/auditlog"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/specs"
	"github.com/zrankdb/zrank/engine/board/internal/state"
)

// tierOf returns the tier of a member, from 0.
func tierOf(tx *engine.Tx, st *state.State, member string) (int, error) {
	key := boardkey.Tier(st.Name, st.Spec.Leagues.Window, member)
	text, ok, err := tx.Get(key)
	if err != nil || !ok {
		return 0, err
	}
	tier, err := strconv.Atoi(string(text))
	if err != nil || tier < 0 || tier >= specs.MaxTiers {
		return 0, fmt.Errorf("board: stored as %q: tier %q", key, text)
	}
	return min(tier, len(st.Spec.Leagues.Tiers)-1), nil
}

// putTier stores the tier of a member.
func putTier(tx *engine.Tx, st *state.State, member string, tier int) error {
	key := boardkey.Tier(st.Name, st.Spec.Leagues.Window, member)
	if tier == 0 {
		return tx.Delete(key)
	}
	return tx.Put(key, strconv.AppendInt(nil, int64(tier), 10))
}

// Tier returns the tier of a member: see Board.Tier.
func Tier(b *catalog.Board, member string) (name string, err error) {
	if err := b.Env().CheckNotInTx(); err != nil {
		return "", err
	}
	st, _, err := timeline(b)
	if err != nil {
		return "", err
	}
	err = b.Engine().View(nil, func(tx *engine.Tx) error {
		tier, err := tierOf(tx, st, member)
		name = st.Spec.Leagues.Tiers[tier]
		return err
	})
	return name, err
}

// SetTier gives a member a tier, and writes the entry of the audit log, whose number it returns: see Board.SetTier.
func SetTier(b *catalog.Board, member, name string, a auditlog.Action) (entry uint64, err error) {
	switch {
	case b.Engine().InTx():
		return 0, engine.ErrInTx
	case member == "":
		return 0, errs.ErrMember
	}
	if err := a.Validate(auditlog.Tier); err != nil {
		return 0, err
	}
	err = b.Retry(func(st *state.State) error {
		if st.Spec.Leagues == nil {
			return fmt.Errorf("%w: %q", errs.ErrNoLeagues, st.Name)
		}
		tier, err := st.Spec.Leagues.Tier(name)
		if err != nil || a.DryRun {
			return err
		}
		return b.Owner().Update(nil, func(tx *engine.Tx) error {
			if err := b.CheckWritable(st); err != nil {
				return err
			}
			if err := putTier(tx, st, member, tier); err != nil {
				return err
			}
			e := auditlog.New(auditlog.Tier, member, a)
			e.Tier, e.Done = name, true
			entry, err = auditlog.Add(tx, st.Name, e, nil)
			return err
		})
	})
	return entry, err
}
