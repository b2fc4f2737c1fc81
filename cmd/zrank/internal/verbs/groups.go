package verbs

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/internal/numbers"
)

// Groups returns the commands "zrank groups", with others that are made elsewhere.
func Groups(others ...*cobra.Command) *cobra.Command {
	c := Command{Ops: []*ops.Op{ops.ListKinds.Op}, Use: "groups", Short: "List the kinds of groups; change groups, such as guilds, and who is in them",
		Long: `List the kinds of groups, such as guilds and countries. A member is in one group of each kind at most. A board whose spec has "derived" ranks the groups of
a kind: their scores follow those of their members on another board. "zrank replay --spec" and "zrank serve --spec" make such a board with the board
that it follows, and the kind that it names.`,
		Example: `  zrank groups --dir data`,
		Empty:   "no kind of groups is defined yet",
		do:      kinds}.New()
	for _, d := range groupCommands {
		c.AddCommand(d.New())
	}
	c.AddCommand(others...)
	return c
}

var groupCommands = []Command{
	{Ops: []*ops.Op{ops.ListGroups.Op}, Use: "list", Short: "List the groups of a kind", Empty: "no group",
		Long:    `List the groups of a kind in the order of their names, with their numbers of members and their metadata.`,
		Example: `  zrank groups list --dir data guild`,
		do:      withMeta},
	{Ops: []*ops.Op{ops.ListGroupMembers.Op}, Use: "show", Short: "List the members of a group", Empty: "no member",
		Long:    `List the members of a group in the order of their names. "zrank groups among" ranks them.`,
		Example: `  zrank groups show --dir data guild wolves`,
		do:      members},
	{Ops: []*ops.Op{ops.GetGroupOf.Op}, Use: "of", Short: "Show the group that a member is in",
		Long:    `Show the group of a kind that a member is in. It exits with 1 if the member is in none.`,
		Example: `  zrank groups of --dir data guild ada`},
	{Ops: []*ops.Op{ops.AmongGroup.Op}, Use: "among", Short: "Rank the members of a group among themselves",
		Long: `Rank the members of a group among themselves, by their scores on a board: in the latest period that holds anybody of the window that --window names,
or in the one that --period names. RANK is that in the whole ranking. Members that are not ranked are left out.`,
		Example: `  zrank groups among --dir data guild wolves arena
  zrank groups among --dir data --window week --period 2026-W47 --ranks dense guild wolves arena`},
	{Ops: []*ops.Op{ops.DefineKind.Op}, Use: "define", Short: "Make a kind of groups, unless there is one",
		Long:    `Make a kind of groups, such as guild or country, unless there is one. A member is in one group of each kind at most.`,
		Example: `  zrank groups define --dir data guild`},
	{Ops: []*ops.Op{ops.CreateGroup.Op}, Use: "create", Short: "Make a group without members",
		Long: `Make a group of a kind, without members. --meta keeps a text of yours with it.`,
		Example: `  zrank groups create --dir data guild wolves
  zrank groups create --dir data --meta '{"motto":"howl"}' guild wolves`,
		Flags: []Flag{{Argument: "meta", Help: "metadata of the group, at most 64 KiB"}}},
	{Ops: []*ops.Op{ops.SetGroupMeta.Op}, Use: "meta KIND GROUP TEXT", Short: "Replace the metadata of a group",
		Long:    `Replace the metadata of a group by TEXT, at most 64 KiB. An empty TEXT removes it.`,
		Example: `  zrank groups meta --dir data guild wolves '{"motto":"howl"}'`},
	{Ops: []*ops.Op{ops.DissolveGroup.Op}, Use: "dissolve", Short: "Remove a group: its members are in none",
		Long: `Remove a group. Its members are in none, and it leaves the open periods of all boards of groups. Closed periods keep it. It cannot be
undone.`,
		Example: `  zrank groups dissolve --dir data guild wolves`},
	{Ops: []*ops.Op{ops.JoinGroup.Op}, Use: "join", Short: "Make a member join a group",
		Long: `Make a member join a group; the member is in none before. On boards of groups the group gets what the member has in open periods, as "points" of their specs say.
"zrank groups import" makes many members join.`,
		Example: `  zrank groups join --dir data guild ada wolves`},
	{Ops: []*ops.Op{ops.MoveGroup.Op}, Use: "move", Short: "Take a member from its group to another one",
		Long:    `Take a member from its group to another one of the kind. On boards of groups its points go along or stay, as "points" of their specs say.`,
		Example: `  zrank groups move --dir data guild ada lions`},
	{Ops: []*ops.Op{ops.LeaveGroup.Op}, Use: "leave", Short: "Make a member leave its group",
		Long:    `Make a member leave its group. On boards of groups its points go along or stay, as "points" of their specs say.`,
		Example: `  zrank groups leave --dir data guild ada`},
	{Ops: []*ops.Op{ops.RenameInGroup.Op}, Use: "rename KIND MEMBER NEW", Short: "Give a member's place in its group to another name",
		Long: `Give a member's place in its group to NEW, which is in none: the same player under another name. The points that it has left to groups, and those since
joining, go along. "zrank rename" gives the member the name on a board, before or after it; do it on each board, and in each kind.`,
		Example: `  zrank groups rename --dir data guild eve eva`},
	{Ops: []*ops.Op{ops.RebuildBoard.Op}, Use: "rebuild", Short: "Compute the scores of all groups of a board again",
		Long: `Compute the scores of all groups of a board in open periods from those of their members, and say how many were others. That should be none: "zrank check"
tells which are wrong.

With --window and --period it is a closed period, and members count for the groups in which they were when it was closed. Of periods that an earlier version has closed nobody has
stored that, and "zrank check" has a note of them: those count who are in the group now, so do it if nobody has joined or left since. Awards that were given stay as they are; "zrank
settle" corrects them.`,
		Example: `  zrank groups rebuild --dir data arena/guilds
  zrank groups rebuild --dir data --window week --period 2026-W47 arena/guilds`,
		Flags: []Flag{{Argument: "window", Help: "the window of a closed period"}, {Argument: "period", Help: "a closed period"}},
		before: func(o *output) error {
			if a := o.args.(*ops.RebuildArgs); (a.Window == "") != (a.Period == "") {
				return flags.Errorf("--window and --period name a closed period: give both, or none for the open ones")
			}
			return nil
		},
		write: func(o *output, result any) error {
			if o.format != show.Table {
				return o.write(result)
			}
			_, err := fmt.Fprintf(o.OutOrStdout(), "%s · %s corrected\n", show.Printable(o.named[0].Name()), numbers.Plural(result.(ops.Number).N, "group"))
			return err
		}},
}

// kinds returns the kinds of groups, with how much there is of each.
func kinds(o *output, e *ops.Env) (any, error) {
	names, err := e.Boards.GroupKinds(o.Context())
	if err != nil {
		return nil, err
	}
	var all []kind
	for _, name := range names {
		g, err := e.Boards.Groups(o.Context(), name)
		if err != nil {
			return nil, err
		}
		groups, err := g.All(o.Context())
		if err != nil {
			return nil, err
		}
		k := kind{Kind: name, Groups: len(groups)}
		for _, of := range groups {
			k.Members += of.Members
		}
		all = append(all, k)
	}
	return all, nil
}

// withMeta returns the groups of a kind with their metadata, which the operation leaves out.
func withMeta(o *output, e *ops.Env) (any, error) {
	a, list := o.args.(*ops.GroupsArgs), ops.GroupsList{}
	if err := ops.ListGroups.Do(o.Context(), e, a, &list); err != nil {
		return nil, err
	}
	g, err := e.Boards.Groups(o.Context(), a.Kind)
	for i := 0; i < len(list.Groups) && err == nil; i++ {
		list.Groups[i], err = g.Info(o.Context(), list.Groups[i].Name)
	}
	return list, err
}

// atATime is the number of members that are read at a time.
const atATime = 1000

// members returns the members of a group, which may be more than a server gives at a time.
func members(o *output, e *ops.Env) (any, error) {
	a, all := *o.args.(*ops.GroupMembersArgs), ops.MembersOf{}
	left := a.N
	for page := (ops.MembersOf{More: true}); page.More && left > 0; left -= atATime {
		a.N = min(left, atATime)
		if err := ops.ListGroupMembers.Do(o.Context(), e, &a, &page); err != nil {
			return nil, err
		}
		if all.Members = append(all.Members, page.Members...); page.More {
			a.After = page.Members[len(page.Members)-1]
		}
	}
	return all, nil
}
