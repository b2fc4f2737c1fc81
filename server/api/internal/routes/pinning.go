package routes

import (
	"context"

	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/server/api/internal/access"
	"github.com/zrankdb/zrank/server/api/internal/wire"
)

// PinInfo is a pinned ranking.
type PinInfo struct {
	Pin  string    `json:"pin" doc:"The id: /v1/pins/{pin}/top and so on read it."`
	Info wire.Info `json:"info"`
}

// registerPins registers operations that pin rankings.
func registerPins(r *Router) {
	const tag = "Pinned rankings"
	add(r, operation("pinWindow", "POST /v1/boards/{board}/windows/{window}/pin", tag, "Pins a copy of a ranking as it is at one moment, for reads that belong together; it stays until it has not been read for a while"), reader,
		func(ctx context.Context, in *InWindow) (PinInfo, error) {
			return r.pin(ctx, func() (board.Ranking, error) {
				k, err := in.ranking(ctx, r)
				if err != nil || in.isPast() {
					return k, err
				}
				return k.Pin(ctx)
			})
		})
	add(r, operation("pinStoredUnion", "POST /v1/unions/{union}/pin", tag, "Pins a stored union"), reader, func(ctx context.Context, in *InUnion) (PinInfo, error) {
		return r.pin(ctx, func() (board.Ranking, error) {
			k, err := in.ranking(ctx, r)
			if err != nil {
				return nil, err
			}
			return k.Pin(ctx)
		})
	})
	add(r, operation("pinUnion", "POST /v1/pins/union", tag, "Computes a union of rankings and pins it"), reader, func(ctx context.Context, in *struct{ Body board.UnionSpec }) (o PinInfo, err error) {
		x, err := feature[unions](r.Boards, "unions")
		if err != nil {
			return o, err
		}
		return r.pin(ctx, func() (board.Ranking, error) { return x.Union(ctx, in.Body) })
	})
	add(r, operation("pinPin", "POST /v1/pins/{pin}/pin", tag, "Pins a pinned ranking once more"), reader, func(ctx context.Context, in *InPin) (PinInfo, error) {
		return r.pin(ctx, func() (board.Ranking, error) { return in.ranking(ctx, r) })
	})
	do(r, operation("unpin", "DELETE /v1/pins/{pin}", tag, "Drops a pinned ranking"), reader, func(ctx context.Context, in *struct {
		Pin string `path:"pin" doc:"The id of a pinned ranking."`
	}) error {
		r.pins.drop(access.FromContext(ctx).ID(), in.Pin)
		return nil
	})
}

// pin pins a ranking for the caller.
func (r *Router) pin(ctx context.Context, pinned func() (board.Ranking, error)) (o PinInfo, err error) {
	caller := access.FromContext(ctx).ID()
	if o.Pin, err = r.pins.add(caller, pinned); err != nil {
		return o, err
	}
	k, err := r.pins.get(caller, o.Pin)
	if err == nil {
		o.Info = wire.InfoOf(k.Info())
	}
	return o, err
}
