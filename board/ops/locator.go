package ops

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/board"
)

// ErrSelect is returned for arguments that name two rankings, or none.
var ErrSelect = errors.New("board: only one of period, which, at, baseline, asOf may be given, and row with period or alone")

// OnBoard is an operation on a board.
type OnBoard struct {
	Board string `path:"board" doc:"The name of the board; a slash in it is written %2F." example:"arena"`
}

// BoardName returns the name of the board.
func (p OnBoard) BoardName() string { return p.Board }

// OnWindow is an operation on a window.
type OnWindow struct {
	OnBoard
	Window string `path:"window" doc:"The name of the window: all, day, week …" example:"week"`
}

// WindowName returns the name of the window.
func (p OnWindow) WindowName() string { return p.Window }

// Moded is a read of ranks.
type Moded struct {
	Mode board.Mode `query:"mode" doc:"Which ranks members of equal score have: ordinal 1234 (the default), competition 1224, modified 1334 or dense 1223."`
}

// Locator names a ranking of a window: that of the live period, or another one.
type Locator struct {
	OnWindow
	Moded
	Period   string    `query:"period" doc:"The name of a period. Absent: the live one." example:"2026-W47"`
	Which    string    `query:"which" enum:"closed,latest" doc:"closed: the last closed period that had members; latest: the last that has members."`
	At       time.Time `query:"at" doc:"The period of a time."`
	Baseline string    `query:"baseline" doc:"The name of a baseline."`
	AsOf     time.Time `query:"asOf" doc:"The ranking as it was at a time, on a board with a journal. It is computed for each request: pin it to read more than once."`
	Row      *uint64   `query:"row" doc:"The ranking of the period, or of the live one, as it was after the row of the journal with this number."`
	Version  int       `query:"version" minimum:"0" doc:"The version that the board must have: after a migration the answer is 503 migrating. Absent: any."`
}

// Ranking returns the ranking. Errors: ErrSelect; board.ErrMigrating; those of the board.
func (l *Locator) Ranking(ctx context.Context, e *Env) (board.Ranking, error) {
	b, err := e.Boards.Board(ctx, l.Board)
	if err != nil {
		return nil, err
	}
	given := 0
	for _, is := range []bool{l.Period != "", l.Which != "", !l.At.IsZero(), l.Baseline != "", !l.AsOf.IsZero()} {
		if is {
			given++
		}
	}
	if given > 1 || l.Row != nil && given > 0 && l.Period == "" {
		return nil, ErrSelect
	}
	if l.Version > 0 && b.Version() != l.Version {
		return nil, fmt.Errorf("%w: %q has version %d", board.ErrMigrating, l.Board, b.Version())
	}
	k, err := l.selected(ctx, b)
	if err != nil {
		return nil, err
	}
	return k.By(l.Mode), nil
}

func (l *Locator) selected(ctx context.Context, b board.Board) (board.Ranking, error) {
	switch {
	case !l.At.IsZero():
		return b.At(ctx, l.Window, l.At)
	case l.Baseline != "":
		return b.Baseline(ctx, l.Window, l.Baseline)
	case l.Which == "closed":
		return b.LastClosed(ctx, l.Window)
	case l.Which != "":
		return b.Latest(ctx, l.Window)
	case !l.AsOf.IsZero():
		return b.AsOf(ctx, l.Window, l.AsOf)
	case l.Row != nil:
		period, err := l.livePeriod(ctx, b)
		if err != nil {
			return nil, err
		}
		return b.AsOfRow(ctx, l.Window, period, *l.Row)
	case l.Period != "":
		return b.Period(ctx, l.Window, l.Period)
	}
	return b.Live(ctx, l.Window)
}

// livePeriod returns the period that is named, or the live one.
func (l *Locator) livePeriod(ctx context.Context, b board.Board) (string, error) {
	if l.Period != "" {
		return l.Period, nil
	}
	k, err := b.Live(ctx, l.Window)
	if err != nil {
		return "", err
	}
	info, err := k.Info(ctx)
	return info.Period, err
}

// IsPast reports whether the ranking is computed, as it was once.
func (l *Locator) IsPast() bool { return l.Row != nil || !l.AsOf.IsZero() }

// UnionLocator names a stored union.
type UnionLocator struct {
	Moded
	Union string `path:"union" doc:"The name of a stored union."`
}

// Ranking returns the ranking. Error: board.ErrNoUnion.
func (l *UnionLocator) Ranking(ctx context.Context, e *Env) (board.Ranking, error) {
	k, err := e.Boards.StoredUnion(ctx, l.Union)
	if err != nil {
		return nil, err
	}
	return k.By(l.Mode), nil
}
