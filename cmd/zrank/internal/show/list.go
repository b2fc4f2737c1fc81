package show

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"iter"
)

// List describes how to write items of type T, one line each.
type List[T any] struct {
	Columns []string
	Right   []int                              // numbers of the columns, from 1, that a table aligns to the right
	Cells   func(item T, people bool) []string // one for each column, for people or for programs
	Empty   string                             // the line in place of an empty table
	Sparse  bool                               // a table leaves out the columns that are empty in all lines
}

// Write writes all items. Without any, CSV has its header, JSON nothing and a table the line Empty. O(items).
func (l List[T]) Write(w io.Writer, f Format, items []T) error {
	return l.WriteAll(w, f, func(yield func(T, error) bool) {
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
	})
}

// WriteAll is Write for items that may be too many for memory: only a table has them all there. It stops at the first error.
func (l List[T]) WriteAll(w io.Writer, f Format, items iter.Seq2[T, error]) error {
	switch f {
	case JSON:
		return writeLines(w, items)
	case CSV:
		return l.writeCSV(w, items)
	}
	t := NewTable(line(l.Columns), l.Right...)
	for item, err := range items {
		if err != nil {
			return err
		}
		t.AppendRow(line(l.Cells(item, true)))
	}
	if l.Sparse {
		t.SuppressEmptyColumns()
	}
	text := t.Render()
	if t.Length() == 0 {
		text = Printable(l.Empty)
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

// writeLines writes a JSON object for each item.
func writeLines[T any](w io.Writer, items iter.Seq2[T, error]) error {
	out := bufio.NewWriter(w)
	for item, err := range items {
		if err == nil {
			err = writeLine(out, item)
		}
		if err != nil {
			return err
		}
	}
	return out.Flush()
}

func (l List[T]) writeCSV(w io.Writer, items iter.Seq2[T, error]) error {
	out := csv.NewWriter(w)
	out.Write(l.Columns)
	for item, err := range items {
		if err != nil {
			return err
		}
		if err := out.Write(l.Cells(item, false)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
