package periods

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/state"
)

// live is the live period of a window, for a ranking of Board.Live.
type live struct {
	b  *catalog.Board
	st *state.State
	t  *state.Timeline
}

// Subject returns the ranking of the period that is live by the engine's clock. The timeline caches it until the next period begins, so that a
// read costs as much as a read of a named period, and one read of the clock. Errors: an *OutsideError or ErrTime if no period is
// live; ErrMigrating and ErrNoBoard when the period is a new one.
func (l *live) Subject() (*ranking.Subject, error) {
	now := l.b.Engine().Now()
	if p := l.t.Live.Load(); p != nil && p.IsOf(l.st, now) {
		return &p.Subject, nil
	}
	if err := l.b.CheckReadable(l.st); err != nil { // a migration may have changed the calendar too
		return nil, err
	}
	period, err := l.t.PeriodAt(now)
	if err != nil {
		return nil, err
	}
	p := state.NewLivePeriod(l.st, periodSubject(l.b, l.st, l.t, period), period)
	l.t.Live.Store(p)
	return &p.Subject, nil
}

// Info describes the window while no period is live.
func (l *live) Info() board.Info { return board.Info{Board: l.st.Name, Window: l.t.Window.Name} }

// Earlier implements ranking.LiveWindow.
func (l *live) Earlier(id uint64) (period string, ok bool) {
	return l.t.Earlier(l.b.Engine().Now(), func(period string) bool { return id == ranking.ID(l.t.Key(period)) })
}
