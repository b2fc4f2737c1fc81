package move

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board/cluster"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
)

// New returns the command.
func New() *cobra.Command {
	var o options
	var format string
	c := &cobra.Command{
		Use:   "move [BOARD...]",
		Short: "Move boards from a data directory to a Redis or Valkey cluster, or back",
		Long: `Move boards, all or those that are named, from one place to another. A place is a data directory, which no other process may have open, or the URL of
one server of a cluster:

  redis://USER:PASSWORD@HOST:PORT?addr=HOST2:PORT2

addr names further servers, rediss is for TLS. If one place is a running "zrank serve", by such a URL, it moves its boards itself, while it serves them. Boards come with their periods, open and closed ones, metadata, Once keys, moderated members and the audit log, and every
entry is compared before the switch. Boards on a cluster stay in use while they move: the switch makes submissions wait for a moment, and from then on the old place answers that
the board has left. A game server that has the directory open moves its boards itself while it goes on: package move of the library.

Whatever stops the move, nothing is lost: call it again, or give it up with --abort. What cannot move (awards, leagues, journals, rolling windows …) is said
before anything is copied.

The old place keeps its copy until the board is dropped there.`,
		Example: `  zrank move --from data --to redis://10.0.0.1:6379 --partitions 16
  zrank move --from redis://10.0.0.1:6379 --to data arena
  zrank move --from redis://localhost:6380 --to redis://10.0.0.1:6379 arena
  zrank move --from data --to redis://10.0.0.1:6379 --abort`,
		RunE: func(c *cobra.Command, names []string) (err error) {
			if o.from == "" || o.to == "" {
				return flags.Errorf("--from and --to are missing: a directory, or redis://HOST:PORT")
			}
			if o.format, err = flags.ParseFormat(format); err != nil {
				return err
			}
			return o.run(c, names)
		},
	}
	f := c.Flags()
	f.StringVar(&o.from, "from", "", "where the boards are: a data directory, or redis://HOST:PORT")
	f.StringVar(&o.to, "to", "", "where they go")
	f.StringVar(&o.cluster.Prefix, "prefix", "zrank:", "what all keys on the cluster begin with")
	f.IntVar(&o.cluster.Partitions, "partitions", 1, fmt.Sprintf("parts of each board that comes to a cluster, 1 to %d", cluster.MaxPartitions))
	f.IntVar(&o.cluster.Replicas, "replicas", 0, "replicas that must have the board before the switch")
	f.BoolVar(&o.partial, "partial", false, "leave behind what cannot move (baselines, bans of erased members)")
	f.BoolVar(&o.abort, "abort", false, "give up a move that is not complete: the boards stay where they were")
	flags.Format(c, &format)
	return c
}
