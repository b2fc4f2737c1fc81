package periods

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/window"
)

// input is one ranking of a union.
type input struct {
	b    *catalog.Board
	st   *state.State
	t    *state.Timeline
	slot *state.Slot // nil for a baseline

	division *state.Division // of a ranking in parts when keys were listed; else nil

	keys   []string      // of the sets that hold it: each member is in one of them
	closed *state.Record // of a closed period, whose sets do not change; else nil
	fixed  bool          // it is closed, or a baseline: the evictor evicts it once it is idle
	source int           // of the spec
}

// hasOtherSets reports whether the ranking has got another bucket or another part since the plan was made.
func (in *input) hasOtherSets() bool {
	switch {
	case in.division != nil:
		if in.slot.Parts.Is(in.division) {
			return false
		}
		in.slot.WaitForSteps()
		return true
	case in.slot != nil && in.slot.Tail != nil:
		in.slot.WaitForSteps()
		return !slices.Equal(in.keys, in.t.RankingKeys(in.slot.Name))
	}
	return false
}

// plan is what a union reads and computes.
type plan struct {
	now    time.Time      // decides which periods are live
	states []*state.State // of the sources' boards
	inputs []input
	layout *layout
}

// newPlan finds the rankings of a spec. Errors: ErrUnion; an *Error that wraps ErrNoBoard, ErrNoWindow, ErrNoPeriod, ErrPeriodName, an
// *OutsideError, ErrColumns, ErrKind or ErrOverflow.
func newPlan(ctx context.Context, c *catalog.Catalog, spec *board.UnionSpec) (*plan, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	p := &plan{now: c.Engine.Now()}
	counts := make([]int, len(spec.Sources))
	for i := range spec.Sources {
		s, before := &spec.Sources[i], len(p.inputs)
		if err := p.addSource(ctx, c, s); err != nil {
			return nil, fault(spec, i, "", err)
		}
		if len(p.inputs) > board.MaxUnionPeriods {
			return nil, fault(spec, i, "", fmt.Errorf("%w: more than %d rankings", board.ErrUnion, board.MaxUnionPeriods))
		}
		counts[i] = len(p.inputs) - before
	}
	var err error
	p.layout, err = newLayout(spec, p.states, counts)
	return p, err
}

// addSource adds the rankings of a source.
func (p *plan) addSource(ctx context.Context, c *catalog.Catalog, s *board.UnionSource) error {
	b, err := c.Lookup(s.Board)
	if err != nil {
		return err
	}
	st, err := b.Readable()
	if err != nil {
		return err
	}
	t := st.Timelines[0]
	if s.Window != "" {
		if t, err = st.Timeline(s.Window); err != nil {
			return err
		}
	}
	in := input{b: b, st: st, t: t, source: len(p.states)}
	p.states = append(p.states, st)
	if s.Baseline != "" {
		in.keys, in.fixed = []string{st.BaselineKey(t.Window.Name, s.Baseline)}, true
		return p.addExisting(ctx, in, "baseline "+s.Baseline)
	}
	periods, err := p.periods(t, s)
	if err != nil {
		return err
	}
	for _, period := range periods {
		slot := t.SlotOf(period)
		in.slot = slot
		if slot.Parts != nil {
			in.division = slot.Parts.Now()
		}
		if in.keys, in.fixed, in.closed = t.RankingKeys(slot.Name), t.IsClosed(slot), nil; in.fixed { // the record comes before the window is closed
			in.closed = t.RecordOf(period.Name)
		}
		switch {
		case s.Period != "":
			return p.addExisting(ctx, in, "period "+s.Period)
		case in.closed != nil || !in.fixed: // a closed period without a record has no members
			p.inputs = append(p.inputs, in)
		}
	}
	return nil
}

// addExisting adds a ranking that must exist. Error: ErrNoPeriod.
func (p *plan) addExisting(ctx context.Context, in input, what string) error {
	n, err := in.b.Engine().Exists(ctx, in.keys...)
	if err == nil && n == 0 && !in.hasOtherSets() {
		err = fmt.Errorf("%w: %s has no members, or is not kept any more", board.ErrNoPeriod, what)
	}
	p.inputs = append(p.inputs, in)
	return err
}

// periods returns the periods of a source in order of time.
func (p *plan) periods(t *state.Timeline, s *board.UnionSource) (list []window.Period, err error) {
	first, last, n := s.From, s.To, max(s.Last, 1)
	if s.Period != "" {
		first, last = s.Period, s.Period
	}
	var end window.Period
	if last != "" {
		end, err = t.Cal.Parse(last)
	} else {
		end, err = t.PeriodAt(p.now)
	}
	if err != nil {
		return nil, err
	}
	begin := end
	if first != "" {
		if begin, err = t.Cal.Parse(first); err != nil {
			return nil, err
		}
		if n = board.MaxUnionPeriods + 1; begin.Start.After(end.Start) {
			return nil, fmt.Errorf("%w: from is %s, and it comes after %s", board.ErrUnion, begin.Name, end.Name)
		}
	}
	list = append(list, end)
	for at := end; len(list) < n && (first == "" || at.Name != begin.Name); {
		var ok bool
		if at, ok = t.Cal.Prev(at); !ok {
			break
		}
		list = append(list, at)
	}
	return list, nil
}
