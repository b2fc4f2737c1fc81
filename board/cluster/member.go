package cluster

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/state"
)

// Remove removes a member from every period that accepts results, by one commit, and returns what it had. Errors: those of the servers.
func (b *clusterBoard) Remove(ctx context.Context, member string) (removed []board.Removed, err error) {
	if member == "" || len(member) > board.MaxMember {
		return nil, nil
	}
	for {
		p, err := b.openPeriods(ctx, member)
		if err != nil || len(p.slots) == 0 {
			return nil, err
		}
		removed, err = p.remove(ctx)
		if err != state.ErrAgain {
			return removed, err
		}
	}
}

// openPeriods returns a plan for all open periods, without outcomes.
func (b *clusterBoard) openPeriods(ctx context.Context, member string) (*plan, error) {
	had, err := b.refresh(ctx)
	if err != nil {
		return nil, err
	}
	p := &plan{b: b, sub: board.Submission{Member: member}, member: []byte(member), now: b.now(), implicit: true}
	p.k = b.keys.PartitionOf(p.member)
	for _, t := range b.st.Timelines {
		for _, of := range had.inOrder(t.Window.Name) {
			if slot := t.SlotOf(of); t.Accepts(slot, p.now) {
				p.lines, p.slots = append(p.lines, t), append(p.slots, slot)
			}
		}
	}
	return p, nil
}

// remove removes the member from the periods of the plan.
func (p *plan) remove(ctx context.Context) (removed []board.Removed, err error) {
	for made := false; !made && err == nil; {
		if _, err = p.read(ctx); err != nil {
			break
		}
		if removed, err = p.rows(ctx); err != nil || len(removed) == 0 {
			return nil, err
		}
		for i := range p.outcomes {
			p.outcomes[i].is = layout.Value{}
		}
		made, _, err = p.store(ctx, false)
	}
	if errors.Is(err, board.ErrPeriodClosed) {
		err = state.ErrAgain // without the period that was closed
	}
	if err != nil {
		removed = nil
	}
	return removed, err
}

// rows returns the rows of the member in the periods of the plan, as they are.
func (p *plan) rows(ctx context.Context) (removed []board.Removed, err error) {
	for i := range p.outcomes {
		o := &p.outcomes[i]
		if !o.was.HasMember {
			continue
		}
		x := board.Removed{Window: p.lines[i].Window.Name, Period: p.slots[i].Name}
		rank := 0
		if x.Hidden = o.was.Hidden; !x.Hidden {
			s := p.b.setsOf(ctx, x.Window, x.Period)
			if rank = s.Seek([]byte(o.was.Text(p.member))) + 1; s.Err() != nil {
				return nil, s.Err()
			}
		}
		ranking.SetRow(&x.Row, p.b.st.Rules, rank, p.sub.Member, &o.old)
		removed = append(removed, x)
	}
	return removed, nil
}

// SetMeta changes the metadata of a member's entry in the live period of a window: see board.Board.SetMeta.
func (b *clusterBoard) SetMeta(ctx context.Context, name, member string, meta []byte) error {
	if len(meta) > b.st.Spec.MaxMeta {
		return fmt.Errorf("%w: %d bytes, want at most %d: %q", board.ErrMeta, len(meta), b.st.Spec.MaxMeta, b.st.Name)
	}
	of := member
	if of == "" || len(of) > board.MaxMember {
		of = "?" // nobody has such a name: the error is that of a closed period, or ErrNotRanked
	}
	for {
		p, err := b.newPlan(board.Submission{Member: of, Windows: []string{name}}, nil)
		if err != nil {
			return err
		}
		for made := false; !made && err == nil; {
			if _, err = p.read(ctx); err == nil {
				err = p.isOpen()
			}
			if err != nil {
				break
			}
			o := &p.outcomes[0]
			if of != member || !o.was.IsRanked() {
				return fmt.Errorf("%w: %q in %s of %q", board.ErrNotRanked, member, p.slots[0].Name, b.st.Name)
			}
			o.is.Meta = meta
			made, _, err = p.store(ctx, false)
		}
		if err != state.ErrAgain {
			return err
		}
	}
}
