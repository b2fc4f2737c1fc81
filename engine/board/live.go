package board

// live is the live period of a window, for a ranking of Board.Live.
type live struct {
	b  *core
	st *state
	t  *timeline
}

// subject returns the ranking of the period that is live by the engine's clock. The timeline keeps it until the next period begins, so
// that a read costs no more than one of a named period and one look at the clock. Errors: an *OutsideError or ErrTime if no period is
// live; ErrMigrating and ErrNoBoard when the period is a new one.
func (l *live) subject() (*subject, error) {
	now := l.b.engine().Now()
	if p := l.t.live.Load(); p != nil && p.contains(now) {
		return &p.subject, nil
	}
	if err := l.b.checkReadable(l.st); err != nil { // the calendar may be another one too
		return nil, err
	}
	period, err := l.t.periodAt(now)
	if err != nil {
		return nil, err
	}
	p := newLivePeriod(periodSubject(l.b, l.st, l.t, period), period)
	l.t.live.Store(p)
	return &p.subject, nil
}

// info describes the window while no period is live.
func (l *live) info() Info { return Info{Board: l.st.name, Window: l.t.Window.Name} }

// periodsBack is the number of periods before the live one that earlier looks at.
const periodsBack = 100

// earlier returns the name of the period before the live one whose ranking has an id. O(periodsBack).
func (l *live) earlier(id uint64) (period string, ok bool) {
	p, err := l.t.periodAt(l.b.engine().Now())
	if err != nil {
		return "", false
	}
	for range periodsBack {
		if p, ok = l.t.cal.Prev(p); !ok {
			return "", false
		}
		if id == rankingID(l.t.key(p.Name)) {
			return p.Name, true
		}
	}
	return "", false
}
