package replay

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/cmd/zrank/internal/feed"
	"github.com/zrankdb/zrank/cmd/zrank/internal/specs"
	"github.com/zrankdb/zrank/internal/numbers"
)

// faultOf returns the fault of a row that its board refuses.
func faultOf(err error) events.Fault {
	_, text, found := strings.Cut(feed.RefusalOf(err).Error(), ": ")
	if !found {
		text = feed.RefusalOf(err).Error()
	}
	return events.Fault(text)
}

// expected are the faults of rows that the specs exclude on purpose.
var expected = []events.Fault{faultOf(specs.ErrNoBoard), faultOf(board.ErrOutside)}

// refused counts bad rows by fault.
type refused struct {
	rows   int64
	files  []string // in the order in which they were read
	faults []faultCount
}

type faultCount struct {
	fault events.Fault
	rows  int64
	file  int // index of the file of the first such row
	line  int
}

// add counts a row. Rows of one file may come in any order, files come one after the other.
func (r *refused) add(bad *events.BadRowError) {
	r.rows++
	if n := len(r.files); n == 0 || r.files[n-1] != bad.File {
		r.files = append(r.files, bad.File)
	}
	i := slices.IndexFunc(r.faults, func(f faultCount) bool { return f.fault == bad.Fault })
	if i < 0 {
		r.faults = append(r.faults, faultCount{bad.Fault, 1, len(r.files) - 1, bad.Line})
		return
	}
	r.faults[i].rows++
}

// write writes the number of refused rows, and for each fault the first row.
func (r *refused) write(w io.Writer) {
	if r.rows == 0 {
		return
	}
	slices.SortFunc(r.faults, func(a, b faultCount) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line)) })
	texts := make([]string, len(r.faults))
	for i, f := range r.faults {
		first := "first "
		if f.rows == 1 {
			first = ""
		}
		texts[i] = fmt.Sprintf("%s %s (%s%s:%d)", numbers.Count(f.rows), f.fault, first, r.files[f.file], f.line)
	}
	fmt.Fprintf(w, "%s refused: %s\n", numbers.Plural(int(r.rows), "row"), strings.Join(texts, ", "))
}

// tail counts the rows of an input that were refused after the last one that was applied.
type tail struct {
	refused int64
	line    int  // of the last row that was applied; 0: none in this run
	any     bool // a row was applied, in this run or before
}

// maxTail is the most rows at the end of an input that may be refused in a replay that succeeds.
const maxTail = 9

// add counts refused rows, unless the specs exclude such rows.
func (t *tail) add(fault events.Fault, rows int64) {
	if !slices.Contains(expected, fault) {
		t.refused += rows
	}
}

// taken starts the count again after a row that was applied.
func (t *tail) taken(line int) { *t = tail{line: line, any: true} }

// refusedError is the error of an input whose last rows, or all of them, were refused. The other rows are stored.
type refusedError struct{ error }

// err returns a refusedError, or nil.
func (t *tail) err(path string) error {
	rows := numbers.Plural(int(t.refused), "row")
	switch {
	case t.refused > 0 && !t.any:
		return refusedError{fmt.Errorf("%s: all %s were refused", path, rows)}
	case t.refused > maxTail && t.line > 0:
		return refusedError{fmt.Errorf("%s: all %s after line %d were refused", path, rows, t.line)}
	case t.refused > maxTail:
		return refusedError{fmt.Errorf("%s: all %s from where it was to go on were refused", path, rows)}
	}
	return nil
}

// advice says what to do about a score of the wrong kind.
func advice(err error) error {
	return fmt.Errorf("%w; --column NAME:float64, or \"kind\": \"float64\" or enough \"decimals\" in a spec, takes fractions", err)
}
