package load

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

var (
	// ErrPeriod is returned for a period that was added before, or has not begun.
	ErrPeriod = errors.New("load: period cannot be added")
	// ErrSpec is returned for a spec whose boards cannot be loaded.
	ErrSpec = errors.New("load: boards of this spec cannot be loaded")
)

// Boards are where the board comes to be: *local.Boards and *cluster.Boards.
type Boards interface {
	// Relocation is for this package.
	Relocation() (relocation.Store, error)
}

// Entry is an entry of a ranking.
type Entry struct {
	Member  string      // 1 to board.MaxMember bytes
	Score   board.Score // with the columns of the spec
	Reached time.Time   // when the score was reached; it is not checked against the period
}

// Report says what was loaded.
type Report struct {
	Periods int // all of them
	Closed  int // of these periods
	Entries int // of all periods
}

// Loader is a board that is being made. It is not safe for use by several goroutines.
type Loader struct {
	spec    board.Spec
	rules   *rules.Rules
	now     time.Time
	target  relocation.Target
	windows []*timeline
	arrival uint64
	report  Report
}

// New begins a board. now decides which periods are over. Errors: ErrSpec, board.ErrBoardExists, those of the spec and of the boards.
func New(ctx context.Context, boards Boards, spec board.Spec, now time.Time) (*Loader, error) {
	spec = spec.WithDefaults()
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	r, err := spec.Rules()
	if err != nil {
		return nil, err
	}
	if r.K() > 0 || r.Timed() > 0 || spec.Derived != nil {
		return nil, fmt.Errorf("%w: %q keeps several results of a member, or is derived", ErrSpec, spec.Name)
	}
	l := &Loader{spec: spec, rules: r, now: now}
	for _, w := range spec.Windows {
		c, err := w.Calendar()
		if err != nil {
			return nil, err
		}
		if w.Kind == window.Rolling {
			return nil, fmt.Errorf("%w: the window %s of %q is rolling", ErrSpec, w.Label(), spec.Name)
		}
		l.windows = append(l.windows, &timeline{Window: w, calendar: c, through: math.MinInt64})
	}
	store, err := boards.Relocation()
	if err != nil {
		return nil, err
	}
	l.target, err = store.Target(ctx, spec, "")
	return l, err
}

// Spec returns the spec with its defaults.
func (l *Loader) Spec() board.Spec { return l.spec }

// window returns a window by its name.
func (l *Loader) window(name string) (*timeline, error) {
	i := slices.IndexFunc(l.windows, func(t *timeline) bool { return t.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("%w: %q of %q", board.ErrNoWindow, name, l.spec.Name)
	}
	return l.windows[i], nil
}

// Calendar returns the calendar of a window, by which a caller finds periods. Errors: board.ErrNoWindow.
func (l *Loader) Calendar(name string) (*window.Calendar, error) {
	t, err := l.window(name)
	if err != nil {
		return nil, err
	}
	return t.calendar, nil
}

// Check returns the error of an entry that the board would refuse, or nil. Errors: board.ErrMember, those of rules.
func (l *Loader) Check(e Entry) error {
	if e.Member == "" || len(e.Member) > board.MaxMember {
		return board.ErrMember
	}
	_, err := l.entry(e)
	return err
}

// entry returns what a first submission would make.
func (l *Loader) entry(e Entry) (rules.Entry, error) {
	score, err := l.rules.Check(e.Score)
	if err != nil {
		return rules.Entry{}, err
	}
	sub := rules.Entry{Score: score}
	if l.rules.Ties() != rules.ByMember {
		sub.Reached, sub.Arrival = e.Reached.UnixMicro(), l.arrival
	}
	next, _, err := l.rules.Apply(rules.Entry{}, false, sub)
	return next, err
}

// Add adds a period of a window with its entries, in the order in which equals stand: the first one first. A member is there once. Errors: board.ErrNoWindow, ErrPeriod, those of Check with the member.
func (l *Loader) Add(ctx context.Context, win string, p window.Period, entries []Entry) error {
	t, err := l.window(win)
	if err != nil {
		return err
	}
	switch {
	case slices.ContainsFunc(t.periods, func(have relocation.Period) bool { return have.Name == p.Name }):
		return fmt.Errorf("%w: %s of window %s was added before", ErrPeriod, p.Name, win)
	case p.Start.After(l.now):
		return fmt.Errorf("%w: %s of window %s begins at %s", ErrPeriod, p.Name, win, p.Start.Format(time.RFC3339))
	}
	r := relocation.Ranking{Window: win, Period: p.Name}
	const step = 1000
	for some := range slices.Chunk(entries, step) {
		list := make([]relocation.Difference, len(some))
		for i, e := range some {
			l.arrival++
			if err := l.Check(e); err != nil {
				return fmt.Errorf("member %.100q: %w", e.Member, err)
			}
			made, err := l.entry(e)
			if err != nil {
				return fmt.Errorf("member %.100q: %w", e.Member, err)
			}
			score, tie := l.rules.Encode(nil, made)
			list[i].Entry = relocation.Entry{Member: e.Member, Score: score, Tie: tie}
		}
		if err := l.target.Put(ctx, r, list); err != nil {
			return err
		}
	}
	if n, err := l.target.Len(ctx, r); err != nil || n != len(entries) {
		return errors.Join(err, fmt.Errorf("load: %d entries of %s have %d members", len(entries), p.Name, n))
	}
	if len(entries) > 0 {
		t.periods = append(t.periods, relocation.Period{Period: p})
		l.report.Entries += len(entries)
	}
	return nil
}

// Finish stores the board and opens it. Errors: those of the boards; then there is no board.
func (l *Loader) Finish(ctx context.Context) (Report, error) {
	var h relocation.Header
	for _, t := range l.windows {
		t.close(l.now)
		slices.SortFunc(t.periods, func(a, b relocation.Period) int { return a.Start.Compare(b.Start) })
		for i := range t.periods {
			l.report.Periods++
			if p := &t.periods[i]; t.isClosed(p.Period) {
				at, _ := t.calendar.Closes(p.Period)
				p.Record = &state.Record{Period: p.Name, Start: p.Start, End: p.End, ClosedAt: at.Truncate(time.Microsecond)}
				l.report.Closed++
			}
		}
		h.Windows = append(h.Windows, relocation.Window{Name: t.Name, Through: t.through, Periods: t.periods})
	}
	err := l.target.Finish(ctx, h)
	if err == nil {
		err = l.target.Open(ctx)
	}
	if err != nil {
		return l.report, errors.Join(err, l.Discard(context.WithoutCancel(ctx)))
	}
	return l.report, l.target.Close()
}

// Discard gives up a board that is not finished.
func (l *Loader) Discard(ctx context.Context) error {
	return errors.Join(l.target.Discard(ctx), l.target.Close())
}
