package moderate

import (
	"context"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
	"github.com/zrankdb/zrank/internal/boardjson"
)

func newJobs() *cobra.Command {
	var at target.Target
	var format string
	var wait bool
	c := &cobra.Command{
		Use:   "jobs [BOARD]",
		Short: "List the changes of closed periods that are in progress, or wait for them",
		Long: `List the bans and other changes of closed periods that are in progress on BOARD, or on all boards: how many of the closed periods are done. A
change that was interrupted goes on whenever the directory is open; with --wait until all are done.`,
		Example: `  zrank jobs --dir data
  zrank jobs --dir data --wait arena`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			f, err := flags.ParseFormat(format)
			if err != nil {
				return err
			}
			return at.Open(func(d target.Boards) error {
				boards, err := target.Named(c.Context(), d, args)
				if err != nil {
					return err
				}
				if wait {
					if err := waitForJobs(c.Context(), c.ErrOrStderr(), boards); err != nil {
						return err
					}
				}
				list, err := jobsOf(c.Context(), boards)
				if err != nil {
					return err
				}
				return jobList.Write(c.OutOrStdout(), f, list)
			})
		},
	}
	at.Flags(c)
	flags.Format(c, &format)
	c.Flags().BoolVar(&wait, "wait", false, "wait until all are done")
	return c
}

// waitForJobs waits until no change is in progress. Errors: that of ctx, those of Board.Jobs.
func waitForJobs(ctx context.Context, w io.Writer, boards []board.Board) error {
	defer watch(ctx, w, boards)()
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for {
		list, err := jobsOf(ctx, boards)
		if err != nil || len(list) == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}

// job is one line of "zrank jobs".
type job struct {
	Board string `json:"board"`
	board.Job
}

// MarshalJSON implements json.Marshaler.
func (j job) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&j) }

func jobsOf(ctx context.Context, boards []board.Board) (list []job, err error) {
	for _, b := range boards {
		jobs, err := b.Jobs(ctx)
		if err != nil {
			return nil, err
		}
		for _, j := range jobs {
			list = append(list, job{b.Name(), j})
		}
	}
	return list, nil
}

// jobList writes jobs, a line each.
var jobList = show.List[job]{
	Empty:   "nothing is in progress",
	Sparse:  true,
	Columns: []string{"board", "entry", "kind", "member", "to", "done", "total"},
	Right:   []int{2, 6, 7},
	Cells: func(j job, people bool) []string {
		member, to := j.Member, j.To
		if people {
			member, to = show.Name(member), show.Name(to)
		}
		return []string{j.Board, strconv.FormatUint(j.Entry, 10), string(j.Kind), member, to, strconv.Itoa(j.Done), strconv.Itoa(j.Total)}
	},
}
