package groups

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/progress"
	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/console"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
	"github.com/zrankdb/zrank/internal/numbers"
)

// imported is what "zrank groups import" has done.
type imported struct {
	Kind    string `json:"kind"`
	Created int    `json:"created"` // groups
	Joined  int    `json:"joined"`
	Moved   int    `json:"moved"`   // from another group
	Present int    `json:"present"` // were in their groups before
}

// importedList writes what an import has done.
var importedList = show.List[imported]{
	Columns: []string{"kind", "created", "joined", "moved", "present"},
	Right:   []int{2, 3, 4, 5},
	Cells: func(i imported, _ bool) []string {
		return []string{i.Kind, strconv.Itoa(i.Created), strconv.Itoa(i.Joined), strconv.Itoa(i.Moved), strconv.Itoa(i.Present)}
	},
}

// NewImport returns the command "zrank groups import".
func NewImport() *cobra.Command {
	var at target.Target
	var format string
	var create, move bool
	c := &cobra.Command{
		Use:   "import KIND FILE",
		Short: "Make the members of a CSV file join groups",
		Long: `Make the members of a CSV file join groups of a kind; FILE - is standard input. The first row names the columns member and group, in any order; other columns
are ignored. All rows are checked first: a member that is in another group is an error, unless --move is given. A row whose member is in its group is skipped, so an
import that was interrupted goes on when it is called again. Say how many groups were created, how many members have joined or moved, and how many were present.`,
		Example: `  zrank groups import --dir data guild members.csv
  zcat members.csv.gz | zrank groups import --dir data --create guild -`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			f, err := flags.ParseFormat(format)
			if err != nil {
				return err
			}
			return at.Open(func(d target.Boards) error {
				done, err := importFile(c, d, args[0], args[1], create, move)
				if err != nil {
					return err
				}
				return importedList.Write(c.OutOrStdout(), f, []imported{done})
			})
		},
	}
	at.Flags(c)
	flags.Format(c, &format)
	c.Flags().BoolVar(&create, "create", false, "make the kind and the groups that do not exist")
	c.Flags().BoolVar(&move, "move", false, "take members that are in another group from there")
	return c
}

// importFile makes the members of a file join groups of a kind.
func importFile(c *cobra.Command, d target.Boards, kind, file string, create, move bool) (done imported, err error) {
	rows, err := readFile(file, c.InOrStdin())
	if err != nil {
		return done, err
	}
	k, err := d.Groups(c.Context(), kind)
	missing := create && errors.Is(err, board.ErrNoGroups)
	if err != nil && !missing {
		return done, err
	}
	check := lookup(noKind(kind))
	if !missing {
		check = k
	}
	whole := context.WithoutCancel(c.Context()) // an interrupt ends it when members join
	p, err := planOf(whole, check, rows, file, create, move)
	if err != nil {
		return done, err
	}
	if missing {
		if k, err = d.DefineGroups(whole, kind); err != nil {
			return done, err
		}
	}
	ctx := c.Context()
	n, err := p.run(ctx, k, c.ErrOrStderr())
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		return done, fmt.Errorf("stopped after %s; the same command goes on from there", numbers.Plural(n, "member"))
	}
	return imported{k.Kind(), len(p.groups), len(p.list), len(p.moves), p.present}, err
}

// lookup says which groups there are, and who is in them.
type lookup interface {
	Kind() string
	All(ctx context.Context) ([]board.GroupInfo, error)
	Of(ctx context.Context, member string) (group string, ok bool, err error)
}

// noKind is a kind that does not exist yet.
type noKind string

// Kind implements lookup.
func (k noKind) Kind() string { return string(k) }

// All implements lookup.
func (noKind) All(context.Context) ([]board.GroupInfo, error) { return nil, nil }

// Of implements lookup.
func (noKind) Of(context.Context, string) (string, bool, error) { return "", false, nil }

// plan is what an import has to do.
type plan struct {
	groups  []string // to be made
	list    []board.Joining
	moves   []board.Joining // of members that are in another group
	present int             // rows whose member is in its group
}

// planOf checks the rows of a file. Errors name the file and the line.
func planOf(ctx context.Context, k lookup, rows []row, file string, create, move bool) (p plan, err error) {
	known, in := map[string]bool{}, map[string]string{}
	all, err := k.All(ctx)
	if err != nil {
		return p, err
	}
	for _, g := range all {
		known[g.Name] = true
	}
	for _, r := range rows {
		fail := func(format string, args ...any) (plan, error) {
			return p, fmt.Errorf("%s:%d: "+format, append([]any{file, r.line}, args...)...)
		}
		if !known[r.Group] {
			if !create {
				return fail("%w: %q of %q", board.ErrNoGroup, r.Group, k.Kind())
			}
			known[r.Group] = true
			p.groups = append(p.groups, r.Group)
		}
		was, ok := in[r.Member]
		twice := ok
		if !ok {
			if was, ok, err = k.Of(ctx, r.Member); err != nil {
				return p, err
			}
		}
		switch {
		case ok && was == r.Group:
			p.present++
		case ok && move && !twice:
			p.moves = append(p.moves, r.Joining)
		case ok:
			return fail("%w: %q is in %s %q", board.ErrInGroup, r.Member, k.Kind(), was)
		case r.Member == "" || len(r.Member) > board.MaxMember:
			return fail("%w", board.ErrMember)
		default:
			p.list = append(p.list, r.Joining)
		}
		in[r.Member] = r.Group
	}
	return p, nil
}

// run makes the groups and lets the members join and move, with a progress bar on a terminal. It returns how many have joined or moved.
func (p *plan) run(ctx context.Context, k board.Groups, w io.Writer) (done int, err error) {
	for _, group := range p.groups {
		if err := k.Create(ctx, group, nil); err != nil {
			return 0, err
		}
	}
	tracker := &progress.Tracker{Message: k.Kind() + ": members join", Total: int64(len(p.list) + len(p.moves))}
	if console.IsTerminal(w) {
		bar := console.NewProgress(w)
		bar.AppendTracker(tracker)
		go bar.Render()
		defer console.StopProgress(bar)
	}
	err = k.JoinAll(ctx, p.list, func(joined int) {
		done = joined
		tracker.SetValue(int64(joined))
	})
	for _, m := range p.moves {
		if err == nil {
			err = context.Cause(ctx)
		}
		if err == nil {
			err = k.Move(ctx, m.Member, m.Group)
		}
		if err != nil {
			return done, err
		}
		done++
		tracker.SetValue(int64(done))
	}
	return done, err
}
