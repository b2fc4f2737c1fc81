package live

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/internal/numbers"
	"github.com/zrankdb/zrank/server/resp/replica"
)

// row is something that was left out, or differs.
type row struct {
	What    string `json:"what"`
	N       int64  `json:"n"`
	Example string `json:"example"`
}

var rows = show.List[row]{
	Columns: []string{"left out", "n", "example"},
	Right:   []int{2},
	Cells: func(r row, people bool) []string {
		return []string{show.Printable(r.What), strconv.FormatInt(r.N, 10), show.Printable(r.Example)}
	},
}

// write writes what was copied, what was left out, and what differs.
func write(w io.Writer, r *replica.Report, c *replica.Comparison) error {
	var text strings.Builder
	how := map[bool]string{true: "by replication", false: "by SCAN"}[r.Method == replica.Replication]
	fmt.Fprintf(&text, "%s copied %s, and %s", numbers.Plural(int(r.Keys), "key"), how, numbers.Plural(int(r.Commands), "command"))
	if r.Lost > 0 {
		fmt.Fprintf(&text, "; the connection was lost %s", numbers.Plural(r.Lost, "time"))
	}
	text.WriteString("\n")
	if r.InStep {
		text.WriteString("The directory has everything that the source had when the copy was ended\n")
	} else {
		fmt.Fprintf(&text, "The directory is NOT in step: %s of changes are known to be missing. Run the same command again\n", numbers.Plural(int(r.Lag()), "byte"))
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(&text, "warning: %s\n", show.Printable(warning))
	}
	if _, err := io.WriteString(w, text.String()); err != nil {
		return err
	}
	var left []row
	for _, x := range []struct {
		kind string
		of   map[string]replica.Tally
	}{{"keys of type ", r.Types}, {"command ", r.Commanded}} {
		for _, name := range slices.Sorted(maps.Keys(x.of)) {
			left = append(left, row{x.kind + name, x.of[name].N, x.of[name].Example})
		}
	}
	if n := r.Unkeyed.Functions; n > 0 {
		left = append(left, row{What: "libraries of functions", N: int64(n)})
	}
	if n := r.Unkeyed.ModuleAux; n > 0 {
		left = append(left, row{What: "data of modules without a key", N: int64(n)})
	}
	if len(left) > 0 {
		if err := rows.Write(w, show.Table, left); err != nil {
			return err
		}
	}
	return writeComparison(w, c)
}

func writeComparison(w io.Writer, c *replica.Comparison) error {
	if c == nil {
		return nil
	}
	if len(c.Differences) == 0 && c.Keys == 1 {
		_, err := io.WriteString(w, "Compared: the only key is the same\n")
		return err
	}
	if len(c.Differences) == 0 {
		_, err := fmt.Fprintf(w, "Compared: all %s are the same\n", numbers.Plural(int(c.Keys), "key"))
		return err
	}
	var text strings.Builder
	all, differ := int64(len(c.Differences))+c.More, "differ"
	if all == 1 {
		differ = "differs"
	}
	fmt.Fprintf(&text, "Compared: %s of %s %s:\n", numbers.Count(all), numbers.Plural(int(c.Keys), "key"), differ)
	for _, d := range c.Differences {
		fmt.Fprintf(&text, "  database %d, %s: %s\n", d.DB, show.Printable(d.Key), d.Why)
	}
	if c.More > 0 {
		fmt.Fprintf(&text, "  and %s more\n", numbers.Count(c.More))
	}
	_, err := io.WriteString(w, text.String())
	return err
}
