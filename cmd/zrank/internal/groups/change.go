package groups

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
)

func newDefine() *cobra.Command {
	o := &options{}
	return o.add(&cobra.Command{
		Use:     "define KIND",
		Short:   "Make a kind of groups, unless there is one",
		Long:    `Make a kind of groups, such as guild or country, unless there is one. A member is in one group of each kind at most.`,
		Example: `  zrank groups define --dir data guild`,
		Args:    cobra.ExactArgs(1),
	}, func(x *call) error {
		k, err := x.d.DefineGroups(x.c.Context(), x.args[0])
		if err != nil {
			return err
		}
		i, err := kindOf(x.c.Context(), k)
		if err != nil {
			return err
		}
		return write(x, kindList, i)
	})
}

func newCreate() *cobra.Command {
	o := &options{}
	var meta string
	c := o.addOf(&cobra.Command{
		Use:   "create KIND GROUP",
		Short: "Make a group without members",
		Long:  `Make a group of a kind, without members. --meta keeps a text of yours with it.`,
		Example: `  zrank groups create --dir data guild wolves
  zrank groups create --dir data --meta '{"motto":"howl"}' guild wolves`,
		Args: cobra.ExactArgs(2),
	}, 1, func(x *call, k board.Groups) error {
		if err := k.Create(x.c.Context(), x.args[1], []byte(meta)); err != nil {
			return err
		}
		return writeGroup(x.c.Context(), x, k)
	})
	c.Flags().StringVar(&meta, "meta", "", "metadata of the group, at most 64 KiB")
	return c
}

func newMeta() *cobra.Command {
	o := &options{}
	return o.addOf(&cobra.Command{
		Use:     "meta KIND GROUP TEXT",
		Short:   "Replace the metadata of a group",
		Long:    `Replace the metadata of a group by TEXT, at most 64 KiB. An empty TEXT removes it.`,
		Example: `  zrank groups meta --dir data guild wolves '{"motto":"howl"}'`,
		Args:    cobra.ExactArgs(3),
	}, 1, func(x *call, k board.Groups) error {
		if err := k.SetMeta(x.c.Context(), x.args[1], []byte(x.args[2])); err != nil {
			return err
		}
		return writeGroup(x.c.Context(), x, k)
	})
}

func newDissolve() *cobra.Command {
	o := &options{}
	return o.addOf(&cobra.Command{
		Use:   "dissolve KIND GROUP",
		Short: "Remove a group: its members are in none",
		Long: `Remove a group, and show what it was. Its members are in none, and it leaves the open periods of all boards of groups. Closed periods keep it. It cannot be
undone.`,
		Example: `  zrank groups dissolve --dir data guild wolves`,
		Args:    cobra.ExactArgs(2),
	}, 1, func(x *call, k board.Groups) error {
		was, err := groupOf(x.c.Context(), k, x.args[1])
		if err != nil {
			return err
		}
		if err := k.Dissolve(x.c.Context(), x.args[1]); err != nil {
			return err
		}
		return write(x, groupList, was)
	})
}

// writeGroup writes the group GROUP.
func writeGroup(ctx context.Context, x *call, k board.Groups) error {
	i, err := groupOf(ctx, k, x.args[1])
	if err != nil {
		return err
	}
	return write(x, groupList, i)
}

func newJoin() *cobra.Command {
	return goes(&cobra.Command{
		Use:   "join KIND MEMBER GROUP",
		Short: "Make a member join a group",
		Long: `Make a member join a group; the member is in none before. On boards of groups the group gets what the member has in open periods, as "points" of their specs say.
"zrank groups import" makes many members join.`,
		Example: `  zrank groups join --dir data guild ada wolves`,
	}, board.Groups.Join)
}

func newMove() *cobra.Command {
	return goes(&cobra.Command{
		Use:     "move KIND MEMBER GROUP",
		Short:   "Take a member from its group to another one",
		Long:    `Take a member from its group to another one of the kind. On boards of groups its points go along or stay, as "points" of their specs say.`,
		Example: `  zrank groups move --dir data guild ada lions`,
	}, board.Groups.Move)
}

// goes completes a command KIND MEMBER GROUP, after which the member is in the group.
func goes(c *cobra.Command, do func(k board.Groups, ctx context.Context, member, group string) error) *cobra.Command {
	c.Args = cobra.ExactArgs(3)
	return new(options).addOf(c, 2, func(x *call, k board.Groups) error {
		if err := do(k, x.c.Context(), x.args[1], x.args[2]); err != nil {
			return err
		}
		return write(x, memberList, member{k.Kind(), x.args[2], x.args[1]})
	})
}

func newRename() *cobra.Command {
	o := &options{}
	return o.addOf(&cobra.Command{
		Use:   "rename KIND MEMBER NEW",
		Short: "Give a member's place in its group to another name",
		Long: `Give a member's place in its group to NEW, which is in none: the same player under another name. The points that it has left to groups, and those since
joining, go along. "zrank rename" gives the member the name on a board, before or after it; do it on each board, and in each kind.`,
		Example: `  zrank groups rename --dir data guild eve eva`,
		Args:    cobra.ExactArgs(3),
	}, 2, func(x *call, k board.Groups) error {
		if err := k.Rename(x.c.Context(), x.args[1], x.args[2]); err != nil {
			return err
		}
		group, _, err := k.Of(x.c.Context(), x.args[2])
		if err != nil {
			return err
		}
		return write(x, memberList, member{k.Kind(), group, x.args[2]})
	})
}

func newLeave() *cobra.Command {
	o := &options{}
	return o.addOf(&cobra.Command{
		Use:     "leave KIND MEMBER",
		Short:   "Make a member leave its group",
		Long:    `Make a member leave its group, and show which one it was. On boards of groups its points go along or stay, as "points" of their specs say.`,
		Example: `  zrank groups leave --dir data guild ada`,
		Args:    cobra.ExactArgs(2),
	}, 1, func(x *call, k board.Groups) error {
		was, _, err := k.Of(x.c.Context(), x.args[1])
		if err != nil {
			return err
		}
		if err := k.Leave(x.c.Context(), x.args[1]); err != nil {
			return err
		}
		return write(x, memberList, member{k.Kind(), was, x.args[1]})
	})
}

// rebuilt is what "zrank groups rebuild" has done.
type rebuilt struct {
	Board     string `json:"board"`
	Corrected int    `json:"corrected"`
}

func newRebuild() *cobra.Command {
	o := &options{}
	var window, period string
	c := o.add(&cobra.Command{
		Use:   "rebuild BOARD",
		Short: "Compute the scores of all groups of a board again",
		Long: `Compute the scores of all groups of a board in open periods from those of their members, and say how many were others. That should be none: "zrank check"
tells which are wrong.

With --window and --period it is a closed period, and members count for the groups in which they were when it was closed. Of periods that an earlier version has closed nobody has
stored that, and "zrank check" has a note of them: those count who are in the group now, so do it if nobody has joined or left since. Awards that were given stay as they are; "zrank
settle" corrects them.`,
		Example: `  zrank groups rebuild --dir data arena/guilds
  zrank groups rebuild --dir data --window week --period 2026-W47 arena/guilds`,
		Args: cobra.ExactArgs(1),
	}, func(x *call) error {
		if (window == "") != (period == "") {
			return flags.Errorf("--window and --period name a closed period: give both, or none for the open ones")
		}
		b, err := x.d.Board(x.c.Context(), x.args[0])
		if err != nil {
			return err
		}
		n := 0
		if period == "" {
			n, err = b.Rebuild(x.c.Context())
		} else {
			n, err = b.RebuildPeriod(x.c.Context(), window, period)
		}
		if err != nil {
			return err
		}
		return write(x, rebuiltList, rebuilt{b.Name(), n})
	})
	c.Flags().StringVar(&window, "window", "", "the window of a closed period")
	c.Flags().StringVar(&period, "period", "", "a closed period")
	return c
}

// rebuiltList writes how many groups of a board were corrected.
var rebuiltList = show.List[rebuilt]{
	Columns: []string{"board", "corrected"},
	Right:   []int{2},
	Cells:   func(r rebuilt, _ bool) []string { return []string{r.Board, strconv.Itoa(r.Corrected)} },
}
