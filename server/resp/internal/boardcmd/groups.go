package boardcmd

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// groups returns the commands GROUP.*.
func (b *commands) groups() []session.Command {
	const read, write = command.ReadOnly | command.NoMulti, command.Write | command.NoMulti
	return []session.Command{
		{Name: "group.list", Arity: -1, Flags: read, Alone: b.groupList,
			Doc: command.NewDoc("Returns the kinds of groups, or the groups of a kind with their numbers of members", "", "board", "O(G*log(N)) for G groups of N members")},
		{Name: "group.info", Arity: 3, Flags: read, Alone: b.ofKind(groupInfo),
			Doc: command.NewDoc("Returns what a group is like", "", "board", "O(log(N)) for N members of all groups")},
		{Name: "group.members", Arity: -3, Flags: read, Alone: b.ofKind(groupMembers),
			Doc: command.NewDoc("Returns the members of a group in the order of their names", "", "board", "O(log(N)+M) for M members")},
		{Name: "group.of", Arity: 3, Flags: read, Alone: b.ofKind(groupOf),
			Doc: command.NewDoc("Returns the group that a member is in", "", "board", "O(1)")},
		{Name: "group.among", Arity: -5, Flags: read, Alone: b.ofKind(b.groupAmong),
			Doc: command.NewDoc("Ranks the members of a group among themselves in a ranking", "", "board", "O(M*log(N)) for M members of the group")},
		{Name: "group.define", Arity: 2, Flags: write, Alone: b.groupDefine,
			Doc: command.NewDoc("Makes a kind of groups, unless there is one", "", "board", "O(1)")},
		{Name: "group.create", Arity: -3, Flags: write | command.DenyOOM, Alone: b.ofKind(groupCreate),
			Doc: command.NewDoc("Makes a group without members", "", "board", "O(1)")},
		{Name: "group.setmeta", Arity: 4, Flags: write | command.DenyOOM, Alone: b.ofKind(groupSetMeta),
			Doc: command.NewDoc("Replaces the metadata of a group", "", "board", "O(1)")},
		{Name: "group.dissolve", Arity: 3, Flags: write, Alone: b.ofKind(groupDissolve),
			Doc: command.NewDoc("Removes a group: its members are in none", "", "board", "O(M*log(N)) for M members")},
		{Name: "group.join", Arity: -4, Flags: write | command.DenyOOM, Alone: b.ofKind(groupJoin),
			Doc: command.NewDoc("Makes members join groups", "", "board", "O(M*W*log(G)) for M members, W windows of boards of G groups")},
		{Name: "group.move", Arity: 4, Flags: write | command.DenyOOM, Alone: b.ofKind(groupMove),
			Doc: command.NewDoc("Takes a member from its group to another one", "", "board", "O(W*log(G)) for W windows of boards of G groups")},
		{Name: "group.leave", Arity: 3, Flags: write, Alone: b.ofKind(groupLeave),
			Doc: command.NewDoc("Makes a member leave its group", "", "board", "O(W*log(G)) for W windows of boards of G groups")},
		{Name: "group.rename", Arity: 4, Flags: write | command.DenyOOM, Alone: b.ofKind(groupRename),
			Doc: command.NewDoc("Gives a member's place in its group to another name", "", "board", "O(W*log(G)) for W windows of boards of G groups")},
	}
}

// kind returns the groups of a kind. Errors: a refusal.
func (b *commands) kind(ctx context.Context, name []byte) (board.Groups, error) {
	missing := command.Refusal("ERR no such kind of groups '" + command.Clip(name, 128) + "'")
	if b.boards == nil {
		return nil, missing
	}
	k, err := b.boards.Groups(ctx, string(name))
	if errors.Is(err, board.ErrNoGroups) {
		return nil, missing
	}
	return k, err
}

// ofKind returns the command of do, whose first word names the kind of the groups.
func (b *commands) ofKind(do func(c *session.Client, k board.Groups, a [][]byte) error) func(c *session.Client, a [][]byte) error {
	return func(c *session.Client, a [][]byte) error {
		k, err := b.kind(c.Host.Work, a[1])
		if err != nil {
			return err
		}
		return do(c, k, a)
	}
}

// leastGroup is less than the number of bytes of a group.
const leastGroup = 40

// groupList is GROUP.LIST [kind [AFTER group] [COUNT n]]
func (b *commands) groupList(c *session.Client, a [][]byte) error {
	switch {
	case len(a) > 1:
		return b.ofKind(groupListOf)(c, a)
	case b.boards == nil:
		c.Out.Array(0)
		return nil
	}
	kinds, err := b.boards.GroupKinds(c.Host.Work)
	if err != nil {
		return err
	}
	c.Out.Array(len(kinds))
	for _, kind := range kinds {
		c.Out.BulkString(kind)
	}
	return nil
}

// groupListOf is GROUP.LIST kind [AFTER group] [COUNT n]
func groupListOf(c *session.Client, k board.Groups, a [][]byte) error {
	after, count, err := parsePart(a[2:])
	if err != nil {
		return err
	}
	all, err := k.All(c.Host.Work)
	if err != nil {
		return err
	}
	all = all[sort.Search(len(all), func(i int) bool { return all[i].Name > after }):]
	all = all[:min(count, len(all))]
	if !c.Out.Expect(len(all), leastGroup) {
		return nil
	}
	c.Out.Array(len(all))
	for _, g := range all {
		c.Out.Map(3)
		writeGroup(&c.Out, g)
	}
	return nil
}

// writeGroup writes three pairs: what a group is like without its metadata.
func writeGroup(w *wire.Writer, g board.GroupInfo) {
	writeText(w, "group", g.Name)
	w.BulkString("members")
	w.Int(int64(g.Members))
	writeTime(w, "created", g.Created)
}

// groupInfo is GROUP.INFO kind group
func groupInfo(c *session.Client, k board.Groups, a [][]byte) error {
	g, err := k.Info(c.Host.Work, string(a[2]))
	if err != nil {
		return err
	}
	c.Out.Map(4)
	writeGroup(&c.Out, g)
	writeSome(&c.Out, "meta", string(g.Meta))
	return nil
}

// parsePart reads [AFTER name] [COUNT n], in any order. Without COUNT it is maxRows.
func parsePart(words [][]byte) (after string, count int, err error) {
	count = maxRows
	for ; len(words) > 1; words = words[2:] {
		switch command.Upper(string(words[0])) {
		case "AFTER":
			after = string(words[1])
		case "COUNT":
			if count, err = parseRows(words[1]); err != nil {
				return "", 0, err
			}
		default:
			return "", 0, command.ErrSyntax
		}
	}
	if len(words) > 0 {
		return "", 0, command.ErrSyntax
	}
	return after, count, nil
}

// groupMembers is GROUP.MEMBERS kind group [AFTER member] [COUNT n]
func groupMembers(c *session.Client, k board.Groups, a [][]byte) error {
	group := string(a[2])
	g, err := k.Info(c.Host.Work, group)
	if err != nil {
		return err
	}
	after, count, err := parsePart(a[3:])
	if err != nil {
		return err
	}
	count = min(count, g.Members)
	if !c.Out.Expect(count, wire.LeastBulk) {
		return nil
	}
	members, err := k.Members(c.Host.Work, group, after, count)
	if err != nil {
		return err
	}
	c.Out.Array(len(members))
	for _, m := range members {
		c.Out.BulkString(m)
	}
	return nil
}

// groupOf is GROUP.OF kind member
func groupOf(c *session.Client, k board.Groups, a [][]byte) error {
	group, ok, err := k.Of(c.Host.Work, string(a[2]))
	if err != nil {
		return err
	}
	if ok {
		c.Out.BulkString(group)
	} else {
		c.Out.Null()
	}
	return nil
}

// groupAmong is GROUP.AMONG kind group name window [PERIOD p] [ASOF t|#row] [MODE m] [META]
func (b *commands) groupAmong(c *session.Client, k board.Groups, a [][]byte) error {
	r, o, err := b.ranking(c, a[2:], 3)
	if err != nil {
		return err
	}
	g, err := k.Info(c.Host.Work, string(a[2]))
	if err == nil {
		err = checkRows(g.Members)
	}
	if err != nil {
		return err
	}
	rows, err := k.Among(c.Host.Work, r, string(a[2]))
	if err != nil {
		return err
	}
	if !c.Out.Expect(len(rows), 2*leastRow) {
		return nil
	}
	c.Out.Array(len(rows))
	for i := range rows {
		c.Out.Array(2)
		c.Out.Int(int64(rows[i].Local))
		writeRow(&c.Out, rows[i].Row, o)
	}
	return nil
}

// groupDefine is GROUP.DEFINE kind
func (b *commands) groupDefine(c *session.Client, a [][]byte) error {
	if b.boards == nil {
		return command.Refusal("ERR the server has no boards")
	}
	_, err := b.boards.DefineGroups(c.Host.Work, string(a[1]))
	return done(c, err)
}

// done answers OK unless there is an error.
func done(c *session.Client, err error) error {
	if err == nil {
		c.Out.OK()
	}
	return err
}

// groupCreate is GROUP.CREATE kind group [META text]
func groupCreate(c *session.Client, k board.Groups, a [][]byte) error {
	var meta []byte
	switch {
	case len(a) == 5 && command.Upper(string(a[3])) == "META":
		meta = a[4]
	case len(a) > 3:
		return command.ErrSyntax
	}
	return done(c, k.Create(c.Host.Work, string(a[2]), meta))
}

// groupSetMeta is GROUP.SETMETA kind group text
func groupSetMeta(c *session.Client, k board.Groups, a [][]byte) error {
	return done(c, k.SetMeta(c.Host.Work, string(a[2]), a[3]))
}

// groupDissolve is GROUP.DISSOLVE kind group
func groupDissolve(c *session.Client, k board.Groups, a [][]byte) error {
	return done(c, k.Dissolve(context.WithoutCancel(c.Host.Ctx), string(a[2])))
}

// maxJoining is the most members of one GROUP.JOIN: JoinAll makes as many join by one commit, and a command is executed whole or not at all.
const maxJoining = 256

// groupJoin is GROUP.JOIN kind member group [member group ...]
func groupJoin(c *session.Client, k board.Groups, a [][]byte) error {
	words := a[2:]
	if len(words)%2 == 1 {
		return command.ErrArity("group.join")
	}
	list := make([]board.Joining, len(words)/2)
	if len(list) > maxJoining {
		return command.Refusal(fmt.Sprintf("ERR %d members, want at most %d at a time", len(list), maxJoining))
	}
	for i := range list {
		list[i] = board.Joining{Member: string(words[2*i]), Group: string(words[2*i+1])}
	}
	var err error
	if len(list) == 1 {
		err = k.Join(c.Host.Work, list[0].Member, list[0].Group)
	} else {
		err = k.JoinAll(context.WithoutCancel(c.Host.Ctx), list, nil)
	}
	if err == nil {
		c.Out.Int(int64(len(list)))
	}
	return err
}

// groupMove is GROUP.MOVE kind member group
func groupMove(c *session.Client, k board.Groups, a [][]byte) error {
	return done(c, k.Move(c.Host.Work, string(a[2]), string(a[3])))
}

// groupLeave is GROUP.LEAVE kind member
func groupLeave(c *session.Client, k board.Groups, a [][]byte) error {
	return done(c, k.Leave(c.Host.Work, string(a[2])))
}

// groupRename is GROUP.RENAME kind member new
func groupRename(c *session.Client, k board.Groups, a [][]byte) error {
	return done(c, k.Rename(c.Host.Work, string(a[2]), string(a[3])))
}
