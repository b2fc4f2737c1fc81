package transfer

import (
	"context"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/engine"
)

// readModeration reads who is hidden and banned, and the audit log.
func (s *source) readModeration(ctx context.Context, h *relocation.Header) error {
	standings := map[string]*relocation.Standing{}
	of := func(member string) *relocation.Standing {
		if standings[member] == nil {
			standings[member] = &relocation.Standing{Member: member}
		}
		return standings[member]
	}
	err := s.b.Engine().View(ctx, func(tx *engine.Tx) error {
		err := catalog.EachKey(tx, boardkey.HidePrefix(s.st.Name), func(member string, _ []byte) error {
			of(member).Hidden = true
			return nil
		})
		if err != nil {
			return err
		}
		return catalog.EachKey(tx, boardkey.BanPrefix(s.st.Name), func(member string, _ []byte) error {
			of(member).Banned = true
			return nil
		})
	})
	if err != nil {
		return err
	}
	for _, x := range standings {
		h.Standings = append(h.Standings, *x)
	}
	slices.SortFunc(h.Standings, func(x, y relocation.Standing) int { return strings.Compare(x.Member, y.Member) })
	for e, err := range auditlog.All(ctx, s.b.Engine(), s.st.Name, audit.Filter{}) {
		if err != nil {
			return err
		}
		x := relocation.Logged{Entry: e}
		err := s.b.Engine().View(ctx, func(tx *engine.Tx) (err error) {
			x.List, err = auditlog.Places(tx, s.st.Name, e)
			return err
		})
		if err != nil {
			return err
		}
		h.Audit = append(h.Audit, x)
	}
	return nil
}

// storeModeration stores who is hidden and banned, and the audit log.
func (t *target) storeModeration(ctx context.Context, h relocation.Header) error {
	var list []stored
	for _, x := range h.Standings {
		if x.Hidden {
			list = append(list, stored{boardkey.Hide(t.st.Name, x.Member), []byte{}})
		}
		if x.Banned {
			list = append(list, stored{boardkey.Ban(t.st.Name, x.Member), []byte{}})
		}
	}
	if err := storeKeys(ctx, t.c.Owner, list); err != nil {
		return err
	}
	for _, x := range h.Audit {
		err := t.c.Owner.Update(ctx, nil, func(tx *engine.Tx) error { return auditlog.Restore(tx, t.st.Name, x.Entry, x.List) })
		if err != nil {
			return err
		}
	}
	t.standings = h.Standings
	return nil
}
