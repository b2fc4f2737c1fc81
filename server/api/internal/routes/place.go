package routes

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/internal/boardjson"

	"github.com/danielgtaylor/huma/v2"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/server/access"
)

// OnBoard is the board of an operation.
type OnBoard struct {
	Board string `path:"board" doc:"The name of the board; a slash in it is written %2F." example:"arena"`
}

func (p OnBoard) boardName() string { return p.Board }

// OnWindow is the window of an operation.
type OnWindow struct {
	OnBoard
	Window string `path:"window" doc:"The name of the window: all, day, week …" example:"week"`
}

// About is the member of an operation.
type About struct {
	Member string `query:"member" doc:"The name of the member. One that is no UTF-8 is base64: and its bytes in base64url." example:"ada"`
	name   boardjson.Text
}

// Resolve implements huma.Resolver.
func (p *About) Resolve(huma.Context) []error { return resolve(&p.name, "member", p.Member) }

func (p About) memberName() string { return string(p.name) }

// resolve reads a text of the query.
func resolve(name *boardjson.Text, parameter, text string) []error {
	if err := name.UnmarshalText([]byte(text)); err != nil {
		return []error{&huma.ErrorDetail{Location: "query." + parameter, Message: err.Error()}}
	}
	return nil
}

// Moded is the mode of ranks.
type Moded struct {
	Mode string `query:"mode" doc:"Which ranks members of equal score have: ordinal 1234 (the default), competition 1224, modified 1334 or dense 1223."`
}

// by returns a ranking in the mode.
func (p Moded) by(r board.Ranking) (board.Ranking, error) {
	if p.Mode == "" {
		return r, nil
	}
	mode, err := board.ParseMode(p.Mode)
	if err != nil {
		return nil, err
	}
	return r.By(mode), nil
}

// Match is the condition of a read.
type Match struct {
	IfNoneMatch string `header:"If-None-Match" doc:"An ETag: if it is that of the answer, the answer is 304 without a body."`
}

// source is the input of a read of a ranking.
type source interface {
	ranking(ctx context.Context, r *Router) (board.Ranking, error)
}

// InWindow is a ranking of a window: the live period, or another one.
type InWindow struct {
	OnWindow
	Moded
	Match
	Period   string    `query:"period" doc:"The name of a period. Absent: the live one." example:"2026-W47"`
	Which    string    `query:"which" enum:"closed,latest" doc:"closed: the last closed period that had members; latest: the last that has members."`
	At       time.Time `query:"at" doc:"The period of a time."`
	Baseline string    `query:"baseline" doc:"The name of a baseline."`
	AsOf     time.Time `query:"asOf" doc:"The ranking as it was at a time, on a board with a journal. It is computed for each request: pin it to read more than once."`
	Row      string    `query:"row" pattern:"^[0-9]{1,20}$" doc:"The ranking of the period as it was after the row of the journal with this number."`
	Version  int       `query:"version" minimum:"0" doc:"The version that the board must have: after a migration the answer is 503 migrating. Absent: any."`
}

func (p *InWindow) ranking(ctx context.Context, r *Router) (board.Ranking, error) {
	b, err := r.Boards.Board(ctx, p.Board)
	if err != nil {
		return nil, err
	}
	given := 0
	for _, is := range []bool{p.Period != "", p.Which != "", !p.At.IsZero(), p.Baseline != "", !p.AsOf.IsZero()} {
		if is {
			given++
		}
	}
	if given > 1 || p.Row != "" && p.Period == "" {
		return nil, errSelect
	}
	if p.Version > 0 && b.Version() != p.Version {
		return nil, fmt.Errorf("%w: %q has version %d", board.ErrMigrating, p.Board, b.Version())
	}
	k, err := p.selected(ctx, b)
	if err != nil {
		return nil, err
	}
	return p.by(k)
}

func (p *InWindow) selected(ctx context.Context, b board.Board) (board.Ranking, error) {
	switch {
	case !p.At.IsZero():
		return b.At(ctx, p.Window, p.At)
	case p.Baseline != "":
		return b.Baseline(ctx, p.Window, p.Baseline)
	case p.Which == "closed":
		return b.LastClosed(ctx, p.Window)
	case p.isPast(), p.Which == "latest":
		return p.earlier(ctx, b)
	case p.Period != "":
		return b.Period(ctx, p.Window, p.Period)
	default:
		return b.Live(ctx, p.Window)
	}
}

// isPast reports whether the ranking is computed, as it was once.
func (p *InWindow) isPast() bool { return p.Row != "" || !p.AsOf.IsZero() }

// earlier returns a ranking that boards of a cluster do not have.
func (p *InWindow) earlier(ctx context.Context, b board.Board) (board.Ranking, error) {
	switch {
	case p.Which != "":
		return b.Latest(ctx, p.Window)
	case p.Row == "":
		return b.AsOf(ctx, p.Window, p.AsOf)
	}
	row, err := strconv.ParseUint(p.Row, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%w: row %s", errRequest, p.Row)
	}
	return b.AsOfRow(ctx, p.Window, p.Period, row)
}

// etag implements conditional. The answers of rankings of the past have none.
func (p *InWindow) etag() (name, ifNoneMatch string, ok bool) {
	return p.Window, p.IfNoneMatch, !p.isPast()
}

// InPin is a pinned ranking.
type InPin struct {
	Moded
	Pin string `path:"pin" doc:"The id of a pinned ranking."`
}

func (p *InPin) ranking(ctx context.Context, r *Router) (board.Ranking, error) {
	k, err := r.pins.get(access.FromContext(ctx).ID(), p.Pin)
	if err != nil {
		return nil, err
	}
	return p.by(k)
}

// InUnion is a stored union.
type InUnion struct {
	Moded
	Union string `path:"union" doc:"The name of a stored union."`
}

func (p *InUnion) ranking(ctx context.Context, r *Router) (board.Ranking, error) {
	k, err := r.Boards.StoredUnion(ctx, p.Union)
	if err != nil {
		return nil, err
	}
	return p.by(k)
}
