package routes

import (
	"context"

	"github.com/zrankdb/zrank/board"
)

// Periods is the periods of a window.
type Periods struct {
	Periods []board.Usage `json:"periods" doc:"Those that have members, in order of time."`
}

// BaselineOf is a baseline.
type BaselineOf struct {
	OnWindow
	Name string `path:"name" doc:"The name of the baseline."`
}

// BestRankOf is the best rank of a member.
type BestRankOf struct {
	Rank int `json:"rank" doc:"From 1."`
}

// registerPeriods registers operations on windows: their periods, their ends, their baselines.
func registerPeriods(r *Router) {
	const tag = "Windows"
	add(r, operation("listPeriods", "GET /v1/boards/{board}/windows/{window}/periods", tag, "The periods of a window that have members"), reader, func(ctx context.Context, in *OnWindow) (o Periods, err error) {
		b, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		all, err := b.Periods(ctx, in.Window)
		return Periods{all}, err
	})
	add(r, operation("closePeriod", "POST /v1/boards/{board}/windows/{window}/close", tag, "Closes the live period by hand"), admin, func(ctx context.Context, in *OnWindow) (o board.Info, err error) {
		b, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		return b.CloseNow(ctx, in.Window)
	})
	add(r, operation("getReset", "GET /v1/boards/{board}/windows/{window}/reset", tag, "When the next period begins"), readerOwn, func(ctx context.Context, in *OnWindow) (o Until, err error) {
		b, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		at, ok, err := b.NextReset(ctx, in.Window)
		return untilOf(at, ok), err
	})
	type aboutWindow struct {
		OnWindow
		About
	}
	add(r, operation("getNextChange", "GET /v1/boards/{board}/windows/{window}/next-change", tag, "When the first of a member's results leaves a rolling window"), readerOwn, func(ctx context.Context, in *aboutWindow) (o Until, err error) {
		x, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		at, ok, err := x.NextChange(ctx, in.Window, in.memberName())
		return untilOf(at, ok), err
	})
	add(r, operation("getBestRank", "GET /v1/boards/{board}/windows/{window}/best-rank", tag, "The best rank that a member ever had"), readerOwn, func(ctx context.Context, in *aboutWindow) (o BestRankOf, err error) {
		x, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		rank, ok, err := x.BestRank(ctx, in.Window, in.memberName())
		return BestRankOf{rank}, ranked(ok, err)
	})
	registerBaselines(r)
}

func registerBaselines(r *Router) {
	const tag = "Windows"
	add(r, operation("listBaselines", "GET /v1/boards/{board}/windows/{window}/baselines", tag, "The names of the baselines of a window"), reader, func(ctx context.Context, in *OnWindow) (o Names, err error) {
		x, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		names, err := x.Baselines(ctx, in.Window)
		return Names{append([]string{}, names...)}, err
	})
	do(r, operation("saveBaseline", "PUT /v1/boards/{board}/windows/{window}/baselines/{name}", tag, "Saves the live ranking as a baseline"), admin, func(ctx context.Context, in *BaselineOf) error {
		x, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return err
		}
		return x.SaveBaseline(ctx, in.Window, in.Name)
	})
	do(r, operation("dropBaseline", "DELETE /v1/boards/{board}/windows/{window}/baselines/{name}", tag, "Drops a baseline"), admin, func(ctx context.Context, in *BaselineOf) error {
		x, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return err
		}
		return x.DropBaseline(ctx, in.Window, in.Name)
	})
}
