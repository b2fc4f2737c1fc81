package events

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/zrankdb/zrank/board"
)

// Event is one row: a member's result at a time.
type Event struct {
	Time   time.Time // UTC
	Board  string    // empty when there is no column of boards: the caller's default
	Member string
	Remove bool        // the row removes the member, and has no score
	Score  board.Score // the values, in the order they were asked for
	Line   int         // where the row starts; the first line of a file is 1
}

// Input is one stream of events. It belongs to one goroutine; only BytesRead may be called from others.
//
// The strings of an Event share the memory of their whole row; clone what is kept for long.
type Input struct {
	shown string // the file as the caller named it, for messages
	name  string
	close func() error
	file  *os.File // nil for a stream without a path
	id    FileID   // zero for a stream

	stream bool // Next may have to wait for a writer

	raw     *counter
	zipped  bool
	tap     *tap
	text    *bufio.Reader // the source of csv
	csv     *csv.Reader
	cols    columns
	values  []board.Value // buffer for one score
	options Options

	rows   int64 // consumed, without the header
	latest int64 // Unix seconds of the latest event consumed; noTime: there is none
	unit   times // the unit of times after the last consumed row
	done   bool  // Next has returned io.EOF

	times  times // the unit of times after the last row read
	ahead  []row // rows that were read and not yet consumed
	buffer []row // backs ahead
	err    error // ends the input after the rows in ahead; io.EOF at the end
	line   int   // of the last row read
}

// broken wraps an error that ends the input, with the file and the last line that was read. The error of a bad row is a *BadRowError instead.
func (in *Input) broken(err error) error {
	where := in.shown
	if in.line > 0 {
		where = fmt.Sprintf("%s: after line %d", in.shown, in.line)
	}
	switch {
	case errors.Is(err, errRowTooLong):
		return fmt.Errorf("%s: a row over %d MiB; is a quote never closed?", where, maxRow>>20)
	case in.zipped && errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: the gzip data is cut short: %w", where, err)
	case in.zipped:
		return fmt.Errorf("%s: the gzip data is damaged: %w", where, err)
	}
	return fmt.Errorf("%s: %w", where, err)
}

// buffered reports whether a row can be read without waiting for a stream's writer.
func (in *Input) buffered() bool {
	if !in.stream {
		return true
	}
	read, _ := in.text.Peek(in.text.Buffered())
	return bytes.IndexByte(read, '\n') >= 0
}

// Name returns the identity under which a Position of this input is stored: the absolute path without symbolic links, or "-"
// for a stream.
func (in *Input) Name() string { return in.name }

// Columns returns the columns of the time, the member, the board and the op (if there are such columns) and the score. "member=player" means that the
// member is read from the column that the header calls player. Inputs with the same header and the same Columns read a row the same way.
func (in *Input) Columns() []string { return in.cols.sources }

// Kind says what Event.Score means throughout this input: Delta if it is one column called delta.
func (in *Input) Kind() Kind { return in.cols.kind }

// Size returns the number of raw bytes, which are compressed in a gzip file. It returns 0 if the size is not known.
func (in *Input) Size() int64 { return in.id.Size }

// BytesRead returns how many of the raw bytes have been read. It may be called while another goroutine reads.
func (in *Input) BytesRead() int64 { return in.raw.n.Load() }

// Close closes the file. Calling it again does nothing.
func (in *Input) Close() error {
	err := in.close()
	in.close = func() error { return nil }
	return err
}

// row is a row that has been read and not consumed.
type row struct {
	event   Event
	bad     *BadRowError // why it is not an event
	end     int64        // where it ends in the text
	times   times        // the unit of times, as it is after the row
	decides bool         // its time decided the unit, and the rows after it have not been compared yet
	judged  bool         // it has been compared with the rows around it
}
