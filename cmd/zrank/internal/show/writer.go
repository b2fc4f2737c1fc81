package show

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// ErrClosed is returned by Write after Close.
var ErrClosed = errors.New("show: writer is closed")

// Row is one line of a ranking. Its field order is the column order of CSV and the key order of JSON.
type Row struct {
	Board  string  `json:"board"`
	Window string  `json:"window"`
	Period string  `json:"period"`
	Rank   int     `json:"rank"` // 1 is the best
	Member string  `json:"member"`
	Score  float64 `json:"score"`
}

// Writer writes rankings one after the other.
type Writer struct {
	out    *bufio.Writer
	format Format
	csv    *csv.Writer
	json   *json.Encoder
	tables int  // written so far, counted for tables only
	begun  bool // the CSV header is out
	closed bool
}

// New returns a Writer to w. It buffers within one Write and never closes w.
func New(w io.Writer, f Format) *Writer {
	out := bufio.NewWriter(w)
	s := &Writer{out: out, format: f, csv: csv.NewWriter(out), json: json.NewEncoder(out)}
	s.json.SetEscapeHTML(false)
	return s
}

// Write writes one ranking, best first, and flushes it. The title stands above a table; the other formats have all of it in
// every row. JSON has no NaN and no infinity: such a score is an error. O(len(rows)).
func (s *Writer) Write(title string, rows []Row) error {
	if s.closed {
		return ErrClosed
	}
	var err error
	switch s.format {
	case CSV:
		err = s.writeCSV(rows)
	case JSON:
		err = s.writeJSON(rows)
	default:
		err = s.writeTable(title, rows)
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
		if err := s.Write("", nil); err != nil {
			return err
		}
	}
	s.closed = true
	return s.out.Flush()
}

func (s *Writer) writeCSV(rows []Row) error {
	if !s.begun {
		s.begun = true
		s.csv.Write([]string{"board", "window", "period", "rank", "member", "score"})
	}
	// The csv.Writer keeps its first error for Error.
	for _, r := range rows {
		s.csv.Write([]string{r.Board, r.Window, r.Period, strconv.Itoa(r.Rank), r.Member, Score(r.Score)})
	}
	s.csv.Flush()
	return s.csv.Error()
}

func (s *Writer) writeJSON(rows []Row) error {
	for _, r := range rows {
		if r.Score == 0 {
			r.Score = 0 // -0 is 0
		}
		if err := s.json.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

func (s *Writer) writeTable(title string, rows []Row) error {
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
	t := table.NewWriter()
	t.SetStyle(calm())
	t.SuppressTrailingSpaces()
	t.SetColumnConfigs([]table.ColumnConfig{
		{Number: 1, Align: text.AlignRight, AlignHeader: text.AlignRight},
		{Number: 3, Align: text.AlignRight, AlignHeader: text.AlignRight},
	})
	t.AppendHeader(table.Row{"rank", "member", "score"})
	for _, r := range rows {
		t.AppendRow(table.Row{r.Rank, Printable(r.Member), Score(r.Score)})
	}
	s.out.WriteString(t.Render())
	return s.out.WriteByte('\n')
}

// calm is a table with one line under its header and no others.
func calm() table.Style {
	style := table.StyleLight
	style.Options = table.OptionsNoBordersAndSeparators
	style.Options.SeparateHeader = true
	return style
}
