package target

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
)

// All returns all boards, by name. Errors: those of boards.
func All(ctx context.Context, boards Boards) (all []board.Board, err error) {
	names, err := boards.Names(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		b, err := boards.Board(ctx, name)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// Named returns the board that the first argument names, or else all boards. Error: board.ErrNoBoard.
func Named(ctx context.Context, boards Boards, args []string) ([]board.Board, error) {
	if len(args) == 0 {
		return All(ctx, boards)
	}
	b, err := boards.Board(ctx, args[0])
	if err != nil {
		return nil, err
	}
	return []board.Board{b}, nil
}

// Names that --period takes in place of that of a period.
const (
	Last   = "last"   // the last closed period
	Latest = "latest" // the latest period that holds anybody
)

// PeriodHelp says what --period takes, where it may name any period.
const PeriodHelp = "such as 2026-W47, or " + Last + ", the last closed one, or " + Latest + ", the latest that holds anybody"

// Ranking returns a ranking. The default window is the board's first, the default period the latest with members, or the live one if there is none.
// Errors: those of the board.
func Ranking(ctx context.Context, boards Boards, name, win, period string) (board.Board, board.Ranking, error) {
	b, err := boards.Board(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	if win == "" {
		win = b.Spec().Windows[0].Name
	}
	if period != "" {
		r, err := Period(ctx, b, win, period)
		return b, r, err
	}
	r, err := b.Latest(ctx, win)
	if errors.Is(err, board.ErrNoPeriod) {
		r, err = b.Live(ctx, win)
	}
	return b, r, err
}

// Period returns the ranking of a period by its name, or by Last or Latest. Errors: those of the board.
func Period(ctx context.Context, b board.Board, win, period string) (board.Ranking, error) {
	switch period {
	case Last:
		return b.LastClosed(ctx, win)
	case Latest:
		return b.Latest(ctx, win)
	}
	return b.Period(ctx, win, period)
}

// PeriodName returns the name of a period in place of Last and Latest, and any other name as it is. Errors: those of the board.
func PeriodName(ctx context.Context, b board.Board, win, period string) (string, error) {
	if period != Last && period != Latest {
		return period, nil
	}
	r, err := Period(ctx, b, win, period)
	if err != nil {
		return "", err
	}
	info, err := r.Info(ctx)
	return info.Period, err
}

// EndingWindow returns win or, if that is empty, the board's first window whose periods end. Errors: board.ErrNoWindow.
func EndingWindow(b board.Board, win string) (string, error) {
	if win != "" {
		return win, nil
	}
	for _, w := range b.Spec().Windows {
		if w.Ends() {
			return w.Name, nil
		}
	}
	return "", fmt.Errorf("%w: %q has no window with an end", board.ErrNoWindow, b.Name())
}
