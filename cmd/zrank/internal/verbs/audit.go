package verbs

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
)

// Audit returns the commands that show what operators read.
func Audit() []*cobra.Command {
	return []*cobra.Command{
		Command{Ops: []*ops.Op{ops.GetMember.Op}, Use: "member", Short: "Show a member's places in all periods",
			Long: `Show the places of a member of BOARD in all periods that are kept, closed and open, and whether it is banned or hidden. With --format json the answer is one
object, which has the best rank and the best score of each window too.`,
			Example: `  zrank member --dir data arena ada
  zrank member --dir data --format json arena ada`,
			write: func(o *output, result any) error { return o.writeMember(result.(board.Member)) }}.New(),
		Command{Ops: []*ops.Op{ops.ListJournal.Op}, Use: "journal", Short: "List the last submissions to a board, newest first, where it keeps a journal",
			Long: `List the last submissions to BOARD, newest first, as far as its journal goes back: "journal" in its spec file says how many rows it keeps.
"zrank revert --row" takes one of them back. Reverted is the entry of the audit log that has reverted a row; removal says that the row is the
removal of the member.`,
			Example: `  zrank journal --dir data arena
  zrank journal --dir data --member eve --since 2026-11-20 --format json arena`,
			Empty: "no row",
			Flags: []Flag{{Argument: "member", Help: "of this member"}, {Argument: "before", Help: "rows with lower numbers"}}}.New(),
		Command{Ops: []*ops.Op{ops.ListAudit.Op, ops.GetAuditPlaces.Op}, Use: "audit [BOARD [ENTRY]]", All: true,
			Short: "Show the audit log: who has banned whom, when and why; or what an entry has changed",
			Long: `Show the audit log of BOARD, or of all boards: who has banned, reverted and so on whom, when and why, and how many places were changed. With the
number of an ENTRY list these places. The flags select entries, and all of them must hold. In place of the name of an erased member is a
salted hash; --member with its name still finds its entries.`,
			Example: `  zrank audit --dir data arena
  zrank audit --dir data --member eve --since 2026-11-20 arena
  zrank audit --dir data --after 1000 --format json arena
  zrank audit --dir data arena 17`,
			Empty: "no entry",
			Flags: []Flag{{Argument: "member", Help: "about this member, also if it has been erased since"}, {Argument: "by", Help: "by this user"}, {Argument: "after", Help: "behind the entry with this number"},
				{Argument: "n", Name: "number", Short: "n", Help: "how many at most of each board, the oldest first (default: all)"}},
			write: (*output).writeAudit}.New(),
		Command{Ops: []*ops.Op{ops.ListJobs.Op}, Use: "jobs [BOARD]", All: true, Short: "List the changes of closed periods that are in progress, or wait for them",
			Long: `List the bans and other changes of closed periods that are in progress on BOARD, or on all boards: how many of the closed periods are done. A
change that was interrupted goes on whenever the directory is open; with --wait until all are done.`,
			Example: `  zrank jobs --dir data
  zrank jobs --dir data --wait arena`,
			Empty: "nothing is in progress",
			add:   func(c *cobra.Command) { c.Flags().Bool("wait", false, "wait until all are done") },
			before: func(o *output) error {
				if wait, _ := o.Flags().GetBool("wait"); !wait {
					return nil
				}
				return waitForJobs(o.Context(), o.ErrOrStderr(), o.named)
			}}.New(),
	}
}

// writeAudit writes entries, or the places of one.
func (o *output) writeAudit(result any) error {
	p, ok := result.(ops.PlacesList)
	if !ok {
		return o.write(result)
	}
	list := placeList(datadir.ColumnNames(o.named[0].Spec()))
	list.Empty = "the entry has changed no place"
	return list.Write(o.OutOrStdout(), o.format, p.Places)
}

// writeMember writes what a board has of a member.
func (o *output) writeMember(m board.Member) error {
	w, b := o.OutOrStdout(), o.named[0]
	if o.format == show.JSON {
		return o.writeLines([]any{m}, m)
	}
	for _, x := range []struct {
		is   bool
		text string
	}{{m.Banned, "banned"}, {m.Hidden, "hidden"}} {
		if !x.is || o.format != show.Table {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s · %s is %s\n", show.Printable(b.Name()), show.Name(m.Name), x.text); err != nil {
			return err
		}
	}
	var all []board.Place
	for _, h := range m.Windows {
		all = append(all, h.Places...)
	}
	list := placeList(datadir.ColumnNames(b.Spec()))
	list.Empty = "no place"
	return list.Write(w, o.format, all)
}

// waitForJobs waits until no change is in progress. Errors: that of ctx, those of Board.Jobs.
func waitForJobs(ctx context.Context, w io.Writer, boards []board.Board) error {
	defer watch(ctx, w, boards)()
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for i := 0; i < len(boards); {
		jobs, err := boards[i].Jobs(ctx)
		if err != nil {
			return err
		}
		if len(jobs) == 0 {
			i++
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
	return nil
}
