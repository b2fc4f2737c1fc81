package transfer

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/leagues"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/settlement"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// Lines implements relocation.Written.
func (w *written) Lines(ctx context.Context, fn func(*relocation.Line) error) error {
	if !leagues.AreSettled(w.st) {
		return fmt.Errorf("%w: cohorts of %q", board.ErrBusy, w.st.Name)
	}
	h, err := w.Header(ctx)
	if err != nil {
		return err
	}
	w.fn = fn
	for _, x := range h.Windows {
		if err := w.window(ctx, x); err != nil {
			return err
		}
	}
	for _, s := range h.Standings {
		l := relocation.Line{Standing: relocation.NameOf(s.Member), Banned: s.Banned, Hidden: s.Hidden}
		if err := w.put(l); err != nil {
			return err
		}
	}
	for _, a := range h.Audit {
		entry := a.Entry
		entry.Places, entry.Parts = 0, 0 // they follow from the list
		entry.Member, entry.To = "", ""  // AuditMember and AuditTo have them
		l := relocation.Line{
			Audit: &entry, AuditMember: relocation.Name(a.Member), AuditTo: relocation.Name(a.To), Places: a.List,
		}
		if err := w.put(l); err != nil {
			return err
		}
	}
	return w.Once(ctx, func(keys []relocation.OnceKey) error {
		for _, k := range keys {
			l := relocation.Line{Once: relocation.NameOf(k.Key), At: relocation.MomentOf(k.At * 1000)}
			if err := w.put(l); err != nil {
				return err
			}
		}
		return nil
	})
}

// window calls fn with the lines of a window. Tiers stay when a board has no leagues any more.
func (w *written) window(ctx context.Context, x relocation.Window) error {
	t, err := w.st.Timeline(x.Name)
	if err != nil {
		return err
	}
	l := relocation.Line{Window: &x.Name}
	if x.Through != math.MinInt64 {
		l.Through = relocation.MomentOf(x.Through)
	}
	err = w.put(l)
	if err == nil && w.st.Spec.BestRanks {
		err = w.eachScore(ctx, t.BestKey, func(member string, rank int64) error {
			return w.put(relocation.Line{Best: relocation.NameOf(member), Rank: rank})
		})
	}
	if err == nil {
		err = w.eachScore(ctx, t.TierKey, func(member string, tier int64) error {
			return w.put(relocation.Line{Tiered: relocation.NameOf(member), Tier: tier})
		})
	}
	if err != nil || len(x.Periods) == 0 {
		return err
	}
	rolls, err := readRolls(ctx, w.b.Owner(), w.st, t)
	for _, p := range x.Periods {
		if err == nil {
			err = w.period(ctx, t, p, rolls)
		}
	}
	return err
}

// period calls fn with the lines of a period.
func (w *written) period(ctx context.Context, t *state.Timeline, p relocation.Period, rolls *rolls) error {
	l := relocation.Line{Period: &p.Name, Start: relocation.MomentAt(p.Start), End: relocation.MomentAt(p.End)}
	if p.Record != nil {
		l.ClosedAt = relocation.MomentAt(p.Record.ClosedAt)
	}
	if err := w.put(l); err != nil {
		return err
	}
	r := relocation.Ranking{Window: t.Window.Name, Period: p.Name}
	err := w.entries(ctx, r, rolls)
	if err == nil && t.HasCohorts {
		err = w.cohorts(ctx, t, p)
	}
	if err == nil && p.Record == nil {
		return w.pointsOf(ctx, r)
	}
	s := t.SettlementOf(p.Name)
	if err != nil || s == nil {
		return err
	}
	return w.settlement(ctx, s)
}

// entries calls fn with the lines of the entries of a ranking.
func (w *written) entries(ctx context.Context, r relocation.Ranking, rolls *rolls) error {
	return w.Entries(ctx, r, func(list []relocation.Entry) error {
		for i := range list {
			l, err := lineOf(w.st.Rules, &list[i])
			if err != nil {
				return err
			}
			l.Rolling = rolls.of(list[i].Member, w.st.Rules)
			if err := w.fn(l); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}

// lineOf returns the line of an entry. Error: one for an entry that no line says.
func lineOf(of *rules.Rules, e *relocation.Entry) (*relocation.Line, error) {
	d := of.Decode(e.Score, e.Tie)
	if score, tie := of.Encode(nil, d); score != e.Score || !bytes.Equal(tie, e.Tie) {
		return nil, fmt.Errorf("archive: the stored score of %q is none that its board can have", e.Member)
	}
	l := &relocation.Line{
		Member: relocation.NameOf(e.Member), Score: &d.Score, Hidden: e.Hidden, Meta: e.Meta, Kept: e.Kept,
	}
	if of.Ties() != rules.ByMember {
		l.Reached = relocation.MomentOf(d.Reached)
	}
	if kept, ok := of.DecodeKept(e.Kept); ok && of.K() > 0 && bytes.Equal(of.AppendKept(nil, kept), e.Kept) {
		l.Kept = nil
		for _, k := range kept {
			l.Results = append(l.Results, relocation.Result{Score: k.Score, At: relocation.Moment(k.At)})
		}
	}
	return l, nil
}

// cohorts calls fn with the lines of the members of cohorts. Those of a closed period leave memory
// again.
func (w *written) cohorts(ctx context.Context, t *state.Timeline, p relocation.Period) error {
	key := t.CohortKey(p.Name)
	err := w.eachScore(ctx, key, func(member string, score int64) error {
		x := leagues.StoredOf(score)
		return w.put(relocation.Line{
			Cohort: relocation.NameOf(member), Tier: int64(x.Tier), Band: x.Band, Number: x.Number,
			Outcome: outcomes[x.Outcome],
		})
	})
	if err == nil && p.Record != nil {
		err = w.b.Engine().Unload(key)
	}
	return err
}

// settlement calls fn with the lines of what a period awards.
func (w *written) settlement(ctx context.Context, s *state.Settlement) error {
	list, err := settlement.ReadStored(ctx, w.b, s)
	if err != nil {
		return err
	}
	text, err := s.Now().Encode()
	if err == nil {
		err = w.put(relocation.Line{Settlement: text})
	}
	for _, a := range list {
		if err != nil {
			return err
		}
		l := relocation.Line{
			Award: relocation.NameOf(a.Member), Place: a.Place, Rank: int64(a.Rank), Revision: a.Revision,
			Due: relocation.Tiers(a.Due), Granted: relocation.Tiers(a.Granted),
			Failed: a.Failed, Withheld: a.Withheld, Failures: a.Failures, Reason: a.Reason,
		}
		if a.Next != 0 {
			l.Next = relocation.MomentOf(a.Next)
		}
		err = w.put(l)
	}
	return err
}

// eachScore calls fn with the members of a set and their scores, in order.
func (w *written) eachScore(ctx context.Context, key string, fn func(member string, score int64) error) error {
	z, err := catalog.CopySets(ctx, w.b.Owner(), []string{key}, engine.Form{})
	if err != nil {
		return err
	}
	for e := range z.Entries(0, z.Len()) {
		if err := fn(string(e.Member), e.Score); err != nil {
			return err
		}
	}
	return nil
}
