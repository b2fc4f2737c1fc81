package groups

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/progress"
	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/console"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/internal/numbers"
)

// imported is what "zrank groups import" has done.
type imported struct {
	Kind    string `json:"kind"`
	Created int    `json:"created"` // groups
	Joined  int    `json:"joined"`
	Present int    `json:"present"` // were in their groups before
}

// importedList writes what an import has done.
var importedList = show.List[imported]{
	Columns: []string{"kind", "created", "joined", "present"},
	Right:   []int{2, 3, 4},
	Cells: func(i imported, _ bool) []string {
		return []string{i.Kind, strconv.Itoa(i.Created), strconv.Itoa(i.Joined), strconv.Itoa(i.Present)}
	},
}

func newImport() *cobra.Command {
	o := &options{}
	var create bool
	c := o.addOf(&cobra.Command{
		Use:   "import KIND FILE",
		Short: "Make the members of a CSV file join groups",
		Long: `Make the members of a CSV file join groups of a kind; FILE - is standard input. The first row names the columns member and group, in any order; other columns
are ignored. All rows are checked first: a member that is in another group is an error. A row whose member is in its group is skipped, so an import
that was interrupted goes on when it is called again. Say how many groups were created, how many members have joined, and how many were present.`,
		Example: `  zrank groups import --dir data guild members.csv
  zcat members.csv.gz | zrank groups import --dir data --create guild -`,
		Args: cobra.ExactArgs(2),
	}, 0, func(x *call, k target.Groups) error {
		rows, err := readFile(x.args[1], x.c.InOrStdin())
		if err != nil {
			return err
		}
		p, err := planOf(k, rows, x.args[1], create)
		if err != nil {
			return err
		}
		ctx := x.c.Context()
		done, err := p.run(ctx, k, x.c.ErrOrStderr())
		if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
			return fmt.Errorf("stopped after %s; the same command goes on from there", numbers.Plural(done, "member"))
		}
		if err != nil {
			return err
		}
		return write(x, importedList, imported{k.Kind(), len(p.groups), len(p.list), p.present})
	})
	c.Flags().BoolVar(&create, "create", false, "make the groups that do not exist")
	return c
}

// plan is what an import has to do.
type plan struct {
	groups  []string // to be made
	list    []board.Joining
	present int // rows whose member is in its group
}

// planOf checks the rows of a file. Errors name the file and the line.
func planOf(k target.Groups, rows []row, file string, create bool) (p plan, err error) {
	known, in := map[string]bool{}, map[string]string{}
	for _, g := range k.All() {
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
		if !ok {
			was, ok = k.Of(r.Member)
		}
		switch {
		case ok && was == r.Group:
			p.present++
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

// run makes the groups and lets the members join, with a progress bar on a terminal. It returns how many have joined.
func (p *plan) run(ctx context.Context, k target.Groups, w io.Writer) (done int, err error) {
	for _, group := range p.groups {
		if err := k.Create(group, nil); err != nil {
			return 0, err
		}
	}
	tracker := &progress.Tracker{Message: k.Kind() + ": members join", Total: int64(len(p.list))}
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
	return done, err
}
