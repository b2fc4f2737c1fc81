package ops

import (
	"context"

	"github.com/zrankdb/zrank/board"
)

// UnionsList is the stored unions.
type UnionsList struct {
	Unions []board.StoredUnion `json:"unions" doc:"In the order of their names."`
}

// UnionArgs is a stored union.
type UnionArgs struct {
	Union string `path:"union" doc:"The name of a stored union."`
}

// StoreUnionArgs is a union that is to be stored.
type StoreUnionArgs struct {
	UnionArgs
	Body board.UnionSpec
}

const unions = "Stored unions"

// Operations on stored unions.
var (
	// ListUnions is board.Store.StoredUnions.
	ListUnions = onStore(Op{ID: "listUnions", Route: "GET /unions",
		Command: "UNION.LIST", Cost: "O(U) for U unions", Heading: unions, Summary: "The stored unions"},
		func(ctx context.Context, e *Env, _ *NoArgs) (o UnionsList, err error) {
			o.Unions, err = e.Boards.StoredUnions(ctx)
			return o, err
		})
	// StoreUnion is board.Store.StoreUnion.
	StoreUnion = onStore(Op{ID: "storeUnion", Route: "PUT /unions/{union}", Heading: unions, Right: ToAdminister,
		Summary: "Computes a union of rankings and stores it"},
		func(ctx context.Context, e *Env, a *StoreUnionArgs) (None, error) {
			return None{}, e.Boards.StoreUnion(ctx, a.Union, a.Body)
		})
	// DropUnion is board.Store.DropUnion.
	DropUnion = onStore(Op{ID: "dropUnion", Route: "DELETE /unions/{union}",
		Command: "UNION.DROP union", Cost: "O(N) for N members", Heading: unions, Right: ToAdminister, Summary: "Drops a stored union"},
		func(ctx context.Context, e *Env, a *UnionArgs) (None, error) {
			return None{}, e.Boards.DropUnion(ctx, a.Union)
		})
)
