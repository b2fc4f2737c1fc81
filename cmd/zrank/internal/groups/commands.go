package groups

import (
	"github.com/spf13/cobra"
)

// New returns the command "zrank groups".
func New() *cobra.Command {
	o := &options{}
	c := o.add(&cobra.Command{
		Use:   "groups",
		Short: "List the kinds of groups; change groups, such as guilds, and who is in them",
		Long: `List the kinds of groups, such as guilds and countries. A member is in one group of each kind at most. A board whose spec has "derived" ranks the groups of
a kind: their scores follow those of their members on another board. "zrank replay --spec" and "zrank serve --spec" make such a board with the board
that it follows, and the kind that it names.`,
		Example: `  zrank groups --dir data`,
		Args:    cobra.NoArgs,
	}, func(x *call) error {
		names, err := x.d.GroupKinds(x.c.Context())
		if err != nil {
			return err
		}
		var kinds []kindInfo
		for _, name := range names {
			k, err := x.d.Groups(x.c.Context(), name)
			if err != nil {
				return err
			}
			i, err := kindOf(x.c.Context(), k)
			if err != nil {
				return err
			}
			kinds = append(kinds, i)
		}
		return write(x, kindList, kinds...)
	})
	c.AddCommand(newList(), newShow(), newOf(), newAmong(), newDefine(), newCreate(), newMeta(), newDissolve(), newJoin(), newImport(), newMove(), newLeave(), newRename(), newRebuild())
	return c
}
