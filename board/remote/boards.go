package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/zrankdb/zrank/internal/boardjson"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
)

// Boards is the boards of a server: a board.Store. Any goroutine may use it, and its boards.
type Boards struct{ c *client }

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

// stored is a board as the server describes it.
type stored struct {
	Name    string     `json:"name"`
	Version int        `json:"version"`
	Spec    board.Spec `json:"spec"`
}

// UnmarshalJSON reads the spec as spec files are read.
func (s *stored) UnmarshalJSON(b []byte) error {
	var raw struct {
		Name    string          `json:"name"`
		Version int             `json:"version"`
		Spec    json.RawMessage `json:"spec"`
	}
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	spec, err := board.ReadSpec(bytes.NewReader(raw.Spec))
	*s = stored{raw.Name, raw.Version, spec}
	return err
}

func (b *Boards) board(s stored, err error) (board.Board, error) {
	if err != nil {
		return nil, err
	}
	return &remoteBoard{c: b.c, name: s.Name, spec: s.Spec, version: s.Version}, nil
}

// specBody returns a spec as the body of a request.
func specBody(spec board.Spec) (json.RawMessage, error) {
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
	delete(fields, "name") // it is in the path
	return json.Marshal(fields)
}

// Define is board.Store.Define.
func (b *Boards) Define(ctx context.Context, spec board.Spec) (board.Board, error) {
	body, err := specBody(spec)
	if err != nil {
		return nil, err
	}
	return b.board(send[stored](ctx, b.c, http.MethodPut, path("boards", spec.Name), body))
}

// Migrate is board.Store.Migrate.
func (b *Boards) Migrate(ctx context.Context, spec board.Spec) (board.Board, error) {
	body, err := specBody(spec)
	if err != nil {
		return nil, err
	}
	return b.board(send[stored](ctx, b.c, http.MethodPost, path("boards", spec.Name, "migrate"), body))
}

// Board is board.Store.Board: it asks the server for the spec. The board that it returns keeps that spec.
func (b *Boards) Board(ctx context.Context, name string) (board.Board, error) {
	if name == "" {
		return nil, fmt.Errorf("%w: \"\"", board.ErrNoBoard)
	}
	return b.board(get[stored](ctx, b.c, path("boards", name), nil))
}

// Names is board.Store.Names.
func (b *Boards) Names(ctx context.Context) ([]string, error) {
	list, err := get[struct{ Names []string }](ctx, b.c, "/boards", nil)
	return list.Names, err
}

// Drop is board.Store.Drop.
func (b *Boards) Drop(ctx context.Context, name string) error {
	return b.c.do(ctx, request{method: http.MethodDelete, path: path("boards", name)}, nil)
}

// Erase is board.Store.Erase.
func (b *Boards) Erase(ctx context.Context, member string, a board.Action) (board.Erased, error) {
	return send[board.Erased](ctx, b.c, http.MethodPost, "/erase", acting{Member: boardjson.Text(member), Action: a})
}

// CloseDue does nothing: the server closes periods itself.
func (b *Boards) CloseDue(ctx context.Context) (closed int, err error) { return 0, nil }

// Close closes the connections that are idle.
func (b *Boards) Close() error {
	b.c.o.HTTP.CloseIdleConnections()
	return nil
}

// Ban implements board.Store. The API has it for one board at a time.
func (b *Boards) Ban(context.Context, string, board.Action) (all board.Banned, err error) {
	return all, fmt.Errorf("%w: bans on all boards over HTTP", board.ErrUnsupported)
}

// FeedEnd implements board.Store. The API has it as the beginning of FeedNew.
func (b *Boards) FeedEnd(context.Context) (p feed.Position, err error) {
	return p, fmt.Errorf("%w: the end of the feed over HTTP", board.ErrUnsupported)
}

// LastCommit implements board.Store.
func (b *Boards) LastCommit(context.Context) (seq uint64, err error) {
	return 0, fmt.Errorf("%w: numbers of commits over HTTP", board.ErrUnsupported)
}
