package remote

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync/atomic"

	"github.com/zrankdb/zrank/board"
)

// errBase is returned by Arrows for a base that is not of this server.
var errBase = errors.New("remote: the base of Arrows is not a ranking of this server")

// pin makes a request that pins a ranking.
func (c *client) pin(ctx context.Context, q request, mode board.Mode) (*ranking, error) {
	q.reads = true
	var p struct {
		Pin  string
		Info board.Info
	}
	if err := c.do(ctx, q, &p); err != nil {
		return nil, err
	}
	return &ranking{c: c, path: "/pins/" + url.PathEscape(p.Pin), pinID: p.Pin, mode: mode, info: p.Info, fixed: true}, nil
}

// pin pins the ranking.
func (r *ranking) pin(ctx context.Context) (*ranking, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	return r.c.pin(ctx, request{method: http.MethodPost, path: r.path + "/pin", query: r.params()}, r.mode)
}

// Pin implements board.Ranking. The server keeps the copy until it has not been read for a minute, or as long as it is set to.
func (r *ranking) Pin(ctx context.Context) (board.Ranking, error) {
	k, err := r.pin(ctx)
	if err != nil {
		return nil, err
	}
	return k, nil
}

// View implements board.Ranking: it pins the ranking while fn runs. Others do not wait for fn.
func (r *ranking) View(ctx context.Context, fn func(board.Ranking) error) error {
	k, err := r.pin(ctx)
	if err != nil {
		return err
	}
	k.done = new(atomic.Bool)
	defer func() {
		k.done.Store(true)
		_ = r.c.do(ctx, request{method: http.MethodDelete, path: k.path}, nil) // it would expire too
	}()
	return fn(k)
}
