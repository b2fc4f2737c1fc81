package main

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/workload"
)

// helpWidth is how many characters a line of text has.
const helpWidth = 96

const replayHelp = `The events of a file in its order: deltas are added up, or scores set. Then the same operations as everywhere, on its members, each as
often as it is in the file. The file is CSV, compressed if its name ends in .gz; its first line names the columns: member; delta or score;
board, if there are several. Other columns are ignored, and others can be named behind the file:
'FILE.csv.gz?delta=delta_solved&member=team'.`

// newWorkloads is the command that lists them.
func newWorkloads() *cobra.Command {
	return &cobra.Command{
		Use:   "workloads",
		Short: "List the workloads: what they do, and which real traffic they stand for",
		Long:  "Workloads lists what --workload of compare, growth and latency takes: each with the traffic it stands for, and where its\nnumbers are from.",
		Example: "  go run . workloads\n" +
			"  go run . compare --n 1e5 --workload hottail",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list := append(workload.All[:len(workload.All):len(workload.All)],
				workload.Workload{Name: "FILE.csv[.gz]", What: "replay of a file", Provenance: replayHelp})
			for i, w := range list {
				if i > 0 {
					fmt.Fprintln(cmd.OutOrStdout())
				}
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n%s\n", w.Name, w.What, text.WrapSoft(w.Provenance, helpWidth))
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
}
