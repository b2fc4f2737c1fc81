package verbs

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
)

// write writes a result: rows as a ranking, a list a line for each of its elements, and what is one object as one line.
func (o *output) write(result any) error {
	switch x := result.(type) {
	case ops.None:
		return nil
	case ops.Rows:
		return o.writeRows(datadir.Shown(o.info, x.Rows), show.Layout{}, "")
	case ops.Own:
		return o.writeRows(datadir.Shown(o.info, []board.Row{x.Row}), show.Layout{}, "")
	case ops.PageOf:
		if o.format != show.JSON {
			return o.writePage(x)
		}
	case ops.Submitted:
		if o.format != show.JSON {
			return o.writeSubmitted(x)
		}
	case ops.Standings:
		return o.writeStandings(x)
	case []kind:
		return o.writeLines(elements(reflect.ValueOf(x), ""))
	case []ofBoard:
		return o.writeOfBoards(x)
	}
	if list, name, ok := listIn(result); ok && (o.format != show.JSON || isAlone(result)) {
		return o.writeLines(elements(list, name))
	}
	return o.writeLines([]any{result}, result)
}

// writePage writes the rows of a page and, for people, how to go on behind them.
func (o *output) writePage(p ops.PageOf) error {
	if err := o.write(p.Rows); err != nil || p.Done || o.format != show.Table {
		return err
	}
	_, err := fmt.Fprintf(o.OutOrStdout(), " more: --cursor %s\n", p.Next)
	return err
}

// moved is what a submission did in a window.
type moved struct {
	board.Move
	Duplicate bool `json:"duplicate,omitempty"`
	Skipped   bool `json:"skipped,omitempty"`
}

// writeSubmitted writes what a submission did, a line for each window.
func (o *output) writeSubmitted(s ops.Submitted) error {
	var lines []any
	for _, m := range append([]board.Move{s.Move}, s.Others...) {
		lines = append(lines, moved{m, s.Duplicate, s.Skipped})
	}
	return o.writeLines(lines, moved{})
}

// writeRows writes rows of the ranking. more follows its name in the title.
func (o *output) writeRows(rows []show.Row, l show.Layout, more string) error {
	l.Columns = datadir.ColumnNames(o.named[0].Spec())
	w := show.New(o.OutOrStdout(), o.format, l)
	if err := w.Write(show.Title(o.info.Board, o.info.Window, o.info.Period)+more, l.Columns, rows); err != nil {
		return err
	}
	return w.Close()
}

// writeStandings writes members among themselves.
func (o *output) writeStandings(s ops.Standings) error {
	rows := make([]show.Row, len(s.Rows))
	for i, row := range s.Rows {
		rows[i] = show.Row{Board: o.info.Board, Window: o.info.Window, Period: o.info.Period, Row: row.Row, Local: row.Local}
	}
	return o.writeRows(rows, show.Layout{Local: true}, "")
}

// ofBoard is the result of an operation on one of all boards.
type ofBoard struct {
	board  string
	result any
}

// writeOfBoards writes lists of several boards, whose lines begin with the name of the board.
func (o *output) writeOfBoards(all []ofBoard) error {
	var lines []any
	list, name, _ := listIn(reflect.Zero(o.op.Result()).Interface())
	_, like := elements(list, name)
	for _, x := range all {
		list, name, _ := listIn(x.result)
		of, _ := elements(list, name)
		for _, element := range of {
			lines = append(lines, line{x.board, element})
		}
	}
	return o.writeLines(lines, line{"", like})
}

// elements returns the elements of a list, and one that is like them. Texts become objects with one field, which has the name of the list without its s.
func elements(list reflect.Value, name string) (all []any, like any) {
	object := func(x reflect.Value) any {
		if x.Kind() == reflect.String {
			return text{strings.TrimSuffix(name, "s"), x.String()}
		}
		return x.Interface()
	}
	for i := range list.Len() {
		all = append(all, object(list.Index(i)))
	}
	return all, object(reflect.Zero(list.Type().Elem()))
}

// listIn returns the list of a result of package ops, and its name.
func listIn(result any) (list reflect.Value, name string, ok bool) {
	v := reflect.ValueOf(result)
	if !isOfOps(v) {
		return v, "", false
	}
	for _, f := range ops.FieldsOf(v.Type()) {
		if x := v.FieldByIndex(f.Index); x.Kind() == reflect.Slice && x.Type() != reflect.TypeFor[[]byte]() {
			return x, f.Name, true
		}
	}
	return v, "", false
}

// isAlone reports whether a result is a list and says nothing else but the period and whether there is more.
func isAlone(result any) bool {
	fields := ops.FieldsOf(reflect.TypeOf(result))
	return len(slices.DeleteFunc(fields, func(f ops.Field) bool { return f.Name == "period" || f.Name == "more" })) == 1
}

// kind is a kind of groups.
type kind struct {
	Kind    string `json:"kind"`
	Groups  int    `json:"groups"`
	Members int    `json:"members"` // of all groups
}
