package groups

import (
	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

// options has the flags of all commands of groups.
type options struct {
	at     target.Target
	format string
}

// call is one run of a command.
type call struct {
	c    *cobra.Command
	d    target.Boards
	f    show.Format
	args []string
}

// add completes a command: its flags, and what it does.
func (o *options) add(c *cobra.Command, do func(x *call) error) *cobra.Command {
	c.RunE = func(c *cobra.Command, args []string) error {
		f, err := flags.ParseFormat(o.format)
		if err != nil {
			return err
		}
		return o.at.Open(func(d target.Boards) error { return do(&call{c, d, f, args}) })
	}
	o.at.Flags(c)
	flags.Format(c, &o.format)
	return c
}

// namesHelp is the help about the names of members and groups.
const namesHelp = `GROUP is any bytes, as MEMBER is. ` + flags.MemberHelp

// addOf completes a command on the groups of the kind KIND, its first argument. The names arguments after it are groups and members.
func (o *options) addOf(c *cobra.Command, names int, do func(x *call, k board.Groups) error) *cobra.Command {
	o.add(c, func(x *call) error {
		k, err := x.d.Groups(c.Context(), x.args[0])
		if err != nil {
			return err
		}
		return do(x, k)
	})
	if names == 0 {
		return c
	}
	c.Long += "\n\n" + namesHelp
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		for i := 1; i <= names; i++ {
			if args[i], err = flags.ParseMember(args[i]); err != nil {
				return err
			}
		}
		return run(c, args)
	}
	return c
}

// write writes items of a list.
func write[T any](x *call, l show.List[T], items ...T) error {
	return l.Write(x.c.OutOrStdout(), x.f, items)
}
