package groups

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
)

func newList() *cobra.Command {
	o := &options{}
	return o.addOf(&cobra.Command{
		Use:     "list KIND",
		Short:   "List the groups of a kind",
		Long:    `List the groups of a kind in the order of their names, with their numbers of members and their metadata.`,
		Example: `  zrank groups list --dir data guild`,
		Args:    cobra.ExactArgs(1),
	}, 0, func(x *call, k board.Groups) error {
		return groupList.WriteAll(x.c.OutOrStdout(), x.f, func(yield func(group, error) bool) {
			all, err := k.All(x.c.Context())
			if err != nil {
				yield(group{}, err)
				return
			}
			for _, g := range all {
				if i, err := groupOf(x.c.Context(), k, g.Name); !yield(i, err) {
					return
				}
			}
		})
	})
}

func newShow() *cobra.Command {
	o := &options{}
	return o.addOf(&cobra.Command{
		Use:     "show KIND GROUP",
		Short:   "List the members of a group",
		Long:    `List the members of a group in the order of their names. "zrank groups among" ranks them.`,
		Example: `  zrank groups show --dir data guild wolves`,
		Args:    cobra.ExactArgs(2),
	}, 1, func(x *call, k board.Groups) error {
		group := x.args[1]
		if _, err := k.Info(x.c.Context(), group); err != nil {
			return err
		}
		return memberList.WriteAll(x.c.OutOrStdout(), x.f, func(yield func(member, error) bool) {
			for last, more := "", true; more; {
				members, err := k.Members(x.c.Context(), group, last, membersAtATime)
				if err != nil {
					yield(member{}, err)
					return
				}
				for _, last = range members {
					if !yield(member{k.Kind(), group, last}, nil) {
						return
					}
				}
				more = len(members) == membersAtATime
			}
		})
	})
}

// membersAtATime is the number of members that show reads at a time.
const membersAtATime = 1000

func newOf() *cobra.Command {
	o := &options{}
	return o.addOf(&cobra.Command{
		Use:     "of KIND MEMBER",
		Short:   "Show the group that a member is in",
		Long:    `Show the group of a kind that a member is in. It exits with 1 if the member is in none.`,
		Example: `  zrank groups of --dir data guild ada`,
		Args:    cobra.ExactArgs(2),
	}, 1, func(x *call, k board.Groups) error {
		group, ok, err := k.Of(x.c.Context(), x.args[1])
		if err != nil {
			return err
		}
		if !ok {
			return fmt.Errorf("%q is in no %s", x.args[1], k.Kind())
		}
		return write(x, memberList, member{k.Kind(), group, x.args[1]})
	})
}
