package board

import (
	"errors"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine/board/window"
)

// Live returns the ranking of whichever period of a window is live, which may be kept: each call on it, and Info, is about the period
// that is live at that moment by the engine's clock, and answers from that one period. View and Pin keep the period of the moment, so
// what is shown with its Info is read in a View. It may be empty. A page that began in a period that is over is not continued: Page
// returns ErrPeriodOver, and a ranking of Period takes the cursor. While no period is live, between seasons, calls return an
// *OutsideError, and Info has no Period. O(1). Errors: ErrNoWindow, an *OutsideError if no period is live, ErrClosed, ErrNoBoard.
func (b *Board) Live(window string) (Ranking, error) {
	st, s, err := b.window(window)
	if err != nil {
		return nil, err
	}
	l := &live{b, st, s}
	if _, err := l.now(); err != nil {
		return nil, err
	}
	return &ranking{live: l, rules: st.rules}, nil
}

// At returns the ranking of the period that a time lies in: at or after its Start, and before its End. The ranking stays with that period.
// It may be empty. O(1). Errors: those of Live.
func (b *Board) At(window string, t time.Time) (Ranking, error) {
	st, s, err := b.window(window)
	if err != nil {
		return nil, err
	}
	p, err := s.period(t)
	if err != nil {
		return nil, err
	}
	return b.ranking(st, s, p), nil
}

// Period returns the ranking of a window's period by its name. Errors: ErrNoWindow; ErrPeriodName if no period is called that, with
// what a name looks like; ErrNoPeriod if nobody has scored in it, or it is not kept any more; those of the engine.
func (b *Board) Period(window, period string) (Ranking, error) {
	st, s, err := b.window(window)
	if err != nil {
		return nil, err
	}
	p, err := s.cal.Parse(period)
	if err != nil {
		return nil, fmt.Errorf("%w: %q", err, st.name)
	}
	n, err := b.bs.e.Exists(s.key(p.Name))
	if err == nil && n == 0 {
		why := "nobody has scored in it"
		if s.isClosed(s.slot(p)) {
			why = "nobody has scored in it, or it is not kept any more"
		}
		err = fmt.Errorf("%w: %s of %q, window %s: %s", ErrNoPeriod, period, st.name, window, why)
	}
	if err != nil {
		return nil, err
	}
	return b.ranking(st, s, p), nil
}

// LastClosed returns the ranking of a window's last closed period that held anybody: where the ranks at the last close are. O(1).
// Errors: ErrNoWindow, ErrNoPeriod if there is none.
func (b *Board) LastClosed(window string) (Ranking, error) {
	st, s, err := b.window(window)
	if err != nil {
		return nil, err
	}
	r := s.lastClosed()
	if r == nil {
		return nil, fmt.Errorf("%w: none of window %s of %q is closed", ErrNoPeriod, window, st.name)
	}
	return b.ranking(st, s, Period{Name: r.Period, Start: r.Start, End: r.End}), nil
}

// info tells of a period.
func (st *state) info(s *span, p Period) Info {
	i := Info{Board: st.name, Window: s.Window.Name, Period: p.Name, Start: p.Start, End: p.End}
	if r := s.record(p.Name); r != nil {
		i.Start, i.End, i.Closed, i.ClosedAt = r.Start, r.End, true, r.ClosedAt
	} else {
		i.Closed = s.isClosed(s.slot(p))
	}
	return i
}

// Usage is a period, and what it takes.
type Usage struct {
	Info
	Members int
	Memory  int64 // bytes, in the engine's keyspace too; near 0 if the period is not in memory
	Disk    int64 // about what it takes on the disk in bytes, as of the last snapshot
}

// Periods returns the periods of a window that hold anybody, in order of time, and what each takes, without reading them. O(periods).
// Errors: ErrNoWindow, those of the engine.
func (b *Board) Periods(window string) ([]Usage, error) {
	st, s, err := b.window(window)
	if err != nil {
		return nil, err
	}
	if err := b.bs.outside(); err != nil {
		return nil, err
	}
	return b.usage(st, s)
}

func (b *Board) usage(st *state, s *span) (usage []Usage, err error) {
	for _, p := range s.periods() {
		u, ok, err := b.bs.e.Usage(s.key(p.Name))
		if err != nil {
			return nil, err
		}
		if ok {
			usage = append(usage, Usage{st.info(s, p.Period), u.Members, int64(u.Memory + u.Keyspace), u.Disk})
		}
	}
	return usage, nil
}

// Usage returns what all of the board's periods take: windows as in the spec, periods in order of time. Once keys, best ranks and
// baselines are sets of their own, which Engine.Glob lists and Engine.Usage measures. O(periods). Errors: those of the engine.
func (b *Board) Usage() ([]Usage, error) {
	if err := b.bs.outside(); err != nil {
		return nil, err
	}
	st, err := b.now()
	if err != nil {
		return nil, err
	}
	var all []Usage
	for _, s := range st.spans {
		periods, err := b.usage(st, s)
		if err != nil {
			return nil, err
		}
		all = append(all, periods...)
	}
	return all, nil
}

// NextReset returns the first moment of the window's next period: for a countdown. False if there is none: the window All, after the last
// season, after an event. O(1). Errors: ErrNoWindow.
func (b *Board) NextReset(window string) (at time.Time, ok bool, err error) {
	_, s, err := b.window(window)
	if err != nil {
		return time.Time{}, false, err
	}
	p, err := s.cal.At(b.bs.e.Now())
	if outside := new(OutsideError); errors.As(err, &outside) {
		if outside.After == nil {
			return time.Time{}, false, nil
		}
		return outside.After.Start, true, nil
	}
	if err != nil {
		return time.Time{}, false, err
	}
	next, ok := s.cal.Next(p)
	return next.Start, ok, nil
}

// ErrPeriodName is returned when no period of a window has the name asked for. The error tells what a name looks like.
var ErrPeriodName = window.ErrPeriodName

// Deadline returns the moment before which a result that happens at a time is taken: when the first of the periods that the time lies in is
// to be closed. False if none of them ever is by itself. O(windows). Errors: an *OutsideError.
func (b *Board) Deadline(t time.Time) (until time.Time, ok bool, err error) {
	st, err := b.now()
	if err != nil {
		return time.Time{}, false, err
	}
	for _, s := range st.spans {
		p, err := s.period(t)
		if err != nil {
			return time.Time{}, false, err
		}
		if at, closes := s.cal.Closes(p); closes && (!ok || at.Before(until)) {
			until, ok = at, true
		}
	}
	return until, ok, nil
}
