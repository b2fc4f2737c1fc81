package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/fuzz/internal/boardspecs"
	"github.com/zrankdb/zrank/fuzz/internal/campaigns"
	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/internal/numbers"
)

func newCombinations() *cobra.Command {
	var (
		seed           uint64
		scripts, lines int
	)
	cmd := command("combinations", "Count the combinations of features of boards that a campaign runs",
		`Count in how many runs the scripts of a seed have each combination of two features of the board "mixed", which has a spec for every
combination that Define allows. A run is what a script does to the board under one spec, with at least one submission. A cell
is "-" where Define refuses all such specs; a list says why it refuses some. The scripts are those of "zrankfuzz --seed N
--config board --lines N". They are made and not run, which takes seconds.`,
		`  zrankfuzz combinations --seed 7 --scripts 20000`,
		cobra.NoArgs, func(c *cobra.Command, _ []string) error {
			if scripts <= 0 || lines <= 0 {
				return usagef("--scripts and --lines must be above zero")
			}
			writeCombinations(c.OutOrStdout(), countRuns(seed, scripts, lines))
			return nil
		})
	f := cmd.Flags()
	f.Uint64Var(&seed, "seed", 1, "seed of the campaign")
	f.IntVar(&scripts, "scripts", 10_000, "number of scripts")
	f.IntVar(&lines, "lines", campaigns.DefaultLines, "operations of each script")
	return cmd
}

// countRuns returns the number of runs of each combination.
func countRuns(seed uint64, scripts, lines int) map[script.MixedRun]int {
	counts := map[script.MixedRun]int{}
	for i := range uint64(scripts) {
		for _, run := range script.MixedRuns(script.Generate("board", campaigns.ScriptSeed(seed, i), lines)) {
			counts[run]++
		}
	}
	return counts
}

// feature is a value of a dimension of the specs, or of one more: whether members are hidden.
type feature struct {
	dimension, value int
	name             string
}

// hidden is the number of the last dimension.
var hidden = len(boardspecs.Dimensions)

func features() (list []feature) {
	for d, dimension := range boardspecs.Dimensions {
		for v, value := range dimension.Values {
			name := dimension.Name + " " + value.Name
			if d < 2 { // place and operator
				name = value.Name
			}
			list = append(list, feature{d, v, name})
		}
	}
	return append(list, feature{hidden, 0, "hidden no"}, feature{hidden, 1, "hidden yes"})
}

// isOf reports whether a run has the feature.
func (f feature) isOf(run script.MixedRun) bool {
	if f.dimension == hidden {
		return run.Hidden == (f.value == 1)
	}
	return int(run.Combination[f.dimension]) == f.value
}

// writeCombinations writes how many runs have each two features, how many combinations they have in all,
// and why others are refused.
func writeCombinations(out io.Writer, counts map[script.MixedRun]int) {
	all := features()
	possible := map[script.MixedRun]int{}
	refused := 0
	for c, err := range boardspecs.Combinations {
		if err != nil {
			refused++
			continue
		}
		possible[script.MixedRun{Combination: c}], possible[script.MixedRun{Combination: c, Hidden: true}] = 1, 1
	}
	least := math.MaxInt
	for _, dimensions := range [][2]int{{0, 1}, {2, 4}, {5, hidden - 1}} { // so that the tables are not too wide
		columns := slices.DeleteFunc(slices.Clone(all), func(f feature) bool { return f.dimension < dimensions[0] || f.dimension > dimensions[1] })
		least = min(least, writePairs(out, columns, all, counts, possible))
	}
	runs := 0
	combinations := map[boardspecs.Combination]bool{}
	for run, n := range counts {
		runs += n
		combinations[run.Combination] = true
	}
	fmt.Fprintf(out, "%s of %s of %s combinations that are allowed, of %s with and without hidden members; each two features in %s at least\n\n",
		numbers.Plural(runs, "run"), numbers.Count(len(combinations)), numbers.Count(len(possible)/2),
		numbers.Count(len(counts))+" of "+numbers.Count(len(possible)), numbers.Plural(least, "run"))
	t := newTable(out, 2, "why Define refuses "+numbers.Plural(refused, "combination"), "combinations")
	for _, reason := range slices.Sorted(maps.Keys(boardspecs.Reasons())) {
		t.AppendRow(table.Row{reason, numbers.Count(boardspecs.Reasons()[reason])})
	}
	t.Render()
}

// writePairs writes a table with a column for each of some features, and a row for each feature of a
// later dimension. It returns the least of its counts.
func writePairs(out io.Writer, columns, all []feature, counts, possible map[script.MixedRun]int) (least int) {
	head := []any{""}
	for _, f := range columns {
		head = append(head, f.name)
	}
	t := newTable(out, 2, head...)
	least = math.MaxInt
	for _, f := range all {
		if f.dimension <= columns[0].dimension {
			continue
		}
		row := table.Row{f.name}
		for _, c := range columns {
			switch n := count(counts, f, c); {
			case f.dimension <= c.dimension:
				row = append(row, "")
			case count(possible, f, c) == 0:
				row = append(row, "-")
			default:
				row, least = append(row, numbers.Count(n)), min(least, n)
			}
		}
		t.AppendRow(row)
	}
	t.Render()
	fmt.Fprintln(out)
	return least
}

// count adds up the counts of the runs that have two features.
func count(counts map[script.MixedRun]int, a, b feature) (n int) {
	for run, times := range counts {
		if a.isOf(run) && b.isOf(run) {
			n += times
		}
	}
	return n
}
