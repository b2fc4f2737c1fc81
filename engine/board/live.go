package board

import (
	"hash/fnv"
	"math"
	"time"
)

// live is the live period of a window, for the rankings of Board.Live: each call on one of these asks it once.
type live struct {
	b  *Board
	st *state
	s  *span
}

// livePeriod is a period as the subject of a ranking.
type livePeriod struct {
	subject
	from, to int64 // in Unix seconds: [from, to)
}

// now returns the subject of the period that is live by the engine's clock. It is kept in the span until the next period begins, so that
// a read costs one look at the clock more than one of a named period. Errors: an *OutsideError or ErrTime if no period is live;
// ErrMigrating and ErrNoBoard when the next period is looked for.
func (l *live) now() (*subject, error) {
	now := l.b.bs.e.Now()
	if p := l.s.live.Load(); p != nil && p.contains(now) {
		return &p.subject, nil
	}
	if err := l.b.same(l.st); err != nil { // the calendar may be another one too
		return nil, err
	}
	period, err := l.s.period(now)
	if err != nil {
		return nil, err
	}
	p := &livePeriod{subject: l.b.subject(l.st, l.s, period), from: math.MinInt64, to: math.MaxInt64}
	if !period.End.IsZero() {
		p.from, p.to = period.Start.Unix(), period.End.Unix()
	}
	l.s.live.Store(p)
	return &p.subject, nil
}

func (p *livePeriod) contains(t time.Time) bool {
	unix := t.Unix()
	return p.from <= unix && unix < p.to
}

// info tells of the window, while no period is live.
func (l *live) info() Info { return Info{Board: l.st.name, Window: l.s.Window.Name} }

// periodsBack is how many periods before the live one a cursor is compared with, to tell that its period is over.
const periodsBack = 100

// over returns the name of the period before the live one that a cursor is of. O(periodsBack).
func (l *live) over(c Cursor) (name string, ok bool) {
	p, err := l.s.period(l.b.bs.e.Now())
	if err != nil {
		return "", false
	}
	for range periodsBack {
		if p, ok = l.s.cal.Prev(p); !ok {
			return "", false
		}
		if c.ranking() == rankingID(l.s.key(p.Name)) {
			return p.Name, true
		}
	}
	return "", false
}

// rankingID is what cursors have of the ranking they are of: a hash of its key.
func rankingID(key string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key)) // never fails
	return h.Sum64()
}
