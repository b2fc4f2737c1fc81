package move

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board/cluster"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
)

// options are the flags of the command.
type options struct {
	from, to string
	cluster  cluster.Options
	partial  bool
	abort    bool
	format   show.Format
}

// moved is a line that the command writes.
type moved struct {
	Board   string   `json:"board"`
	Periods int      `json:"periods"`
	Entries int      `json:"entries"`
	Waited  int      `json:"waited"` // changes that were copied while further ones waited
	Seconds float64  `json:"seconds"`
	LeftOut []string `json:"left_out,omitempty"`
}

var movedList = show.List[moved]{
	Columns: []string{"board", "periods", "entries", "changes at the switch", "seconds", "left behind"},
	Right:   []int{2, 3, 4, 5},
	Cells: func(m moved, _ bool) []string {
		return []string{show.Printable(m.Board), fmt.Sprint(m.Periods), fmt.Sprint(m.Entries), fmt.Sprint(m.Waited), fmt.Sprintf("%.3f", m.Seconds), strings.Join(m.LeftOut, ", ")}
	},
	Empty:  "no boards",
	Sparse: true,
}

// each moves boards, one after the other, up to the first error. It returns those that have moved.
func each(names []string, one func(name string) (moved, error)) (all []moved, err error) {
	for _, name := range names {
		m, err := one(name)
		if err != nil {
			return all, fmt.Errorf("%s: %w", show.Printable(name), err)
		}
		all = append(all, m)
	}
	return all, nil
}

// write writes what has been moved, also before an error.
func (o *options) write(c *cobra.Command, all []moved, err error) error {
	if o.abort || len(all) == 0 && err != nil {
		return err
	}
	return errors.Join(err, movedList.Write(c.OutOrStdout(), o.format, all))
}
