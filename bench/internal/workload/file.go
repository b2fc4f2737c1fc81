package workload

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
)

// event is a line of a file.
type event struct {
	board, member string
	value         float64
}

// file is what a file of events has.
type file struct {
	path   string
	adds   bool // values are added, not set
	events []event
	lines  []int // of each event
}

// The columns.
const (
	columnMember, columnBoard = "member", "board"
	columnDelta, columnScore  = "delta", "score"
)

// readFile reads the file of a name as Replay takes it. Errors begin with the file's path.
func readFile(name string) (*file, error) {
	path, query, _ := strings.Cut(name, "?")
	f := &file{path: path}
	renamed, err := url.ParseQuery(query)
	if err == nil {
		err = f.read(renamed)
	}
	var already *os.PathError
	if err != nil && !errors.As(err, &already) {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return f, err
}

func (f *file) read(renamed url.Values) error {
	in, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer in.Close()
	var text io.Reader = in
	if strings.HasSuffix(f.path, ".gz") {
		if text, err = gzip.NewReader(in); err != nil {
			return fmt.Errorf("decompress: %w", err)
		}
	}
	r := csv.NewReader(text)
	r.ReuseRecord = true
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		return errors.New("it is empty; the first line names the columns")
	}
	if err != nil {
		return err
	}
	c, err := f.columns(slices.Clone(header), renamed)
	if err != nil {
		return err
	}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err // it names the line
		}
		line, _ := r.FieldPos(0)
		if err := f.add(record, c, line); err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// columns are indices of fields; board is -1 if there is none.
type columns struct {
	board, member, value int
	name                 string // of value
}

// columns finds them by the header.
func (f *file) columns(header []string, renamed url.Values) (columns, error) {
	header[0] = strings.TrimPrefix(header[0], "\ufeff")
	known := []string{columnMember, columnBoard, columnDelta, columnScore}
	for ours := range renamed {
		if !slices.Contains(known, ours) {
			return columns{}, fmt.Errorf("column %q is none of %s", ours, strings.Join(known, ", "))
		}
		if !slices.Contains(header, renamed.Get(ours)) {
			return columns{}, fmt.Errorf("it has no column %q; there are %s", renamed.Get(ours), strings.Join(header, ", "))
		}
	}
	find := func(name string) int {
		if renamed.Has(name) {
			name = renamed.Get(name)
		}
		return slices.Index(header, name)
	}
	delta, score := find(columnDelta), find(columnScore)
	c := columns{board: find(columnBoard), member: find(columnMember), value: max(delta, score), name: columnScore}
	switch {
	case c.member < 0:
		return c, fmt.Errorf("it has no column %q; there are %s", columnMember, strings.Join(header, ", "))
	case c.value < 0:
		return c, fmt.Errorf("it has no column %q or %q; there are %s", columnDelta, columnScore, strings.Join(header, ", "))
	case delta >= 0 && score >= 0:
		return c, fmt.Errorf("it has both a column %q and a column %q; one of them is needed", columnDelta, columnScore)
	}
	if delta >= 0 {
		f.adds, c.name = true, columnDelta
	}
	return c, nil
}

// add adds the event of a record, whose strings it keeps: the reader cuts them from a new string for each record.
func (f *file) add(record []string, c columns, line int) error {
	e := event{member: record[c.member]}
	if e.member == "" {
		return errors.New("the member is empty")
	}
	if c.board >= 0 {
		e.board = record[c.board]
	}
	var err error
	if e.value, err = strconv.ParseFloat(strings.TrimSpace(record[c.value]), 64); err != nil || e.value-e.value != 0 {
		return fmt.Errorf("the %s %q is not a finite number", c.name, record[c.value])
	}
	if e.value == 0 {
		e.value = math.Abs(e.value) // of -0
	}
	f.events, f.lines = append(f.events, e), append(f.lines, line)
	return nil
}
