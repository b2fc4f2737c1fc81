package show

import (
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// NewTable returns a table in the house style: one line under its header and no others. It aligns the columns with the given numbers,
// from 1, to the right.
func NewTable(header table.Row, right ...int) table.Writer {
	t := table.NewWriter()
	style := table.StyleLight
	style.Options = table.OptionsNoBordersAndSeparators
	style.Options.SeparateHeader = true
	t.SetStyle(style)
	t.SuppressTrailingSpaces()
	var configs []table.ColumnConfig
	for _, n := range right {
		configs = append(configs, table.ColumnConfig{Number: n, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(configs)
	t.AppendHeader(header)
	return t
}

// line returns the cells of a line, escaped so that no text breaks the table.
func line(cells []string) table.Row {
	var row table.Row
	for _, cell := range cells {
		row = append(row, Printable(cell))
	}
	return row
}

// Number returns the text of a number; "" for 0.
func Number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
