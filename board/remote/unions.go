package remote

import (
	"context"
	"fmt"
	"net/http"

	"github.com/zrankdb/zrank/board"
)

// Union is board.Store.Union. The server keeps the ranking for a while after its last use.
func (b *Boards) Union(ctx context.Context, spec board.UnionSpec) (board.Ranking, error) {
	p, err := send[pinned](ctx, b.c, http.MethodPost, "/pins/union", spec)
	if err != nil {
		return nil, err
	}
	return p.ranking(b.c, board.Ordinal), nil
}

// StoreUnion is board.Store.StoreUnion.
func (b *Boards) StoreUnion(ctx context.Context, name string, spec board.UnionSpec) error {
	if name == "" {
		return fmt.Errorf("%w: its name is empty", board.ErrUnion)
	}
	return b.c.do(ctx, request{method: http.MethodPut, path: path("unions", name), body: spec}, nil)
}

// StoredUnion is board.Store.StoredUnion.
func (b *Boards) StoredUnion(ctx context.Context, name string) (board.Ranking, error) {
	if name == "" {
		return nil, fmt.Errorf("%w: \"\"", board.ErrNoUnion)
	}
	r := &ranking{c: b.c, path: path("unions", name), union: name}
	info, err := r.fetchInfo(ctx)
	if err != nil {
		return nil, err
	}
	r.info, r.fixed = info, true
	return r, nil
}

// StoredUnions is board.Store.StoredUnions.
func (b *Boards) StoredUnions(ctx context.Context) ([]board.StoredUnion, error) {
	list, err := get[struct{ Unions []board.StoredUnion }](ctx, b.c, "/unions", nil)
	return list.Unions, err
}

// DropUnion is board.Store.DropUnion.
func (b *Boards) DropUnion(ctx context.Context, name string) error {
	return b.c.do(ctx, request{method: http.MethodDelete, path: path("unions", name)}, nil)
}

var _ board.Store = (*Boards)(nil)
