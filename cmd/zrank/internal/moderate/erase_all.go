package moderate

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

// eraseAll erases a member from all boards and stored unions. After an error it writes the receipt of what is erased.
func (v *verb) eraseAll(c *cobra.Command, args []string) error {
	f, names, err := v.parse(args)
	if err != nil {
		return err
	}
	return v.at.Open(func(d target.Boards) error {
		all, err := target.All(c.Context(), d)
		if err != nil {
			return err
		}
		stop := watch(c.Context(), c.ErrOrStderr(), all)
		r, err := d.Erase(c.Context(), names[0], v.action)
		stop()
		if err != nil && len(r.Boards)+len(r.Unions) == 0 {
			return err
		}
		if failed := v.writeReceipt(c.OutOrStdout(), f, names, r); err == nil {
			err = failed
		}
		return err
	})
}

// writeReceipt writes what an erasure from all boards has erased.
func (v *verb) writeReceipt(w io.Writer, f show.Format, names []string, r board.Erased) error {
	boards := slices.Sorted(maps.Keys(r.Boards))
	switch f {
	case show.JSON:
		return show.List[board.Erased]{}.Write(w, f, []board.Erased{r})
	case show.CSV:
		var lines []erased
		for _, name := range boards {
			lines = append(lines, erasedOf(name, r.Boards[name])...)
		}
		for _, name := range r.Unions {
			lines = append(lines, erased{kind: "union", name: name, count: 1})
		}
		return erasedList.Write(w, f, lines)
	}
	for _, name := range boards {
		if err := v.write(w, f, name, names, outcome{Moderated: r.Boards[name]}); err != nil {
			return err
		}
	}
	text := v.did
	if v.action.DryRun {
		text = v.would + " (dry run)"
	}
	for _, name := range r.Unions {
		if _, err := fmt.Fprintf(w, "stored union %s · %s %s\n", show.Printable(name), show.Name(names[0]), text); err != nil {
			return err
		}
	}
	if len(boards)+len(r.Unions) > 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "no board has %s\n", show.Name(names[0]))
	return err
}
