package raw

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/leagues"
	"github.com/zrankdb/zrank/engine/board/internal/relocation"
	"github.com/zrankdb/zrank/engine/board/internal/rolling"
	"github.com/zrankdb/zrank/engine/board/internal/settlement"
	"github.com/zrankdb/zrank/engine/board/internal/specs"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/internal/tail"
	"github.com/zrankdb/zrank/engine/board/rules"
	"github.com/zrankdb/zrank/engine/board/window"
	"github.com/zrankdb/zrank/zset"
)

// Written implements relocation.Archive.
func (s store) Written(ctx context.Context, name string) (relocation.Written, error) {
	if err := s.c.CheckNotInTx(); err != nil {
		return nil, err
	}
	b, err := s.c.Lookup(name)
	if err == nil {
		err = CheckArchive(b.State().Spec)
	}
	if err != nil {
		return nil, err
	}
	if err := rolling.SettleAll(b, b.State()); err != nil {
		return nil, err
	}
	if err := leagues.SettleBoard(ctx, b); err != nil {
		return nil, err
	}
	src, err := openSource(ctx, s.c, b)
	return written{src}, err
}

// Made implements relocation.Archive.
func (s store) Made(_ context.Context, spec specs.Spec) (relocation.Made, error) {
	if err := s.c.CheckNotInTx(); err != nil {
		return nil, err
	}
	if err := CheckArchive(spec); err != nil {
		return nil, err
	}
	if _, err := s.c.LookupAny(spec.Name); !errors.Is(err, errs.ErrNoBoard) {
		if err == nil {
			err = fmt.Errorf("%w: %q", errs.ErrBoardExists, spec.Name)
		}
		return nil, err
	}
	if err := checkDerived(s.c, spec); err != nil {
		return nil, err
	}
	t, err := newTarget(s.c, spec, s.id)
	return made{t, map[string]*zset.IntSet{}, map[string]*zset.IntSet{}, map[relocation.Ranking]*zset.IntSet{}}, err
}

// written is a board that is written to a file.
type written struct{ *source }

// Rules implements relocation.Written.
func (w written) Rules() *rules.Rules { return w.st.Rules }

// LeftOut implements relocation.Source.
func (w written) LeftOut(ctx context.Context) ([]string, error) {
	list, err := w.source.LeftOut(ctx)
	if w.st.Spec.Journal > 0 {
		list = append(list, "the journal")
	}
	return list, err
}

// Ordered implements relocation.Written.
func (w written) Ordered(ctx context.Context, r relocation.Ranking, fn func([]relocation.Entry) error) error {
	t, err := w.st.Timeline(r.Window)
	if err != nil {
		return err
	}
	rolls, err := readRolls(ctx, w.b.Owner(), w.st, t)
	if err != nil {
		return err
	}
	var hidden []relocation.Entry
	h, err := catalog.CopySets(ctx, w.b.Owner(), []string{t.HiddenKey(r.Period)}, w.st.Form)
	if err != nil {
		return err
	}
	if err := w.eachOf(h, r, true, func(list []relocation.Entry) error {
		rolls.fill(list)
		hidden = append(hidden, list...)
		return nil
	}); err != nil {
		return err
	}
	z, keys, err := w.copyRanking(ctx, t, r.Period)
	if err != nil {
		return err
	}
	err = w.eachOf(z, r, false, func(list []relocation.Entry) error {
		rolls.fill(list)
		if len(hidden) == 0 {
			return fn(list)
		}
		last := list[len(list)-1]
		n, _ := slices.BinarySearchFunc(hidden, last, compare)
		merged := append(slices.Clip(list), hidden[:n]...)
		hidden = hidden[n:]
		slices.SortStableFunc(merged, compare)
		return fn(merged)
	})
	if err == nil && len(hidden) > 0 {
		err = fn(hidden)
	}
	if err == nil && t.RecordOf(r.Period) != nil && z.Len() > 0 { // it leaves memory again
		err = w.b.Engine().Unload(keys...)
	}
	return err
}

// copyRanking returns the entries of a ranking, and the keys of its sets. No step moves entries between them meanwhile. O(n), and O(n log n) of several sets.
func (w written) copyRanking(ctx context.Context, t *state.Timeline, period string) (z *zset.IntSet, keys []string, err error) {
	if tail := t.TailOf(period); tail != nil {
		tail.Steps.Lock()
		defer tail.Steps.Unlock()
	}
	err = t.Read(period, func(now []string) (err error) {
		keys = now
		z, err = catalog.CopySets(ctx, w.b.Owner(), now, w.st.Form)
		return err
	})
	return z, keys, err
}

// compare is the order of a set: by score, then by tie, then by member.
func compare(a, b relocation.Entry) int {
	switch {
	case a.Score != b.Score:
		if a.Score < b.Score {
			return -1
		}
		return 1
	case !bytes.Equal(a.Tie, b.Tie):
		return bytes.Compare(a.Tie, b.Tie)
	default:
		return bytes.Compare([]byte(a.Member), []byte(b.Member))
	}
}

// Best implements relocation.Written.
func (w written) Best(ctx context.Context, window string, fn func(member string, rank int64) error) error {
	t, err := w.st.Timeline(window)
	if err != nil || !w.st.Spec.BestRanks {
		return err
	}
	return eachScore(ctx, w.b.Owner(), t.BestKey, fn)
}

// Tiers implements relocation.Written. Tiers stay when a board has no leagues any more.
func (w written) Tiers(ctx context.Context, window string, fn func(member string, tier int64) error) error {
	t, err := w.st.Timeline(window)
	if err != nil {
		return err
	}
	return eachScore(ctx, w.b.Owner(), t.TierKey, fn)
}

// Cohorts implements relocation.Written.
func (w written) Cohorts(ctx context.Context, r relocation.Ranking, fn func(relocation.Cohort) error) error {
	t, err := w.st.Timeline(r.Window)
	if err != nil {
		return err
	}
	err = eachCohort(ctx, w.b.Owner(), t, r.Period, fn)
	if err == nil && t.HasCohorts && t.RecordOf(r.Period) != nil { // it leaves memory again
		err = w.b.Engine().Unload(t.CohortKey(r.Period))
	}
	return err
}

// Header implements relocation.Source. Error: errs.ErrBusy while cohorts are being settled.
func (w written) Header(ctx context.Context) (relocation.Header, error) {
	if !leagues.AreSettled(w.st) {
		return relocation.Header{}, fmt.Errorf("%w: cohorts of %q", errs.ErrBusy, w.st.Name)
	}
	return w.source.Header(ctx)
}

// Settlement implements relocation.Written.
func (w written) Settlement(ctx context.Context, r relocation.Ranking) (*relocation.Settlement, error) {
	t, err := w.st.Timeline(r.Window)
	if err != nil {
		return nil, err
	}
	s := t.SettlementOf(r.Period)
	if s == nil {
		return nil, nil
	}
	list, err := settlement.ReadStored(ctx, w.b, s)
	if err != nil {
		return nil, err
	}
	x := &relocation.Settlement{State: s.Now()}
	for _, a := range list {
		x.Awards = append(x.Awards, relocation.Award(a))
	}
	return x, nil
}

// made is a board that is made of a file.
type made struct {
	*target
	best    map[string]*zset.IntSet // by window
	tiers   map[string]*zset.IntSet // likewise
	cohorts map[relocation.Ranking]*zset.IntSet
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
		open = func(ctx context.Context) error { return openDerived(ctx, m.target) }
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
