package remote

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/zrankdb/zrank/internal/boardjson"

	"github.com/zrankdb/zrank/board"
)

// remoteGroups is the groups of one kind of a server.
type remoteGroups struct {
	c    *client
	kind string
}

// DefineGroups is board.Store.DefineGroups.
func (b *Boards) DefineGroups(ctx context.Context, kind string) (board.Groups, error) {
	if err := b.c.do(ctx, request{method: http.MethodPut, path: path("groups", kind)}, nil); err != nil {
		return nil, err
	}
	return &remoteGroups{b.c, kind}, nil
}

// Groups is board.Store.Groups.
func (b *Boards) Groups(ctx context.Context, kind string) (board.Groups, error) {
	g := &remoteGroups{b.c, kind}
	if _, err := g.All(ctx); err != nil {
		return nil, err
	}
	return g, nil
}

// GroupKinds is board.Store.GroupKinds.
func (b *Boards) GroupKinds(ctx context.Context) ([]string, error) {
	list, err := get[struct{ Names []string }](ctx, b.c, "/groups", nil)
	return list.Names, err
}

// Kind returns the name of the kind.
func (g *remoteGroups) Kind() string { return g.kind }

func (g *remoteGroups) path(parts ...string) string {
	return path(append([]string{"groups", g.kind}, parts...)...)
}

func (g *remoteGroups) do(ctx context.Context, method, path string, query url.Values, body any) error {
	return g.c.do(ctx, request{method: method, path: path, query: query, body: body}, nil)
}

// group returns parameters about a group.
func group(name string) url.Values { return url.Values{"group": {text(name)}} }

// All is board.Groups.All.
func (g *remoteGroups) All(ctx context.Context) ([]board.GroupInfo, error) {
	all := []board.GroupInfo{}
	for q := url.Values(nil); ; {
		list, err := get[struct {
			Groups []board.GroupInfo
			More   bool
		}](ctx, g.c, g.path(), q)
		all = append(all, list.Groups...)
		if err != nil || !list.More {
			return all, err
		}
		q = url.Values{"after": {text(all[len(all)-1].Name)}}
	}
}

// Info is board.Groups.Info.
func (g *remoteGroups) Info(ctx context.Context, name string) (board.GroupInfo, error) {
	return get[board.GroupInfo](ctx, g.c, g.path("group"), group(name))
}

// Create is board.Groups.Create.
func (g *remoteGroups) Create(ctx context.Context, name string, meta []byte) error {
	body := map[string]boardjson.Text{"group": boardjson.Text(name)}
	if meta != nil {
		body["meta"] = boardjson.Text(meta)
	}
	return g.do(ctx, http.MethodPost, g.path("group"), nil, body)
}

// SetMeta is board.Groups.SetMeta.
func (g *remoteGroups) SetMeta(ctx context.Context, name string, meta []byte) error {
	return g.do(ctx, http.MethodPut, g.path("group", "meta"), group(name), map[string]boardjson.Text{"meta": boardjson.Text(meta)})
}

// Dissolve is board.Groups.Dissolve.
func (g *remoteGroups) Dissolve(ctx context.Context, name string) error {
	return g.do(ctx, http.MethodDelete, g.path("group"), group(name), nil)
}

// Members is board.Groups.Members.
func (g *remoteGroups) Members(ctx context.Context, name, after string, n int) ([]string, error) {
	q := group(name)
	q.Set("after", text(after))
	q.Set("n", strconv.Itoa(n))
	list, err := get[struct{ Members []boardjson.Text }](ctx, g.c, g.path("group", "members"), q)
	return boardjson.Strings(list.Members), err
}

// Of is board.Groups.Of.
func (g *remoteGroups) Of(ctx context.Context, name string) (group string, ok bool, err error) {
	of, err := get[struct{ Group boardjson.Text }](ctx, g.c, g.path("of"), member(name))
	if errors.Is(err, board.ErrNotInGroup) {
		return "", false, nil
	}
	return string(of.Group), err == nil, err
}

// Among is board.Groups.Among. The ranking must be of the same server.
func (g *remoteGroups) Among(ctx context.Context, k board.Ranking, name string) ([]board.AmongRow, error) {
	r, ok := k.(*ranking)
	if !ok {
		return nil, errors.New("remote: the ranking is not of this server")
	}
	q := group(name)
	if r.mode != board.Ordinal {
		q.Set("mode", r.mode.String())
	}
	q.Set("board", r.info.Board)
	q.Set("window", r.info.Window)
	if r.fixed {
		set(q, "period", r.info.Period)
	}
	set(q, "pin", r.pinID)
	list, err := get[standings](ctx, g.c, g.path("group", "among"), q)
	return list.Rows, err
}

// Join is board.Groups.Join.
func (g *remoteGroups) Join(ctx context.Context, member, group string) error {
	return g.do(ctx, http.MethodPost, g.path("join"), nil, board.Joining{Member: member, Group: group})
}

// JoinAll is board.Groups.JoinAll, by requests of 1,000.
func (g *remoteGroups) JoinAll(ctx context.Context, list []board.Joining, progress func(joined int)) error {
	for done := 0; done < len(list); {
		part := list[done:min(done+rowsAtOnce, len(list))]
		if _, err := send[number](ctx, g.c, http.MethodPost, g.path("join-all"), map[string]any{"joinings": part}); err != nil {
			return err
		}
		if done += len(part); progress != nil {
			progress(done)
		}
	}
	return nil
}

// Move is board.Groups.Move.
func (g *remoteGroups) Move(ctx context.Context, member, group string) error {
	return g.do(ctx, http.MethodPost, g.path("move"), nil, board.Joining{Member: member, Group: group})
}

// Leave is board.Groups.Leave.
func (g *remoteGroups) Leave(ctx context.Context, member string) error {
	return g.do(ctx, http.MethodPost, g.path("leave"), nil, map[string]boardjson.Text{"member": boardjson.Text(member)})
}

// Rename is board.Groups.Rename.
func (g *remoteGroups) Rename(ctx context.Context, member, to string) error {
	return g.do(ctx, http.MethodPost, g.path("rename"), nil, map[string]boardjson.Text{"member": boardjson.Text(member), "to": boardjson.Text(to)})
}
