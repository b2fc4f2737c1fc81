package board

import (
	"errors"
	"fmt"
	"time"
)

// liveRanking returns the ranking of whichever period of a window is live: see Board.Live.
func liveRanking(b *core, window string) (Ranking, error) {
	st, t, err := b.timeline(window)
	if err != nil {
		return nil, err
	}
	l := &live{b, st, t}
	if _, err := l.subject(); err != nil {
		return nil, err
	}
	return newLiveRanking(l, st.rules), nil
}

// rankingAt returns the ranking of the period that a time lies in: see Board.At.
func rankingAt(b *core, window string, at time.Time) (Ranking, error) {
	st, t, err := b.timeline(window)
	if err != nil {
		return nil, err
	}
	p, err := t.periodAt(at)
	if err != nil {
		return nil, err
	}
	return ofPeriod(b, st, t, p), nil
}

// rankingOf returns the ranking of a period by its name: see Board.Period.
func rankingOf(b *core, window, period string) (Ranking, error) {
	st, t, err := b.timeline(window)
	if err != nil {
		return nil, err
	}
	p, err := t.cal.Parse(period)
	if err != nil {
		return nil, fmt.Errorf("%w: %q", err, st.name)
	}
	n, err := b.engine().Exists(t.key(p.Name))
	if err != nil {
		return nil, err
	}
	if n == 0 {
		why := "nobody has scored in it"
		if t.isClosed(t.slotOf(p)) {
			why = "nobody has scored in it, or it is not kept any more"
		}
		return nil, fmt.Errorf("%w: %s of %q, window %s: %s", ErrNoPeriod, period, st.name, window, why)
	}
	return ofPeriod(b, st, t, p), nil
}

// lastClosed returns the ranking of a window's last closed period that had members: see Board.LastClosed.
func lastClosed(b *core, name string) (Ranking, error) {
	st, t, err := b.timeline(name)
	if err != nil {
		return nil, err
	}
	r := t.lastRecord()
	if r == nil {
		return nil, fmt.Errorf("%w: none of window %s of %q is closed", ErrNoPeriod, name, st.name)
	}
	return ofPeriod(b, st, t, Period{Name: r.Period, Start: r.Start, End: r.End}), nil
}

// nextReset returns the first moment of the window's next period, and false if there is none: see Board.NextReset.
func nextReset(b *core, name string) (at time.Time, ok bool, err error) {
	_, t, err := b.timeline(name)
	if err != nil {
		return time.Time{}, false, err
	}
	p, err := t.cal.At(b.engine().Now())
	if outside := new(OutsideError); errors.As(err, &outside) {
		if outside.After == nil {
			return time.Time{}, false, nil
		}
		return outside.After.Start, true, nil
	}
	if err != nil {
		return time.Time{}, false, err
	}
	next, ok := t.cal.Next(p)
	return next.Start, ok, nil
}

// deadline returns the moment before which a result that happens at a time is accepted: see Board.Deadline.
func deadline(b *core, at time.Time) (until time.Time, ok bool, err error) {
	st, err := b.readable()
	if err != nil {
		return time.Time{}, false, err
	}
	for _, t := range st.timelines {
		p, err := t.periodAt(at)
		if err != nil {
			return time.Time{}, false, err
		}
		if closes, ever := t.cal.Closes(p); ever && (!ok || closes.Before(until)) {
			until, ok = closes, true
		}
	}
	return until, ok, nil
}
