package remote

import (
	"context"
	"fmt"
	"net/http"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
)

// Union is board.Store.Union. The server keeps the ranking for a while after its last use.
func (b *Boards) Union(ctx context.Context, spec board.UnionSpec) (board.Ranking, error) {
	k, err := b.c.pin(ctx, request{method: http.MethodPost, path: "/pins/union", body: spec}, board.Ordinal)
	if err != nil {
		return nil, err
	}
	return k, nil
}

// StoreUnion is board.Store.StoreUnion.
func (b *Boards) StoreUnion(ctx context.Context, name string, spec board.UnionSpec) error {
	if name == "" {
		return fmt.Errorf("%w: its name is empty", board.ErrUnion)
	}
	return do(ctx, b.c, ops.StoreUnion, ops.StoreUnionArgs{UnionArgs: ops.UnionArgs{Union: name}, Body: spec})
}

// StoredUnion is board.Store.StoredUnion.
func (b *Boards) StoredUnion(ctx context.Context, name string) (board.Ranking, error) {
	if name == "" {
		return nil, fmt.Errorf("%w: \"\"", board.ErrNoUnion)
	}
	return newRanking(b.c, "/unions/{union}", &ops.UnionLocator{Union: name}).found(ctx)
}

// StoredUnions is board.Store.StoredUnions.
func (b *Boards) StoredUnions(ctx context.Context) ([]board.StoredUnion, error) {
	list, err := call(ctx, b.c, ops.ListUnions, ops.NoArgs{})
	return list.Unions, err
}

// DropUnion is board.Store.DropUnion.
func (b *Boards) DropUnion(ctx context.Context, name string) error {
	return do(ctx, b.c, ops.DropUnion, ops.UnionArgs{Union: name})
}
