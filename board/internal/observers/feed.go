package observers

import (
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/events"
	"github.com/zrankdb/zrank/engine"
)

// feedObserver writes the events of changes, if the board has a feed. Of hidden members there are
// none. Rename and Merge change two members, and write their events themselves.
type feedObserver struct{}

// Changed implements catalog.Observer.
func (feedObserver) Changed(tx *engine.Tx, b *catalog.Board, c *catalog.Change) error {
	if !events.Has(c.State) || c.Hidden || c.Before < 0 && c.After < 0 ||
		c.Why == feed.Renamed || c.Why == feed.Merged {
		return nil
	}
	w := b.Events(tx, c.State)
	m := events.Move{T: c.T, Period: c.Slot.Name, Member: string(c.Member), Before: c.Before, After: c.After}
	if err := w.Opened(&m, c.Ranking); err != nil {
		return err
	}
	switch c.Why {
	case feed.Submitted, feed.Removed:
		if err := noteOwn(&w, &m, c); err != nil {
			return err
		}
	case feed.Erased:
		m.Member = ""
	}
	return w.Moved(&m, c.Ranking)
}

// noteOwn writes the events of the member itself.
func noteOwn(w *events.Writer, m *events.Move, c *catalog.Change) error {
	e := feed.Event{Kind: c.Why, Window: m.T.Window.Name, Period: m.Period, Member: m.Member,
		Rank: m.After + 1, Before: m.Before + 1, Score: c.Is.Score, Was: c.Was.Score}
	if err := w.Note(&e); err != nil {
		return err
	}
	if e.Kind = feed.PersonalRecord; c.Why == feed.Submitted && c.Had && c.State.Rules.Compare(c.Is.Score, c.Was.Score) < 0 {
		return w.Note(&e)
	}
	return nil
}
