package routes

import (
	"context"

	"github.com/zrankdb/zrank/board"
)

// Standings is some members among themselves.
type Standings struct {
	Rows []board.AmongRow `json:"rows" doc:"Best first; members that are not ranked are left out."`
}

// Arrows is the movement of members.
type Arrows struct {
	Arrows []board.Arrow `json:"arrows" doc:"In the order of the request."`
}

type (
	// Among is some members.
	Among struct {
		Body struct {
			Members []string `json:"members,text" doc:"The names of members: friends, a guild."`
		}
	}
	// ArrowsTo is some members, and what to compare with.
	ArrowsTo struct {
		Body struct {
			Members  []string `json:"members,text"`
			Period   string   `json:"period,omitempty" doc:"The base: a period."`
			Which    string   `json:"which,omitempty" enum:"closed,latest" doc:"The base: the last closed period that had members, or the last that has members."`
			Baseline string   `json:"baseline,omitempty" doc:"The base: a baseline of the window."`
			Pin      string   `json:"pin,omitempty" doc:"The base: a pinned ranking."`
			Union    string   `json:"union,omitempty" doc:"The base: a stored union."`
			Board    string   `json:"board,omitempty" doc:"The board of the base; absent: the same."`
			Window   string   `json:"window,omitempty" doc:"The window of the base, of which it is the live period unless something else is given; absent: the same."`
		}
	}
)

func (p Among) get() Among { return p }

// registerComparisons registers the reads of several members. They have bodies, so they are POST.
func registerComparisons(r *Router) {
	among := func(ctx context.Context, r *Router, k board.Ranking, p Among) (o Standings, err error) {
		if err := r.rowsIn(ctx, k, len(p.Body.Members)); err != nil {
			return o, err
		}
		rows, err := k.Among(ctx, p.Body.Members...)
		return Standings{rows}, err
	}
	const summary = "Some members among themselves, with their ranks in the whole ranking"
	post[struct {
		InWindow
		Among
	}](r, "postWindowAmong", "/v1/boards/{board}/windows/{window}/among", "Rankings", summary, readerOwn, among)
	post[struct {
		InPin
		Among
	}](r, "postPinAmong", "/v1/pins/{pin}/among", pinned, summary, someone, among)
	post[struct {
		InUnion
		Among
	}](r, "postUnionAmong", "/v1/unions/{union}/among", stored, summary, reader, among)
	const moved = "The ranks of members here and in a base"
	add(r, operation("postWindowArrows", "POST /v1/boards/{board}/windows/{window}/arrows", "Rankings", moved), reader, func(ctx context.Context, in *struct {
		InWindow
		ArrowsTo
	}) (Arrows, error) {
		return arrows(ctx, r, &in.InWindow, in.ArrowsTo, in.OnWindow)
	})
	add(r, operation("postPinArrows", "POST /v1/pins/{pin}/arrows", pinned, moved), someone, func(ctx context.Context, in *struct {
		InPin
		ArrowsTo
	}) (Arrows, error) {
		return arrows(ctx, r, &in.InPin, in.ArrowsTo, OnWindow{})
	})
	add(r, operation("postUnionArrows", "POST /v1/unions/{union}/arrows", stored, moved), reader, func(ctx context.Context, in *struct {
		InUnion
		ArrowsTo
	}) (Arrows, error) {
		return arrows(ctx, r, &in.InUnion, in.ArrowsTo, OnWindow{})
	})
}

// post registers a read of a ranking by a body.
func post[I, P, O any](r *Router, id, path, tag, summary string, w who, read func(ctx context.Context, r *Router, k board.Ranking, p P) (O, error)) {
	add(r, operation(id, "POST "+path, tag, summary), w, func(ctx context.Context, in *I) (o O, err error) {
		k, err := any(in).(source).ranking(ctx, r)
		if err != nil {
			return o, err
		}
		return read(ctx, r, k, any(in).(having[P]).get())
	})
}

// arrows compares members of a ranking with a base.
func arrows(ctx context.Context, r *Router, of source, p ArrowsTo, same OnWindow) (o Arrows, err error) {
	if err := r.rows(len(p.Body.Members)); err != nil {
		return o, err
	}
	k, err := of.ranking(ctx, r)
	if err != nil {
		return o, err
	}
	base, err := p.base(ctx, r, same)
	if err != nil {
		return o, err
	}
	list, err := k.Arrows(ctx, base, p.Body.Members...)
	return Arrows{list}, err
}

// base returns the ranking that the request compares with, nil for none.
func (p ArrowsTo) base(ctx context.Context, r *Router, same OnWindow) (board.Ranking, error) {
	x := p.Body
	switch {
	case x.Pin != "":
		return (&InPin{Pin: x.Pin}).ranking(ctx, r)
	case x.Union != "":
		if err := reader.check(ctx, nil); err != nil {
			return nil, err
		}
		return (&InUnion{Union: x.Union}).ranking(ctx, r)
	case x.Period == "" && x.Baseline == "" && x.Which == "" && x.Window == "":
		return nil, nil
	}
	if x.Board != "" {
		same.Board = x.Board
	}
	if x.Window != "" {
		same.Window = x.Window
	}
	if err := reader.check(ctx, same); err != nil {
		return nil, err
	}
	return (&InWindow{OnWindow: same, Period: x.Period, Which: x.Which, Baseline: x.Baseline}).ranking(ctx, r)
}
