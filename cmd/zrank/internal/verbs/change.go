package verbs

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/internal/numbers"
)

// change is what an operation has changed of a member, or would change.
type change struct {
	board.Moderated
	rows []uint64 // of the journal, that a revert has reverted
	dry  bool     // nothing has changed
	text string   // what has become of the member, or would
	to   string   // the name of the other member, or of the tier
}

// writeChange writes the result of a change of a member. A table has a line with the numbers above it.
func (o *output) writeChange(result any, did, would string) error {
	if o.format == show.JSON {
		return o.writeLines([]any{result}, result)
	}
	c := change{text: did, to: cmp.Or(show.Name(o.text("to")), show.Printable(o.text("tier")))}
	if c.dry, _ = o.value("dryRun").(bool); c.dry {
		c.text = would
	}
	switch r := result.(type) {
	case board.Moderated:
		c.Moderated = r
	case board.Reverted:
		c.Moderated, c.rows = board.Moderated{Entry: r.Entry, Places: r.Places}, r.Rows
	case ops.Entry:
		c.Entry = r.Entry
	case board.Banned:
		return o.writeBanned(r, c)
	case board.Erased:
		return o.writeErased(r, c)
	default:
		return o.write(result)
	}
	return o.writeChanged(o.named[0].Name(), c)
}

// writeChanged writes a change on one board.
func (o *output) writeChanged(name string, c change) error {
	w := o.OutOrStdout()
	if o.format == show.Table {
		if _, err := fmt.Fprintln(w, c.title(name, o.member())); err != nil || len(c.Places)+len(c.Traces) == 0 {
			return err
		}
	}
	if o.Name() == "erase" {
		return erasedList.Write(w, o.format, erasedOf(name, c.Moderated))
	}
	return o.placesOf(name).Write(w, o.format, c.Places)
}

// placesOf returns how places on a board are written.
func (o *output) placesOf(name string) show.List[board.Place] {
	i := slices.IndexFunc(o.named, func(b board.Board) bool { return b.Name() == name })
	return placeList(datadir.ColumnNames(o.named[max(i, 0)].Spec()))
}

// value returns the argument of the operation with a name, nil if it has none.
func (o *output) value(name string) any {
	if p := named(ops.ArgumentsOf(o.op.Args()), name); p != nil {
		return p.Value(o.args)
	}
	return nil
}

// text returns an argument that is a text, "" if there is none.
func (o *output) text(name string) string {
	text, _ := o.value(name).(string)
	return text
}

// member returns the name of the member that an operation is about.
func (o *output) member() string { return o.text("member") }

// title returns the line above a table.
func (c *change) title(name, member string) string {
	is, end := c.text, fmt.Sprintf("; entry %d of the audit log", c.Entry)
	if c.dry {
		end = " (dry run)"
	} else if c.Entry == 0 {
		end = ""
	}
	if c.to != "" {
		is += " " + c.to
	}
	text := fmt.Sprintf("%s · %s %s: %s", show.Printable(name), show.Name(member), is, numbers.Plural(len(c.Places), "place"))
	if c.rows != nil {
		text += ", " + numbers.Plural(len(c.rows), "row") + " of the journal"
	}
	if c.Awards > 0 {
		text += ", " + numbers.Plural(c.Awards, "award") + " withheld"
	}
	if c.Hash != "" {
		end += " has " + c.Hash[:min(len(c.Hash), 12)] + " for the name"
	}
	return text + end
}

// writeErased writes the receipts of an erasure from all boards.
func (o *output) writeErased(r board.Erased, c change) error {
	boards, w := slices.Sorted(maps.Keys(r.Boards)), o.OutOrStdout()
	if o.format == show.CSV {
		var lines []erased
		for _, name := range boards {
			lines = append(lines, erasedOf(name, r.Boards[name])...)
		}
		for _, name := range r.Unions {
			lines = append(lines, erased{kind: "union", name: name, count: 1})
		}
		for _, name := range r.Groups {
			lines = append(lines, erased{kind: "groups", name: name, count: 1})
		}
		return erasedList.Write(w, o.format, lines)
	}
	for _, name := range boards {
		c.Moderated = r.Boards[name]
		if err := o.writeChanged(name, c); err != nil {
			return err
		}
	}
	return o.writeErasedElsewhere(w, r, c)
}

// writeErasedElsewhere writes from which stored unions and kinds of groups a member was erased, and that nothing had it.
func (o *output) writeErasedElsewhere(w io.Writer, r board.Erased, c change) error {
	if c.dry {
		c.text += " (dry run)"
	}
	list := func(of string, names []string) (err error) {
		for i := 0; i < len(names) && err == nil; i++ {
			_, err = fmt.Fprintf(w, "%s %s · %s %s\n", of, show.Printable(names[i]), show.Name(o.member()), c.text)
		}
		return err
	}
	if len(r.Boards)+len(r.Unions)+len(r.Groups) == 0 {
		_, err := fmt.Fprintf(w, "no board has %s\n", show.Name(o.member()))
		return err
	}
	return errors.Join(list("stored union", r.Unions), list("groups", r.Groups))
}

// writeBanned writes the changes of a ban on all boards.
func (o *output) writeBanned(r board.Banned, c change) error {
	for _, name := range slices.Sorted(maps.Keys(r.Boards)) {
		c.Moderated = r.Boards[name]
		if err := o.writeChanged(name, c); err != nil {
			return err
		}
	}
	if o.format != show.Table || len(r.Resettled) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(o.OutOrStdout(), "%s settled again\n", numbers.Plural(len(r.Resettled), "period"))
	return err
}
