package show

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/zrankdb/zrank/board"
)

// ErrClosed is returned by Write after Close.
var ErrClosed = errors.New("show: writer is closed")

// Row is one line of a ranking. Its field order is the column order of CSV and the key order of JSON.
type Row struct {
	Board  string      `json:"board"`
	Window string      `json:"window"`
	Period string      `json:"period"`
	Rank   int         `json:"rank"`             // 1 is the best
	Within int         `json:"within,omitempty"` // how far the true rank may be from Rank
	Beyond bool        `json:"beyond,omitempty"` // the member is not among the best Rank - 1, which alone have ranks
	Member string      `json:"member"`
	Hex    string      `json:"memberHex,omitempty"` // of a member that is not UTF-8; Write sets it
	Score  board.Score `json:"score"`               // a number, or an array of the columns' numbers
	Was    int         `json:"was,omitempty"`       // the earlier rank; 0: none
}

// Layout describes all rankings of a Writer.
type Layout struct {
	Columns []string // the names of all columns of scores; CSV leaves those empty that a board does not have
	Was     bool     // rows have Was
}

// Writer writes rankings one after the other.
type Writer struct {
	out    *bufio.Writer
	format Format
	layout Layout
	csv    *csv.Writer
	json   *json.Encoder
	tables int  // number written so far; counted for tables only
	begun  bool // the CSV header has been written
	closed bool
}

// New returns a Writer to w. It buffers within one Write and never closes w.
func New(w io.Writer, f Format, l Layout) *Writer {
	out := bufio.NewWriter(w)
	s := &Writer{out: out, format: f, layout: l, csv: csv.NewWriter(out), json: json.NewEncoder(out)}
	s.json.SetEscapeHTML(false)
	return s
}

// Write writes one ranking, best first, and flushes it. columns are the columns of its scores, which the layout must have. The title stands
// above a table; the other formats do not use it, since each of their rows has board, window and period. O(len(rows)).
func (s *Writer) Write(title string, columns []string, rows []Row) error {
	if s.closed {
		return ErrClosed
	}
	var err error
	switch s.format {
	case CSV:
		err = s.writeCSV(columns, rows)
	case JSON:
		err = s.writeJSON(rows)
	default:
		err = s.writeTable(title, columns, rows)
	}
	if err != nil {
		return err
	}
	return s.out.Flush()
}

// Close flushes. CSV has its header line even if no ranking was written. Calling Close again does nothing.
func (s *Writer) Close() error {
	if s.closed {
		return nil
	}
	if s.format == CSV {
		if err := s.Write("", nil, nil); err != nil {
			return err
		}
	}
	s.closed = true
	return s.out.Flush()
}

// writeCSV writes the header, if it is the first ranking, and a line for each row.
func (s *Writer) writeCSV(columns []string, rows []Row) error {
	if !s.begun {
		s.begun = true
		header := append([]string{"board", "window", "period", "rank", "member"}, s.layout.Columns...)
		if s.layout.Was {
			header = append(header, "was")
		}
		s.csv.Write(header)
	}
	// The csv.Writer keeps its first error for Error.
	for _, r := range rows {
		cells := []string{r.Board, r.Window, r.Period, r.RankText(), r.Member}
		for _, name := range s.layout.Columns {
			cell := ""
			if i := slices.Index(columns, name); i >= 0 {
				cell = r.Score.At(i).String()
			}
			cells = append(cells, cell)
		}
		if s.layout.Was {
			cells = append(cells, number(r.Was))
		}
		s.csv.Write(cells)
	}
	s.csv.Flush()
	return s.csv.Error()
}

// number writes a number; "" for 0.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func (s *Writer) writeJSON(rows []Row) error {
	for _, r := range rows {
		r.Hex = Hex(r.Member)
		if err := s.json.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// writeTable writes the title and a table of the rows, after an empty line if it is not the first table.
func (s *Writer) writeTable(title string, columns []string, rows []Row) error {
	if s.tables > 0 {
		s.out.WriteByte('\n')
	}
	s.tables++
	s.out.WriteString(Printable(title))
	s.out.WriteByte('\n')
	if len(rows) == 0 {
		_, err := s.out.WriteString(" nobody is ranked here yet\n")
		return err
	}
	header := table.Row{"rank", "member"}
	for _, name := range columns {
		header = append(header, Printable(name))
	}
	if s.layout.Was {
		header = append(header, "up")
	}
	t := NewTable(header, 1, 3, 4, 5, 6, 7)
	for _, r := range rows {
		line := table.Row{r.RankText(), Name(r.Member)}
		for i := range columns {
			line = append(line, r.Score.At(i).String())
		}
		if s.layout.Was {
			line = append(line, r.up())
		}
		t.AppendRow(line)
	}
	s.out.WriteString(t.Render())
	return s.out.WriteByte('\n')
}

// RankText returns the rank as text: a number, or that of a member that is not among the best.
func (r Row) RankText() string {
	row := board.Row{Rank: r.Rank, Within: r.Within}
	if r.Beyond {
		row.Within = board.Unknown
	}
	return row.RankText()
}

// up writes the change of the rank.
func (r Row) up() string {
	switch up := r.Was - r.Rank; {
	case r.Was == 0:
		return "new"
	case up > 0:
		return fmt.Sprintf("↑%d", up)
	case up < 0:
		return fmt.Sprintf("↓%d", -up)
	}
	return "="
}

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
