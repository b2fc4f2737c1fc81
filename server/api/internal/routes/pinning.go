package routes

import (
	"context"
	"net/http"
	"reflect"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/server/access"
)

// Headings of reads.
const (
	pinned = "Pinned rankings"
	stored = "Stored unions"
)

// PinInfo is a pinned ranking.
type PinInfo struct {
	Pin  string     `json:"pin" doc:"The id: /v1/pins/{pin}/top and so on read it."`
	Info board.Info `json:"info"`
}

// registerPins registers operations that pin rankings.
func registerPins(r *Router) {
	const tag = pinned
	add(r, operation("pinWindow", "POST /v1/boards/{board}/windows/{window}/pin", tag, "Pins a copy of a ranking as it is at one moment, for reads that belong together; it stays until it has not been read for a while"), everybody,
		func(ctx context.Context, in *ops.Locator) (o PinInfo, err error) {
			k, err := in.Ranking(ctx, r.env(ctx))
			if err != nil {
				return o, err
			}
			return r.pin(ctx, k, in.IsPast())
		})
	add(r, operation("pinStoredUnion", "POST /v1/unions/{union}/pin", tag, "Pins a stored union"), everybody, func(ctx context.Context, in *ops.UnionLocator) (o PinInfo, err error) {
		k, err := in.Ranking(ctx, r.env(ctx))
		if err != nil {
			return o, err
		}
		return r.pin(ctx, k, false)
	})
	add(r, operation("pinUnion", "POST /v1/pins/union", tag, "Computes a union of rankings and pins it"), someone, func(ctx context.Context, in *struct{ Body board.UnionSpec }) (o PinInfo, err error) {
		for _, s := range in.Body.Sources {
			if err := access.FromContext(ctx).Need(access.Read, s.Board); err != nil {
				return o, err
			}
		}
		k, err := r.Boards.Union(ctx, in.Body)
		if err != nil {
			return o, err
		}
		return r.pin(ctx, k, true)
	})
	add(r, operation("pinPin", "POST /v1/pins/{pin}/pin", tag, "Pins a pinned ranking once more"), someone, func(ctx context.Context, in *InPin) (o PinInfo, err error) {
		k, err := in.Ranking(ctx, r.env(ctx))
		if err != nil {
			return o, err
		}
		return r.pin(ctx, k, true)
	})
	r.register(route{Operation: operation("unpin", "DELETE /v1/pins/{pin}", tag, "Drops a pinned ranking"), inputs: []reflect.Type{reflect.TypeFor[UnpinArgs]()},
		fn: func(ctx context.Context, _ http.ResponseWriter, _ *http.Request, in []any) (any, error) {
			err := someone.check(ctx)
			if err == nil {
				r.pins.drop(access.FromContext(ctx).ID(), in[0].(*UnpinArgs).Pin)
			}
			return nil, err
		}})
}

// InPin names a pinned ranking.
type InPin struct {
	ops.Moded
	Pin string `path:"pin" doc:"The id of a pinned ranking."`
}

// Ranking returns the ranking. Error: errPin.
func (p *InPin) Ranking(ctx context.Context, e *ops.Env) (board.Ranking, error) {
	k, err := e.Pinned(ctx, p.Pin)
	if err != nil {
		return nil, err
	}
	return k.By(p.Mode), nil
}

// UnpinArgs is a pinned ranking.
type UnpinArgs struct {
	Pin string `path:"pin" doc:"The id of a pinned ranking."`
}

// pin pins a ranking for the caller. One that is a copy already is kept as it is.
func (r *Router) pin(ctx context.Context, k board.Ranking, isCopy bool) (o PinInfo, err error) {
	members, err := k.Len(ctx)
	if err != nil {
		return o, err
	}
	caller := access.FromContext(ctx).ID()
	if o.Pin, err = r.pins.reserve(caller, members); err != nil {
		return o, err
	}
	if !isCopy {
		k, err = k.Pin(ctx)
	}
	if err != nil {
		r.pins.drop(caller, o.Pin)
		return o, err
	}
	r.pins.put(o.Pin, k)
	info, err := k.Info(ctx)
	o.Info = info
	return o, err
}
