package routes

import (
	"context"

	"github.com/zrankdb/zrank/board"
)

// UnionsList is the stored unions.
type UnionsList struct {
	Unions []board.StoredUnion `json:"unions" doc:"In the order of their names."`
}

// UnionOf is a stored union.
type UnionOf struct {
	Union string `path:"union" doc:"The name of a stored union."`
}

// StoringUnion is a union that is to be stored.
type StoringUnion struct {
	UnionOf
	Body board.UnionSpec
}

// registerUnions registers operations on stored unions.
func registerUnions(r *Router) {
	const tag = stored
	add(r, operation("listUnions", "GET /v1/unions", tag, "The stored unions"), reader, func(ctx context.Context, _ *struct{}) (o UnionsList, err error) {
		list, err := r.Boards.StoredUnions(ctx)
		return UnionsList{list}, err
	})
	do(r, operation("storeUnion", "PUT /v1/unions/{union}", tag, "Computes a union of rankings and stores it"), admin, func(ctx context.Context, in *StoringUnion) error {
		return r.Boards.StoreUnion(ctx, in.Union, in.Body)
	})
	do(r, operation("dropUnion", "DELETE /v1/unions/{union}", tag, "Drops a stored union"), admin, func(ctx context.Context, in *UnionOf) error {
		return r.Boards.DropUnion(ctx, in.Union)
	})
}
