package events

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/zrankdb/zrank/engine/board"
)

// Event is one row: a member's result at a time.
type Event struct {
	Time   time.Time // UTC
	Board  string    // empty when the row names none: the caller's default
	Member string
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
	id    FileID // zero for a stream

	stream bool // Next may have to wait for somebody to write

	raw    *counter
	zipped bool
	tap    *tap
	text   *bufio.Reader // what csv reads from
	csv    *csv.Reader
	cols   columns
	values []board.Value // room for one score
	wanted []string      // the columns of a score

	rows  int64 // consumed, without the header
	ahead bool  // fields, line and bad hold a row that is not consumed yet
	err   error // why no row follows; io.EOF at the end

	fields []string // reused by the next row; the strings in it are not
	line   int
	bad    string // why the CSV reader could not split the row
}

// Open opens the file at path and reads its header, which must have the columns of a score by these names; Single may be called delta
// there. A regular file is read once from end to end for its digest, so Open takes
// as long as that. Reading a pipe ends with ctx's error when ctx is done. The error is a *HeaderError when the first row does
// not say what the columns are.
func Open(ctx context.Context, path string, values []string) (*Input, error) {
	name, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in := &Input{shown: path, name: name, close: f.Close, wanted: values}
	if err := in.openFile(ctx, f); err != nil {
		f.Close()
		return nil, err
	}
	return in, nil
}

// OpenStream is Open for r, which messages call standard input. Reading ends with ctx's error when ctx is done, even while r keeps
// it waiting. Close does not close r.
func OpenStream(ctx context.Context, r io.Reader, values []string) (*Input, error) {
	in := &Input{shown: "standard input", name: "-", close: func() error { return nil }, stream: true, wanted: values}
	if err := in.start(&patient{ctx: ctx, src: r}); err != nil {
		return nil, err
	}
	return in, nil
}

// openFile takes the file's identity and starts reading it. Pipes and devices have none: they are streams with a name.
func (in *Input) openFile(ctx context.Context, f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.IsDir() {
		return fmt.Errorf("%s: is a directory", in.shown)
	}
	if !info.Mode().IsRegular() {
		in.stream = true
		return in.start(&patient{ctx: ctx, src: f})
	}
	if in.id, err = identify(f); err != nil {
		return err
	}
	return in.start(f)
}

// start builds the way from raw bytes to rows and reads the header.
func (in *Input) start(r io.Reader) error {
	in.raw = &counter{src: r}
	text, zipped, err := unpack(in.raw)
	in.zipped = zipped
	if err != nil {
		return in.broken(err)
	}
	in.tap = newTap(text)
	in.text = bufio.NewReaderSize(in.tap, sourceBuffer)
	in.csv = csv.NewReader(in.text) // uses a big enough bufio.Reader as it is
	in.csv.ReuseRecord = true
	in.csv.FieldsPerRecord = -1 // counted here, so that the message can say how many

	switch err := in.fetch(); {
	case err == io.EOF:
		return &HeaderError{in.shown, "is empty: the first row must name the columns; " + headed{values: in.wanted}.known()}
	case err != nil:
		return err
	case in.bad != "":
		return &HeaderError{in.shown, "the first row must name the columns: " + in.bad}
	}
	cols, reason := parseHeader(in.fields, in.wanted)
	if reason != "" {
		return &HeaderError{in.shown, reason}
	}
	in.cols, in.values = cols, make([]board.Value, 0, len(cols.values))
	in.take()
	in.rows = 0
	return nil
}

// broken explains an error of the source itself, not of a row.
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

// Ready reports whether Next will answer without waiting for a stream's writer: whether a whole row has been read already. A
// file is always ready. O(bytes read ahead).
func (in *Input) Ready() bool {
	if !in.stream || in.ahead || in.err != nil {
		return true
	}
	read, _ := in.text.Peek(in.text.Buffered())
	return bytes.IndexByte(read, '\n') >= 0
}

// Name returns the identity under which a Position of this input is stored: the absolute path without symbolic links, or "-"
// for a stream.
func (in *Input) Name() string { return in.name }

// Kind says what Event.Score means throughout this input: Delta if it is one column called delta.
func (in *Input) Kind() Kind { return in.cols.kind }

// Size returns the number of raw bytes (of the gzip file, not of what is in it), 0 if that is not known.
func (in *Input) Size() int64 { return in.id.Size }

// BytesRead returns how many of the raw bytes have been read. It may be called while another goroutine reads.
func (in *Input) BytesRead() int64 { return in.raw.n.Load() }

// Close closes the file. Calling it again does nothing.
func (in *Input) Close() error {
	err := in.close()
	in.close = func() error { return nil }
	return err
}
