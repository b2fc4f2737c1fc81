package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/ops"
)

// Boards is the boards of a server: a board.Store. Any goroutine may use it, and its boards.
type Boards struct{ c *client }

var _ board.Store = (*Boards)(nil)

// New returns the boards of a server by its URL, which may have a path in front of /v1. It makes no request. Error: ErrURL.
func New(address string, o Options) (*Boards, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrURL, err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%w: %q, want http://HOST:PORT or https://HOST:PORT", ErrURL, address)
	}
	if o.HTTP == nil {
		o.HTTP = http.DefaultClient
	}
	return &Boards{c: &client{base: strings.TrimSuffix(u.String(), "/"), o: o}}, nil
}

func (b *Boards) board(i ops.BoardInfo, err error) (board.Board, error) {
	if err != nil {
		return nil, err
	}
	return &remoteBoard{c: b.c, name: i.Name, spec: i.Spec, version: i.Version}, nil
}

// give does an operation with a spec.
func (b *Boards) give(ctx context.Context, op ops.Typed[ops.SpecArgs, ops.BoardInfo], spec board.Spec) (board.Board, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	text, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	args := ops.SpecArgs{OnBoard: ops.OnBoard{Board: spec.Name}, Body: map[string]any{}}
	for name, value := range fields {
		if name != "name" { // it is in the path
			args.Body[name] = value
		}
	}
	return b.board(call(ctx, b.c, op, args))
}

// Define is board.Store.Define.
func (b *Boards) Define(ctx context.Context, spec board.Spec) (board.Board, error) {
	return b.give(ctx, ops.DefineBoard, spec)
}

// Migrate is board.Store.Migrate.
func (b *Boards) Migrate(ctx context.Context, spec board.Spec) (board.Board, error) {
	return b.give(ctx, ops.MigrateBoard, spec)
}

// Board is board.Store.Board: it asks the server for the spec. The board that it returns keeps that spec.
func (b *Boards) Board(ctx context.Context, name string) (board.Board, error) {
	if name == "" {
		return nil, fmt.Errorf("%w: \"\"", board.ErrNoBoard)
	}
	return b.board(call(ctx, b.c, ops.GetBoard, ops.OnBoard{Board: name}))
}

// Names is board.Store.Names.
func (b *Boards) Names(ctx context.Context) ([]string, error) {
	list, err := call(ctx, b.c, ops.ListBoards, ops.NoArgs{})
	return list.Names, err
}

// Drop is board.Store.Drop.
func (b *Boards) Drop(ctx context.Context, name string) error {
	return do(ctx, b.c, ops.DropBoard, ops.OnBoard{Board: name})
}

// Ban is board.Store.Ban.
func (b *Boards) Ban(ctx context.Context, member string, a board.Action) (board.Banned, error) {
	return call(ctx, b.c, ops.BanEverywhere, ops.EverywhereArgs{Body: ops.ActionOn{Member: member, Action: a}})
}

// Erase is board.Store.Erase.
func (b *Boards) Erase(ctx context.Context, member string, a board.Action) (board.Erased, error) {
	return call(ctx, b.c, ops.EraseEverywhere, ops.EverywhereArgs{Body: ops.ActionOn{Member: member, Action: a}})
}

// CloseDue does nothing: the server closes periods itself.
func (b *Boards) CloseDue(ctx context.Context) (closed int, err error) { return 0, nil }

// Close closes the connections that are idle.
func (b *Boards) Close() error {
	b.c.o.HTTP.CloseIdleConnections()
	return nil
}

// FeedEnd is board.Store.FeedEnd.
func (b *Boards) FeedEnd(ctx context.Context) (feed.Position, error) {
	end, err := call(ctx, b.c, ops.GetEnd, ops.NoArgs{})
	return end.Position, err
}

// LastCommit is board.Store.LastCommit.
func (b *Boards) LastCommit(ctx context.Context) (seq uint64, err error) {
	end, err := call(ctx, b.c, ops.GetEnd, ops.NoArgs{})
	return end.Commit, err
}
