package show

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/boardjson"
)

// ErrClosed is returned by Write after Close.
var ErrClosed = errors.New("show: writer is closed")

// Row is one line of a ranking: a row with the ranking that it is of. Its JSON is that of a board.Row, with board, window and period before it.
type Row struct {
	Board  string `json:"board"`
	Window string `json:"window"`
	Period string `json:"period"`
	board.Row
	Local int `json:"local,omitempty"` // the rank among the members of the ranking that are shown; 0: none
	Was   int `json:"was,omitempty"`   // the earlier rank; 0: none
}

// AppendJSON appends what MarshalJSON returns.
func (r *Row) AppendJSON(dst []byte) ([]byte, error) {
	dst, err := boardjson.Append(dst, r)
	if err != nil || !r.Beyond || r.Within == board.Unknown {
		return dst, err
	}
	dst = boardjson.AppendName(append(dst[:len(dst)-1], ','), "within")
	return append(strconv.AppendInt(dst, int64(r.Within), 10), '}'), nil
}

// MarshalJSON implements json.Marshaler.
func (r Row) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Row) UnmarshalJSON(b []byte) error { return boardjson.Read(b, r) }

// Layout describes all rankings of a Writer.
type Layout struct {
	Columns []string // the names of all columns of scores; CSV leaves those empty that a board does not have
	Local   bool     // rows have Local
	Was     bool     // rows have Was
}

// Writer writes rankings one after the other.
type Writer struct {
	out    *bufio.Writer
	format Format
	layout Layout
	csv    *csv.Writer
	tables int  // number written so far; counted for tables only
	begun  bool // the CSV header has been written
	closed bool
}

// New returns a Writer to w. It buffers within one Write and never closes w.
func New(w io.Writer, f Format, l Layout) *Writer {
	out := bufio.NewWriter(w)
	return &Writer{out: out, format: f, layout: l, csv: csv.NewWriter(out)}
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
		header := append(s.withLocal([]string{"board", "window", "period"}, "local"), append([]string{"rank", "member"}, s.layout.Columns...)...)
		if s.layout.Was {
			header = append(header, "was")
		}
		s.csv.Write(header)
	}
	// The csv.Writer keeps its first error for Error.
	for _, r := range rows {
		cells := append(s.withLocal([]string{r.Board, r.Window, r.Period}, Number(r.Local)), r.RankText(), r.Member)
		for _, name := range s.layout.Columns {
			cell := ""
			if i := slices.Index(columns, name); i >= 0 {
				cell = r.Score.At(i).String()
			}
			cells = append(cells, cell)
		}
		if s.layout.Was {
			cells = append(cells, Number(r.Was))
		}
		s.csv.Write(cells)
	}
	s.csv.Flush()
	return s.csv.Error()
}

// withLocal appends the cell of Local, if rows have it.
func (s *Writer) withLocal(cells []string, local string) []string {
	if s.layout.Local {
		cells = append(cells, local)
	}
	return cells
}

func (s *Writer) writeJSON(rows []Row) error {
	for _, r := range rows {
		if err := writeLine(s.out, r); err != nil {
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
		_, err := s.out.WriteString(" nobody is ranked here\n")
		return err
	}
	header, right := line(s.withLocal(nil, "local")), []int{1, 3, 4, 5, 6, 7}
	if header != nil {
		right = []int{1, 2, 4, 5, 6, 7, 8}
	}
	header = append(header, "rank", "member")
	for _, name := range columns {
		header = append(header, Printable(name))
	}
	if s.layout.Was {
		header = append(header, "up")
	}
	t := NewTable(header, right...)
	for _, r := range rows {
		cells := append(line(s.withLocal(nil, Number(r.Local))), r.RankText(), Name(r.Member))
		for i := range columns {
			cells = append(cells, r.Score.At(i).String())
		}
		if s.layout.Was {
			cells = append(cells, r.up())
		}
		t.AppendRow(cells)
	}
	s.out.WriteString(t.Render())
	return s.out.WriteByte('\n')
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
