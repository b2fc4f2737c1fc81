package moderate

import (
	"context"
	"fmt"
	"io"
	"os/user"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
	"github.com/zrankdb/zrank/internal/numbers"
)

// actionHelp is the help about what all commands that change a member share.
const actionHelp = `The audit log says who has done it (--by, by default the user of the machine) and why (--reason): see "zrank audit". A change of many closed periods
that is interrupted goes on whenever the directory is open: see "zrank jobs". --dry-run lists what would change, and changes nothing. With
--format json the answer is one object, that of the HTTP API.

` + flags.MemberHelp

// outcome is what a change has done, or would do.
type outcome struct {
	board.Moderated
	Rows    []uint64 // of the journal, that a revert has reverted
	answer  any      // as the board has returned it, for JSON
	columns []string // of the board
}

// moderated returns the outcome of most changes.
func moderated(m board.Moderated, err error) (outcome, error) {
	return outcome{Moderated: m, answer: m}, err
}

// verb is a command that changes what a board keeps of members.
type verb struct {
	kind       string // as in the audit log
	did, would string // what has become of the member, for people; the name of the other member follows, if there is one
	do         func(ctx context.Context, b board.Board, names []string, a board.Action) (outcome, error)
	receipt    bool         // what has changed is shown as a receipt
	check      func() error // of the command's own flags; nil: it has none
	tier       string       // that "zrank tier" gives

	at     target.Target
	format string
	action board.Action
}

// command completes a command: its flags, and what it does.
func (v *verb) command(c *cobra.Command) *cobra.Command {
	c.RunE = func(c *cobra.Command, args []string) error { return v.run(c, args[0], args[1:]) }
	v.at.Flags(c)
	flags.Format(c, &v.format)
	fs := c.Flags()
	fs.StringVar(&v.action.By, "by", "", "who does it, for the audit log (default: the user of the machine)")
	fs.StringVar(&v.action.Reason, "reason", "", "why, for the audit log")
	fs.BoolVar(&v.action.DryRun, "dry-run", false, "list what would change, and change nothing")
	return c
}

func (v *verb) run(c *cobra.Command, name string, args []string) error {
	f, names, err := v.parse(args)
	if err != nil {
		return err
	}
	return v.at.Open(func(d target.Boards) error {
		b, err := d.Board(c.Context(), name)
		if err != nil {
			return err
		}
		stop := watch(c.Context(), c.ErrOrStderr(), []board.Board{b})
		o, err := v.do(c.Context(), b, names, v.action)
		if stop(); err != nil {
			return err
		}
		o.columns = datadir.ColumnNames(b.Spec())
		return v.write(c.OutOrStdout(), f, b.Name(), names, o)
	})
}

// parse parses the flags and the names of members.
func (v *verb) parse(args []string) (f show.Format, names []string, err error) {
	if f, err = flags.ParseFormat(v.format); err != nil {
		return f, nil, err
	}
	if v.check != nil {
		if err := v.check(); err != nil {
			return f, nil, err
		}
	}
	names = make([]string, len(args))
	for i, text := range args {
		if names[i], err = flags.ParseMember(text); err != nil {
			return f, nil, err
		}
	}
	if v.action.By == "" {
		v.action.By, err = machineUser()
	}
	return f, names, err
}

// machineUser returns the name of the user that runs the process.
func machineUser() (string, error) {
	u, err := user.Current()
	if err != nil || u.Username == "" {
		return "", flags.Errorf("the user of the machine is unknown: --by is missing")
	}
	return u.Username, nil
}

// write writes what a change has done. A table has a line with the numbers above it.
func (v *verb) write(w io.Writer, f show.Format, name string, names []string, o outcome) error {
	switch f {
	case show.JSON:
		return show.List[any]{}.Write(w, f, []any{o.answer})
	case show.CSV:
		return v.writeList(w, f, name, o)
	}
	if _, err := fmt.Fprintln(w, v.title(name, names, o)); err != nil || len(o.Places)+len(o.Traces) == 0 {
		return err
	}
	return v.writeList(w, f, name, o)
}

// writeList writes the places that have changed, and what was erased besides.
func (v *verb) writeList(w io.Writer, f show.Format, name string, o outcome) error {
	if v.receipt {
		return erasedList.Write(w, f, erasedOf(name, o.Moderated))
	}
	return placeList(o.columns).Write(w, f, o.Places)
}

// title returns the line above a table.
func (v *verb) title(name string, names []string, o outcome) string {
	is, end := v.did, fmt.Sprintf("; entry %d of the audit log", o.Entry)
	if v.action.DryRun {
		is, end = v.would, " (dry run)"
	} else if o.Entry == 0 {
		end = ""
	}
	if len(names) > 1 {
		is += " " + show.Name(names[1])
	}
	text := fmt.Sprintf("%s · %s %s: %s", show.Printable(name), show.Name(names[0]), is, numbers.Plural(len(o.Places), "place"))
	if o.Rows != nil {
		text += ", " + numbers.Plural(len(o.Rows), "row") + " of the journal"
	}
	if o.Awards > 0 {
		text += ", " + numbers.Plural(o.Awards, "award") + " withheld"
	}
	if o.Hash != "" {
		end += " has " + begin(o.Hash) + " for the name"
	}
	return text + end
}
