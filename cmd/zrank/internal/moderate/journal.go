package moderate

import (
	"iter"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

// journalFlags has the flags of "zrank journal".
type journalFlags struct {
	at                    target.Target
	format, member, since string
	rows                  int
}

func newJournal() *cobra.Command {
	o := &journalFlags{}
	c := &cobra.Command{
		Use:   "journal BOARD",
		Short: "List the last submissions to a board, newest first, where it keeps a journal",
		Long: `List the last submissions to BOARD, newest first, as far as its journal goes back: "journal" in its spec file says how many rows it keeps.
"zrank revert --row" takes one of them back. State says which entry of the audit log has reverted a row, or that the row is the removal of
the member.`,
		Example: `  zrank journal --dir data arena
  zrank journal --dir data --member eve --since 2026-11-20 --format json arena`,
		Args: cobra.ExactArgs(1),
		RunE: o.run,
	}
	o.at.Flags(c)
	flags.Format(c, &o.format)
	fs := c.Flags()
	fs.StringVar(&o.member, "member", "", "of this member")
	fs.StringVar(&o.since, "since", "", "that arrived then or later: "+flags.TimeHelp)
	fs.IntVarP(&o.rows, "rows", "n", 0, "at most this many; 0: all")
	return c
}

func (o *journalFlags) run(c *cobra.Command, args []string) error {
	f, err := flags.ParseFormat(o.format)
	if err != nil {
		return err
	}
	var q board.JournalQuery
	if q.Member, err = flags.ParseMember(o.member); err != nil {
		return err
	}
	if q.Since, err = flags.ParseTime("since", o.since); err != nil {
		return err
	}
	if o.rows < 0 {
		return flags.Errorf("--rows is %d, want 0 or more", o.rows)
	}
	return o.at.Open(func(d target.Boards) error {
		boards, err := target.Named(c.Context(), d, args)
		if err != nil {
			return err
		}
		return journalList.WriteAll(c.OutOrStdout(), f, o.list(boards[0].Journal(c.Context(), q)))
	})
}

// list iterates over the lines of the rows, at most as many as the flags say.
func (o *journalFlags) list(all iter.Seq2[board.JournalRow, error]) iter.Seq2[board.JournalRow, error] {
	return func(yield func(board.JournalRow, error) bool) {
		n := 0
		for row, err := range all {
			if !yield(row, err) || err != nil {
				return
			}
			if n++; n == o.rows {
				return
			}
		}
	}
}

// journalList writes rows of a journal, a line each.
var journalList = show.List[board.JournalRow]{
	Empty:   "no row",
	Sparse:  true,
	Columns: []string{"row", "arrived", "at", "member", "score", "once", "state"},
	Right:   []int{1, 5},
	Cells: func(r board.JournalRow, people bool) []string {
		member, once, state := r.Member, r.Once, ""
		if people {
			member, once = show.Name(member), show.Name(once)
		}
		switch {
		case r.Reverted > 0:
			state = "reverted by " + strconv.FormatUint(r.Reverted, 10)
		case r.Removal:
			state = "removed"
		}
		return []string{strconv.FormatUint(r.Number, 10), r.Arrived.Format(time.RFC3339), r.At.Format(time.RFC3339), member, r.Score.String(), once, state}
	},
}
