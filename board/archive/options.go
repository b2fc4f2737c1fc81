package archive

import (
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board/internal/relocation"
)

// Boards is boards that can be written and made: *local.Boards.
type Boards interface {
	// Relocation is for this package and for package move.
	Relocation() (relocation.Store, error)
}

// Options are for Write and Read.
type Options struct {
	// Partial allows that something is left out.
	Partial bool
	// Hold makes changes of the board wait while Write writes it. Without it Write returns ErrChanged if there were any.
	Hold bool
	// SkipExisting makes Read leave out the boards and kinds of groups of the file that there are already, so that a Read that was cut short can be made again.
	SkipExisting bool
	// Progress is called now and then with the number of entries so far.
	Progress func(entries int)
}

// Report says what Write has written, or Read has made.
type Report struct {
	Boards  []string // names, in the order of the file
	Skipped []string // boards that there were already: see Options.SkipExisting
	Periods int      // of all boards
	Entries int      // of all periods
	LeftOut []string // what was left behind

	Kinds        []string // of groups, in the order of the file
	SkippedKinds []string // that there were already
	Groups       int      // of these kinds
	Members      int      // of these groups
}

// MaxLine is the length of the longest line, in bytes: that of a spec or of an entry of the audit log.
const MaxLine = 16 << 20

var (
	// ErrLeftOut is returned for a board with something that would be left out: see Options.Partial. The error names it.
	ErrLeftOut = relocation.ErrLeftOut
	// ErrChanged is returned by Write for a board that has changed while it was written. What was written is of no use.
	ErrChanged = errors.New("archive: the board has changed while it was written")
	// ErrFile is wrapped by every LineError.
	ErrFile = errors.New("archive: not a file of boards")
	// ErrUnsupported is returned for boards that are not in an engine.
	ErrUnsupported = errors.New("archive: only boards of an engine can be written and made")
)

// LineError is returned by Read for a line that cannot be. It wraps ErrFile.
type LineError struct {
	Line   int    // from 1
	Offset int64  // of its first byte in the file
	Board  string // or kind of groups, that is left out; "" before the first
	Err    error  // why
}

// Error implements error.
func (e *LineError) Error() string {
	return fmt.Sprintf("archive: line %d, byte %d, board %q: %v", e.Line, e.Offset, e.Board, e.Err)
}

// Unwrap returns ErrFile and what is wrong.
func (e *LineError) Unwrap() []error { return []error{ErrFile, e.Err} }

func archiveOf(boards Boards) (relocation.Archive, error) {
	s, err := boards.Relocation()
	if err != nil {
		return nil, err
	}
	a, ok := s.(relocation.Archive)
	if !ok {
		return nil, ErrUnsupported
	}
	return a, nil
}
