package transfer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/groups"
	"github.com/zrankdb/zrank/board/internal/leagues"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/settlement"
	"github.com/zrankdb/zrank/board/internal/tail"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Made implements relocation.Archive.
func (s store) Made(_ context.Context, spec board.Spec) (relocation.Made, error) {
	if err := s.c.CheckNotInTx(); err != nil {
		return nil, err
	}
	if _, err := s.c.LookupAny(spec.Name); !errors.Is(err, board.ErrNoBoard) {
		if err == nil {
			err = fmt.Errorf("%w: %q", board.ErrBoardExists, spec.Name)
		}
		return nil, err
	}
	spec, err := complete(s.c, spec)
	if err != nil {
		return nil, err
	}
	t, err := newTarget(s.c, spec, s.id)
	if err != nil {
		return nil, err
	}
	return newMade(t)
}

// made is a board that is made of a file.
type made struct {
	*target
	best    map[string]*zset.IntSet // by window
	tiers   map[string]*zset.IntSet // likewise
	cohorts map[relocation.Ranking]*zset.IntSet
	points  map[relocation.Ranking]map[string]relocation.Points
	parts   *rules.Rules // of points; nil: points follow the members
}

func newMade(t *target) (m made, err error) {
	m = made{target: t, best: map[string]*zset.IntSet{}, tiers: map[string]*zset.IntSet{}, cohorts: map[relocation.Ranking]*zset.IntSet{},
		points: map[relocation.Ranking]map[string]relocation.Points{}}
	if keepsPoints(t.st) {
		columns := t.st.Rules.Columns()
		m.parts, err = rules.New(columns[:len(columns)-1], rules.Best, rules.ByMember) // the last one is the number of members
	}
	if err != nil {
		t.release()
	}
	return m, err
}

// Rules implements relocation.Made.
func (m made) Rules() *rules.Rules { return m.st.Rules }

// CheckPeriod implements relocation.Made.
func (m made) CheckPeriod(name string, p window.Period) error {
	t, err := m.st.Timeline(name)
	if err != nil {
		return err
	}
	known, err := t.Cal.Parse(p.Name)
	if err != nil {
		return err
	}
	if !known.Start.Equal(p.Start) || !known.End.Equal(p.End) {
		return fmt.Errorf("%w: %s begins at %v and ends at %v", window.ErrPeriodName, p.Name, known.Start.UTC(), known.End.UTC())
	}
	return nil
}

// PutBest implements relocation.Made.
func (m made) PutBest(window, member string, rank int64) error {
	return put(m.best, window, member, rank)
}

// PutTier implements relocation.Made.
func (m made) PutTier(window, member string, tier int64) error {
	return put(m.tiers, window, member, tier)
}

// PutCohort implements relocation.Made.
func (m made) PutCohort(r relocation.Ranking, c relocation.Cohort) error {
	return putCohort(m.cohorts, r, c)
}

// Finish implements relocation.Target.
func (m made) Finish(ctx context.Context, h relocation.Header) error {
	if err := m.check(h); err != nil {
		return err
	}
	if err := m.target.Finish(ctx, h); err != nil {
		return err
	}
	for _, t := range m.st.Timelines {
		for key, z := range map[string]*zset.IntSet{t.BestKey: m.best[t.Window.Name], t.TierKey: m.tiers[t.Window.Name]} {
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
func (m made) check(h relocation.Header) error {
	for _, w := range h.Windows {
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

// PutSettlement implements relocation.Made.
func (m made) PutSettlement(ctx context.Context, r relocation.Ranking, s *relocation.Settlement) error {
	t, err := m.st.Timeline(r.Window)
	if err != nil {
		return err
	}
	list := make([]settlement.Stored, len(s.Awards))
	for i, a := range s.Awards {
		list[i] = settlement.Stored(a)
	}
	return settlement.Restore(ctx, &m.c.Env, m.st.Name, t, r.Period, s.State, list)
}

// Open implements relocation.Target. What is due to be settled or delivered is then done. Open rankings of the best members give the others to their tails.
func (m made) Open(ctx context.Context) error {
	open := m.target.Open
	if m.st.Spec.Derived != nil {
		open = m.openDerived
	}
	err := open(ctx)
	ctx = context.WithoutCancel(ctx) // the board is there
	m.c.WakeAwards()
	if err != nil || m.st.Spec.Top == nil {
		return err
	}
	b, err := m.c.Lookup(m.st.Name)
	for _, t := range m.st.Timelines {
		for _, slot := range t.OpenSlots() {
			if err == nil {
				err = tail.Trim(ctx, b, m.st, t, slot)
			}
		}
	}
	return err
}

// openDerived is target.Open of a derived board. Open periods that do not have the scores which follow from the members, because these or the groups are others
// than they were, are corrected. Error: a *rules.ScoreError if they cannot be.
func (m made) openDerived(ctx context.Context) error {
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

// PutPoints implements relocation.Made. Error: one for points that the board cannot have.
func (m made) PutPoints(r relocation.Ranking, p relocation.Points) (err error) {
	if m.parts == nil {
		return fmt.Errorf("%w: points of %q on %q, whose points follow the members", board.ErrNotDerived, p.Member, m.st.Name)
	}
	parts := slices.Clone(p.Left)
	if p.Base != nil {
		parts = append(parts, *p.Base)
	}
	for i := range parts {
		if parts[i].Score, err = m.parts.CheckRanked(parts[i].Score); err != nil {
			return err
		}
	}
	if p.Left = parts[:len(p.Left)]; p.Base != nil {
		p.Base = &parts[len(p.Left)]
	}
	if m.points[r] == nil {
		m.points[r] = map[string]relocation.Points{}
	}
	if _, ok := m.points[r][p.Member]; ok || len(parts) == 0 {
		return fmt.Errorf("the points of %q are there twice, or are none", p.Member)
	}
	m.points[r][p.Member] = p
	return nil
}

// storePoints stores the points of members in steps. No member joins or leaves meanwhile.
func (m made) storePoints(ctx context.Context, b *catalog.Board) error {
	for r, all := range m.points {
		for some := range slices.Chunk(slices.Sorted(maps.Keys(all)), fewValues) {
			err := m.c.Owner.Update(ctx, nil, func(tx *engine.Tx) error {
				for _, member := range some {
					x := numbered(b.Following(), all[member])
					if text := x.Encode(); len(text) > 0 {
						if err := tx.Put(boardkey.Points(m.st.Name, r.Window, r.Period, member), text); err != nil {
							return err
						}
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
