package routes

import (
	"cmp"
	"context"
	"sort"

	"github.com/zrankdb/zrank/internal/boardjson"

	"github.com/danielgtaylor/huma/v2"

	"github.com/zrankdb/zrank/board"
)

// OnKind is a kind of groups.
type OnKind struct {
	Kind string `path:"kind" doc:"The kind of the groups, such as guild."`
}

// OnGroup is a group.
type OnGroup struct {
	OnKind
	Group string `query:"group" required:"true" doc:"The name of the group."`
	name  boardjson.Text
}

// Resolve implements huma.Resolver.
func (p *OnGroup) Resolve(huma.Context) []error { return resolve(&p.name, "group", p.Group) }

// GroupsIn selects groups of a kind.
type GroupsIn struct {
	OnKind
	After string `query:"after" doc:"Groups whose names sort behind this one."`
	N     int    `query:"n" minimum:"0" doc:"How many at most. Absent: as many as an answer may have."`
	name  boardjson.Text
}

// Resolve implements huma.Resolver.
func (p *GroupsIn) Resolve(huma.Context) []error { return resolve(&p.name, "after", p.After) }

// GroupsList is groups of a kind.
type GroupsList struct {
	Groups []board.GroupInfo `json:"groups" doc:"In the order of their names."`
	More   bool              `json:"more,omitempty" doc:"There are more: ask again with after set to the last one."`
}

// MembersOf is members of a group.
type MembersOf struct {
	Members []string `json:"members,text" doc:"In the order of their names."`
	More    bool     `json:"more" doc:"There may be more: ask again with after set to the last one."`
}

// GroupOf is the group of a member.
type GroupOf struct {
	Group string `json:"group,text"`
}

// CreatingGroup is a new group.
type CreatingGroup struct {
	OnKind
	Body struct {
		Group string `json:"group,text"`
		Meta  []byte `json:"meta,omitzero" doc:"Metadata, at most 64 KiB."`
	}
}

// JoiningAll is members that join groups.
type JoiningAll struct {
	OnKind
	Body struct {
		Joinings []board.Joining `json:"joinings"`
	}
}

// AmongGroup is a ranking of which the members of a group are asked for.
type AmongGroup struct {
	OnGroup
	Board  string `query:"board" required:"true" doc:"The name of the board."`
	Window string `query:"window" required:"true" doc:"The name of the window."`
	Period string `query:"period" doc:"The name of a period; absent: the live one."`
	Pin    string `query:"pin" doc:"The id of a pinned ranking, in the place of board and window."`
	Moded
}

func (p AmongGroup) boardName() string { return p.Board }

// kindOf returns the groups of a kind.
func (r *Router) kindOf(ctx context.Context, kind string) (board.Groups, error) {
	return r.Boards.Groups(ctx, kind)
}

// registerGroups registers operations on groups. Those that change who is in which group need the right to submit on all boards.
func registerGroups(r *Router) {
	const tag = "Groups"
	add(r, operation("listKinds", "GET /v1/groups", tag, "The kinds of groups"), reader, func(ctx context.Context, _ *struct{}) (o Names, err error) {
		kinds, err := r.Boards.GroupKinds(ctx)
		return Names{append([]string{}, kinds...)}, err
	})
	do(r, operation("defineKind", "PUT /v1/groups/{kind}", tag, "Defines a kind of groups, or does nothing if there is one"), admin, func(ctx context.Context, in *OnKind) error {
		_, err := r.Boards.DefineGroups(ctx, in.Kind)
		return err
	})
	add(r, operation("listGroups", "GET /v1/groups/{kind}", tag, "The groups of a kind"), reader, r.groups)
	add(r, operation("getGroup", "GET /v1/groups/{kind}/group", tag, "A group"), reader, func(ctx context.Context, in *OnGroup) (o board.GroupInfo, err error) {
		g, err := r.kindOf(ctx, in.Kind)
		if err != nil {
			return o, err
		}
		return g.Info(ctx, string(in.name))
	})
	do(r, operation("createGroup", "POST /v1/groups/{kind}/group", tag, "Makes a group without members"), submitter, func(ctx context.Context, in *CreatingGroup) error {
		g, err := r.kindOf(ctx, in.Kind)
		if err != nil {
			return err
		}
		return g.Create(ctx, in.Body.Group, in.Body.Meta)
	})
	do(r, operation("dissolveGroup", "DELETE /v1/groups/{kind}/group", tag, "Removes a group"), submitter, func(ctx context.Context, in *OnGroup) error {
		g, err := r.kindOf(ctx, in.Kind)
		if err != nil {
			return err
		}
		return g.Dissolve(ctx, string(in.name))
	})
	registerGroupMembers(r)
	registerMembership(r)
}

func (r *Router) groups(ctx context.Context, in *GroupsIn) (o GroupsList, err error) {
	g, err := r.kindOf(ctx, in.Kind)
	if err == nil {
		err = r.rows(in.N)
	}
	if err != nil {
		return o, err
	}
	n := cmp.Or(in.N, r.MaxRows)
	all, err := g.All(ctx)
	if err != nil {
		return o, err
	}
	first := sort.Search(len(all), func(i int) bool { return all[i].Name > string(in.name) })
	all = all[first:]
	if o.More = len(all) > n; o.More {
		all = all[:n]
	}
	o.Groups = all
	return o, nil
}

func registerGroupMembers(r *Router) {
	const tag = "Groups"
	do(r, operation("setGroupMeta", "PUT /v1/groups/{kind}/group/meta", tag, "Replaces the metadata of a group"), submitter, func(ctx context.Context, in *struct {
		OnGroup
		Body struct {
			Meta string `json:"meta,text" doc:"Empty: none."`
		}
	}) error {
		g, err := r.kindOf(ctx, in.Kind)
		if err != nil {
			return err
		}
		return g.SetMeta(ctx, string(in.name), []byte(in.Body.Meta))
	})
	type listing struct {
		OnGroup
		After string `query:"after" doc:"Names behind this one."`
		N     int    `query:"n" default:"100" doc:"How many at most."`
	}
	add(r, operation("listGroupMembers", "GET /v1/groups/{kind}/group/members", tag, "The members of a group"), reader, func(ctx context.Context, in *listing) (o MembersOf, err error) {
		var after boardjson.Text
		if err := after.UnmarshalText([]byte(in.After)); err != nil {
			return o, err
		}
		g, err := r.kindOf(ctx, in.Kind)
		if err == nil {
			err = r.rows(in.N)
		}
		if err != nil {
			return o, err
		}
		names, err := g.Members(ctx, string(in.name), string(after), in.N)
		return MembersOf{names, len(names) == in.N && in.N > 0}, err
	})
	add(r, operation("amongGroup", "GET /v1/groups/{kind}/group/among", tag, "The members of a group among themselves, in a ranking"), reader, func(ctx context.Context, in *AmongGroup) (o Standings, err error) {
		g, err := r.kindOf(ctx, in.Kind)
		if err != nil {
			return o, err
		}
		var from source = &InWindow{OnWindow: OnWindow{OnBoard{in.Board}, in.Window}, Period: in.Period, Moded: in.Moded}
		if in.Pin != "" {
			from = &InPin{Pin: in.Pin, Moded: in.Moded}
		}
		k, err := from.ranking(ctx, r)
		if err != nil {
			return o, err
		}
		of, err := g.Info(ctx, string(in.name))
		if err == nil {
			err = r.rowsIn(ctx, k, of.Members)
		}
		if err != nil {
			return o, err
		}
		rows, err := g.Among(ctx, k, string(in.name))
		return Standings{rows}, err
	})
}

// registerMembership registers who is in which group.
func registerMembership(r *Router) {
	const tag = "Groups"
	add(r, operation("getGroupOf", "GET /v1/groups/{kind}/of", tag, "The group that a member is in"), readerOwn, func(ctx context.Context, in *struct {
		OnKind
		About
	}) (o GroupOf, err error) {
		g, err := r.kindOf(ctx, in.Kind)
		if err != nil {
			return o, err
		}
		group, ok, err := g.Of(ctx, in.memberName())
		if err == nil && !ok {
			err = board.ErrNotInGroup
		}
		return GroupOf{group}, err
	})
	member := func(name, summary string, change func(g board.Groups, ctx context.Context, member, group string) error) {
		do(r, operation(name+"Group", "POST /v1/groups/{kind}/"+name, tag, summary), submitter, func(ctx context.Context, in *struct {
			OnKind
			Body board.Joining
		}) error {
			g, err := r.kindOf(ctx, in.Kind)
			if err != nil {
				return err
			}
			return change(g, ctx, in.Body.Member, in.Body.Group)
		})
	}
	member("join", "A member joins a group", board.Groups.Join)
	member("move", "A member goes from its group to another one, by one commit", board.Groups.Move)
	do(r, operation("leaveGroup", "POST /v1/groups/{kind}/leave", tag, "A member leaves its group"), submitter, func(ctx context.Context, in *struct {
		OnKind
		Body struct {
			Member string `json:"member,text"`
		}
	}) error {
		g, err := r.kindOf(ctx, in.Kind)
		if err != nil {
			return err
		}
		return g.Leave(ctx, in.Body.Member)
	})
	do(r, operation("renameInGroup", "POST /v1/groups/{kind}/rename", tag, "Gives a member's place in its group to another member"), submitter, func(ctx context.Context, in *struct {
		OnKind
		Body struct {
			Member string `json:"member,text"`
			To     string `json:"to,text"`
		}
	}) error {
		g, err := r.kindOf(ctx, in.Kind)
		if err != nil {
			return err
		}
		return g.Rename(ctx, in.Body.Member, in.Body.To)
	})
	add(r, operation("joinAll", "POST /v1/groups/{kind}/join-all", tag, "Many members join groups, 256 in each commit"), submitter, r.joinAll)
}

func (r *Router) joinAll(ctx context.Context, in *JoiningAll) (o Number, err error) {
	g, err := r.kindOf(ctx, in.Kind)
	if err == nil {
		err = r.rows(len(in.Body.Joinings))
	}
	if err != nil {
		return o, err
	}
	err = g.JoinAll(ctx, in.Body.Joinings, func(joined int) { o.N = joined })
	return o, err
}
