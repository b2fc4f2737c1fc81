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
	Board  string    // empty when there is no column of boards: the caller's default
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
	file  *os.File // nil for a stream without a path
	id    FileID   // zero for a stream

	stream bool // Next may have to wait for somebody to write

	raw     *counter
	zipped  bool
	tap     *tap
	text    *bufio.Reader // what csv reads from
	csv     *csv.Reader
	cols    columns
	values  []board.Value // scratch of one score
	options Options

	rows   int64 // consumed, without the header
	latest int64 // Unix seconds of the latest event consumed; noTime: there is none
	unit   times // as it is after the rows consumed
	done   bool  // Next has returned io.EOF

	times times // the unit, as it is after the rows read
	ahead []row // read and not consumed
	room  []row // where ahead begins when it is empty
	err   error // why no row follows those in ahead; io.EOF at the end
	line  int   // of the last row read
}

// Open opens the file at path and reads its header. A regular file is read once from end to end for its digest, so Open takes as long as
// that. Reading a pipe ends with ctx's error when ctx is done. The error is a *HeaderError when the first row does not say what the columns
// are, and what o.Validate says when o is impossible.
func Open(ctx context.Context, path string, o Options) (*Input, error) {
	in, f, err := openPath(path, o)
	if err != nil {
		return nil, err
	}
	if err := in.openFile(ctx, f, true); err != nil {
		f.Close()
		return nil, err
	}
	return in, nil
}

// Check returns the error that Open would return, without reading more of a regular file than its first rows. It does not open anything
// else: a pipe can be opened once.
func Check(path string, o Options) error {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return err
	}
	in, f, err := openPath(path, o)
	if err != nil {
		return err
	}
	defer f.Close()
	return in.openFile(context.Background(), f, false)
}

// openPath opens a file that is not read yet.
func openPath(path string, o Options) (*Input, *os.File, error) {
	if err := o.Validate(); err != nil {
		return nil, nil, err
	}
	name, err := filepath.Abs(path)
	if err != nil {
		return nil, nil, err
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	in := newInput(path, name, o)
	in.file, in.close = f, f.Close
	return in, f, nil
}

func newInput(shown, name string, o Options) *Input {
	return &Input{shown: shown, name: name, options: o, close: func() error { return nil }, latest: noTime,
		times: times{unit: o.Unit, given: o.Unit != Auto}}
}

// OpenStream is Open for r, which messages call standard input. Reading ends with ctx's error when ctx is done, even while r keeps
// it waiting. Close does not close r.
func OpenStream(ctx context.Context, r io.Reader, o Options) (*Input, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	in := newInput("standard input", "-", o)
	in.stream = true
	if err := in.start(&patient{ctx: ctx, src: r}); err != nil {
		return nil, err
	}
	return in, nil
}

// openFile takes the file's identity, unless digest is false, and starts reading it. Pipes and devices have none: they are streams with a
// name.
func (in *Input) openFile(ctx context.Context, f *os.File, digest bool) error {
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
	if digest {
		if in.id, err = identify(f); err != nil {
			return err
		}
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

	names, bad, err := in.split()
	switch {
	case err == io.EOF:
		return &HeaderError{in.shown, "is empty: the first row must name the columns; " + header{options: in.options}.known()}
	case err != nil:
		return err
	case bad != nil:
		return &HeaderError{in.shown, "the first row must name the columns: " + bad.Reason}
	}
	cols, reason := parseHeader(names, in.options)
	if reason != "" {
		return &HeaderError{in.shown, reason}
	}
	in.cols, in.values = cols, make([]board.Value, 0, len(cols.values))
	in.tap.taken = in.csv.InputOffset()
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

// Ready reports whether Next will answer without waiting for a stream's writer: whether a whole row has been read already, and with it
// the rows after it that it is compared with, if it is. A file is always ready. O(bytes read ahead).
func (in *Input) Ready() bool { return !in.stream || in.prepare(false) }

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

// Columns returns where the time, the member, the board if there is a column of it, and the score are read from: "member=player" if the member is
// in a column that the file calls player. Two inputs of the same header and the same Columns mean the same by the same rows.
func (in *Input) Columns() []string { return in.cols.sources }

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
