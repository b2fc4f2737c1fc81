package transfer

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/groups"
	"github.com/zrankdb/zrank/board/internal/leagues"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/settlement"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Open implements relocation.Made. What is due to be settled or delivered is then done. Open
// rankings of the best members give the others to their tails.
func (m *made) Open(ctx context.Context) (bool, error) {
	err := m.store(ctx)
	for _, s := range m.settlements {
		if err == nil {
			err = settlement.Restore(ctx, &m.c.Env, m.st.Name, s.line, s.of.Period, s.state, s.awards)
		}
	}
	if err != nil {
		return false, err
	}
	if m.st.Spec.Derived != nil {
		err = m.openDerived(ctx)
	} else {
		err = m.target.Open(ctx)
	}
	ctx = context.WithoutCancel(ctx) // the board is there
	m.c.WakeAwards()
	if err != nil || m.st.Spec.Top == nil {
		return true, err
	}
	b, err := m.c.Lookup(m.st.Name)
	if err != nil {
		return true, err
	}
	return true, trim(ctx, b)
}

// Close implements relocation.Made.
func (m *made) Close(ctx context.Context) error { return errors.Join(m.Discard(ctx), m.target.Close()) }

// store stores everything but the settlements and the points.
func (m *made) store(ctx context.Context) error {
	if err := m.check(); err != nil {
		return err
	}
	if err := m.Finish(ctx, m.header); err != nil {
		return err
	}
	for _, t := range m.st.Timelines {
		name := t.Window.Name
		for key, z := range map[string]*zset.IntSet{t.BestKey: m.best[name], t.TierKey: m.tiers[name]} {
			if z == nil {
				continue
			}
			if err := m.c.Owner.StoreInts(ctx, key, z); err != nil {
				return err
			}
		}
	}
	for r, z := range m.cohorts {
		t, err := m.st.Timeline(r.Window)
		if err == nil {
			err = m.c.Owner.StoreInts(ctx, t.CohortKey(r.Period), z)
		}
		if err == nil && t.RecordOf(r.Period) != nil {
			err = m.c.Engine.Unload(t.CohortKey(r.Period))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// check returns an error for cohorts and tiers that cannot be those of the board.
func (m *made) check() error {
	for _, w := range m.header.Windows {
		if z := m.tiers[w.Name]; z != nil {
			if problem := leagues.CheckTiers(z.View()); problem != "" {
				return fmt.Errorf("window %s: %s", w.Name, problem)
			}
		}
		for _, p := range w.Periods {
			r := relocation.Ranking{Window: w.Name, Period: p.Name}
			z, ok := m.cohorts[r]
			if t, err := m.st.Timeline(w.Name); err != nil || !ok && !t.HasCohorts {
				continue
			}
			if !ok {
				z, _ = newSet(engine.Form{})
			}
			if err := checkCohorts(m.st, r, p.Record != nil, z, m.rankings[r]); err != nil {
				return err
			}
		}
	}
	return nil
}

// openDerived is target.Open of a derived board. Open periods that do not have the scores which
// follow from the members, because these or the groups are others than they were, are corrected.
// Error: a *rules.ScoreError if they cannot be.
func (m *made) openDerived(ctx context.Context) error {
	return m.c.InstallFollower(ctx, m.st, m.standings, func(b *catalog.Board) error {
		err := m.storePoints(ctx, b)
		if err == nil {
			err = groups.Correct(ctx, b)
		}
		if err != nil {
			return err
		}
		stored, err := m.exists(ctx)
		if stored {
			return nil
		}
		return err
	})
}

// storePoints stores the points of members. No member joins or leaves meanwhile.
func (m *made) storePoints(ctx context.Context, b *catalog.Board) error {
	var list []stored
	for r, all := range m.points {
		for member, l := range all {
			x := numbered(b.Following(), l)
			if text := x.Encode(); len(text) > 0 {
				list = append(list, stored{boardkey.Points(m.st.Name, r.Window, r.Period, member), text})
			}
		}
	}
	return storeKeys(ctx, m.c.Owner, list)
}
