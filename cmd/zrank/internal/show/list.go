package show

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
)

// List describes how to write items of type T, one line each.
type List[T any] struct {
	Columns []string
	Right   []int                              // numbers of the columns, from 1, that a table aligns to the right
	Cells   func(item T, people bool) []string // one for each column, for people or for programs
	Empty   string                             // the line in place of an empty table
}

// Write writes all items. Without any, CSV has its header, JSON nothing and a table the line Empty. O(items).
func (l List[T]) Write(w io.Writer, f Format, items []T) error {
	switch f {
	case JSON:
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		for _, item := range items {
			if err := enc.Encode(item); err != nil {
				return err
			}
		}
		return nil
	case CSV:
		out := csv.NewWriter(w)
		out.Write(l.Columns)
		for _, item := range items {
			out.Write(l.Cells(item, false))
		}
		out.Flush()
		return out.Error()
	}
	if len(items) == 0 {
		_, err := fmt.Fprintln(w, Printable(l.Empty))
		return err
	}
	t := NewTable(line(l.Columns), l.Right...)
	for _, item := range items {
		t.AppendRow(line(l.Cells(item, true)))
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

// line returns the cells of a line, escaped so that no text breaks the table.
func line(cells []string) table.Row {
	row := table.Row{}
	for _, cell := range cells {
		row = append(row, Printable(cell))
	}
	return row
}
