package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/server/api/internal/wire"
)

// Groups is the groups of one kind of a server: see local.Groups.
type Groups struct {
	c    *client
	kind string
}

// DefineGroups is local.Boards.DefineGroups.
func (b *Boards) DefineGroups(kind string) (*Groups, error) {
	if err := b.c.do(context.Background(), request{method: http.MethodPut, path: path("groups", kind)}, nil); err != nil {
		return nil, err
	}
	return &Groups{b.c, kind}, nil
}

// Groups is local.Boards.Groups.
func (b *Boards) Groups(kind string) (*Groups, error) {
	g := &Groups{b.c, kind}
	if _, err := g.all(); err != nil {
		return nil, err
	}
	return g, nil
}

// GroupKinds is local.Boards.GroupKinds.
func (b *Boards) GroupKinds() ([]string, error) {
	list, err := get[struct{ Names []string }](context.Background(), b.c, "/groups", nil)
	return list.Names, err
}

// Kind returns the name of the kind.
func (g *Groups) Kind() string { return g.kind }

func (g *Groups) path(parts ...string) string {
	return path(append([]string{"groups", g.kind}, parts...)...)
}

func (g *Groups) do(ctx context.Context, method, path string, query url.Values, body any) error {
	return g.c.do(ctx, request{method, path, query, body}, nil)
}

// group returns parameters about a group.
func group(name string) url.Values { return url.Values{"group": {text(name)}} }

func (g *Groups) all() ([]board.GroupInfo, error) {
	all := []board.GroupInfo{}
	for q := url.Values(nil); ; {
		list, err := get[struct {
			Groups []wire.Group
			More   bool
		}](context.Background(), g.c, g.path(), q)
		all = append(all, wire.BoardGroups(list.Groups)...)
		if err != nil || !list.More {
			return all, err
		}
		q = url.Values{"after": {text(all[len(all)-1].Name)}}
	}
}

// All is local.Groups.All. It is empty if the server does not answer.
func (g *Groups) All() []board.GroupInfo {
	all, _ := g.all()
	return all
}

// Info is local.Groups.Info.
func (g *Groups) Info(name string) (board.GroupInfo, error) {
	info, err := get[wire.Group](context.Background(), g.c, g.path("group"), group(name))
	return info.Board(), err
}

// Create is local.Groups.Create.
func (g *Groups) Create(name string, meta []byte) error {
	body := map[string]wire.Text{"group": wire.Text(name)}
	if meta != nil {
		body["meta"] = wire.Text(meta)
	}
	return g.do(context.Background(), http.MethodPost, g.path("group"), nil, body)
}

// SetMeta is local.Groups.SetMeta.
func (g *Groups) SetMeta(name string, meta []byte) error {
	return g.do(context.Background(), http.MethodPut, g.path("group", "meta"), group(name), map[string]wire.Text{"meta": wire.Text(meta)})
}

// Dissolve is local.Groups.Dissolve.
func (g *Groups) Dissolve(ctx context.Context, name string) error {
	return g.do(ctx, http.MethodDelete, g.path("group"), group(name), nil)
}

// Members is local.Groups.Members.
func (g *Groups) Members(name, after string, n int) ([]string, error) {
	q := group(name)
	q.Set("after", text(after))
	q.Set("n", strconv.Itoa(n))
	list, err := get[struct{ Members []wire.Text }](context.Background(), g.c, g.path("group", "members"), q)
	return wire.Strings(list.Members), err
}

// Of is local.Groups.Of. It is false if the server does not answer.
func (g *Groups) Of(name string) (group string, ok bool) {
	of, err := get[struct{ Group wire.Text }](context.Background(), g.c, g.path("of"), member(name))
	return string(of.Group), err == nil
}

// Among is local.Groups.Among. The ranking must be of the same server.
func (g *Groups) Among(k board.Ranking, name string) ([]board.Standing, error) {
	r, ok := k.(*ranking)
	if !ok {
		return nil, errors.New("client: the ranking is not of this server")
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
	list, err := get[standings](context.Background(), g.c, g.path("group", "among"), q)
	return wire.BoardStandings(list.Rows), err
}

// Join is local.Groups.Join.
func (g *Groups) Join(member, group string) error {
	return g.do(context.Background(), http.MethodPost, g.path("join"), nil, wire.Joining{Member: wire.Text(member), Group: wire.Text(group)})
}

// JoinAll is local.Groups.JoinAll, by requests of 1,000.
func (g *Groups) JoinAll(ctx context.Context, list []board.Joining, progress func(joined int)) error {
	for done := 0; done < len(list); {
		part := list[done:min(done+rowsAtOnce, len(list))]
		if _, err := send[number](ctx, g.c, http.MethodPost, g.path("join-all"), map[string]any{"joinings": wire.JoiningsOf(part)}); err != nil {
			return err
		}
		if done += len(part); progress != nil {
			progress(done)
		}
	}
	return nil
}

// Move is local.Groups.Move.
func (g *Groups) Move(member, group string) error {
	return g.do(context.Background(), http.MethodPost, g.path("move"), nil, wire.Joining{Member: wire.Text(member), Group: wire.Text(group)})
}

// Leave is local.Groups.Leave.
func (g *Groups) Leave(member string) error {
	return g.do(context.Background(), http.MethodPost, g.path("leave"), nil, map[string]wire.Text{"member": wire.Text(member)})
}

// Rename is local.Groups.Rename.
func (g *Groups) Rename(member, to string) error {
	return g.do(context.Background(), http.MethodPost, g.path("rename"), nil, map[string]wire.Text{"member": wire.Text(member), "to": wire.Text(to)})
}
