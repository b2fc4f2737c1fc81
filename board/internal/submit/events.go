package submit

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/events"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// noteEvents writes the events of the windows whose entry the submission has changed, if the board has a feed. Of a hidden member there are none.
func (p *plan) noteEvents(tx *engine.Tx) error {
	if !events.Has(p.st) || p.hidden {
		return nil
	}
	w := p.b.Events(tx, p.st)
	for i := range p.outcomes {
		o := &p.outcomes[i]
		if !o.changed {
			continue
		}
		m := events.Move{T: p.lines[i], Period: p.slots[i].Name, Member: p.sub.Member, Before: o.before, After: o.after}
		e := feed.Event{Kind: feed.Submitted, Window: m.T.Window.Name, Period: m.Period, Member: m.Member, Rank: o.after + 1, Before: o.before + 1, Score: o.next.Score}
		if o.had {
			e.Was = o.old.Score
		}
		if err := w.Opened(&m, o.Set()); err != nil {
			return err
		}
		if err := w.Note(&e); err != nil {
			return err
		}
		if e.Kind = feed.PersonalRecord; o.had && p.st.Rules.Compare(o.next.Score, o.old.Score) < 0 {
			if err := w.Note(&e); err != nil {
				return err
			}
		}
		if err := w.Moved(&m, o.Set()); err != nil {
			return err
		}
	}
	return nil
}

// noteRemoved writes the events of a member's removal from a ranking, where it had a row: that of the removal too if kind is events.Removed. The events do not name a
// member that is erased.
func (o openPeriod) noteRemoved(tx *engine.Tx, b *catalog.Board, st *state.State, member string, row *board.Row, kind feed.Kind, set *engine.IntSet) error {
	if !events.Has(st) {
		return nil
	}
	w := b.Events(tx, st)
	m := events.Move{T: o.t, Period: o.slot.Name, Member: member, Before: o.rankOf(row), After: -1}
	switch kind {
	case feed.Removed:
		e := feed.Event{Kind: feed.Removed, Window: o.t.Window.Name, Period: o.slot.Name, Member: member, Before: m.Before + 1, Was: row.Score}
		if err := w.Note(&e); err != nil {
			return err
		}
	case feed.Erased:
		m.Member = ""
	}
	return w.Moved(&m, set)
}

// noteMoved writes the events of a member that has been hidden or shown in the ranking, where it had or has a row.
func (o openPeriod) noteMoved(tx *engine.Tx, b *catalog.Board, st *state.State, member string, row *board.Row, hide bool) error {
	if !events.Has(st) {
		return nil
	}
	set, err := tx.IntSet(o.slot.Key, st.Form)
	if err != nil {
		return err
	}
	w := b.Events(tx, st)
	m := events.Move{T: o.t, Period: o.slot.Name, Member: member, Before: -1, After: o.rankOf(row)}
	if hide {
		m.Before, m.After = m.After, -1
	}
	if err := w.Opened(&m, set); err != nil {
		return err
	}
	return w.Moved(&m, set)
}

// rankOf returns the rank of a row, from 0, as events.Move has it.
func (o openPeriod) rankOf(row *board.Row) int {
	if row.Beyond {
		return o.t.Top.N
	}
	return row.Rank - 1
}

// Watch stores that a member watches who overtakes it, or not any more: see board.Board.Watch.
func Watch(ctx context.Context, b *catalog.Board, member string, is bool) error {
	if member == "" || len(member) > board.MaxMember {
		return board.ErrMember
	}
	return b.Watch(ctx, member, is)
}
