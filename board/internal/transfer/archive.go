package transfer

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/leagues"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/settlement"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/zset"
)

// Written implements relocation.Archive.
func (s store) Written(ctx context.Context, name string) (relocation.Written, error) {
	if err := s.c.CheckNotInTx(); err != nil {
		return nil, err
	}
	b, err := s.c.Lookup(name)
	if err != nil {
		return nil, err
	}
	if err := rolling.SettleAll(ctx, b, b.State()); err != nil {
		return nil, err
	}
	if err := leagues.SettleBoard(ctx, b); err != nil {
		return nil, err
	}
	src, err := openSource(ctx, s.c, b)
	return written{src, map[relocation.Ranking]uint64{}}, err
}

// written is a board that is written to a file.
type written struct {
	*source
	points map[relocation.Ranking]uint64 // hashes of the points of members that were written
}

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
	if err := w.eachOf(ctx, h, r, true, func(list []relocation.Entry) error {
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
	err = w.eachOf(ctx, z, r, false, func(list []relocation.Entry) error {
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
		return relocation.Header{}, fmt.Errorf("%w: cohorts of %q", board.ErrBusy, w.st.Name)
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
