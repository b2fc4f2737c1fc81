package events

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/zrankdb/zrank/board"
)

// Open opens the file at path and reads its header. A regular file is read once from end to end for its digest, so Open takes as long as
// that. Reading a pipe ends with ctx's error when ctx is done. Errors: *HeaderError if the first row does not name the columns, and those of
// o.Validate.
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

// Check returns the error that Open would return. It reads the first rows of a regular file only, and opens no other file: a pipe can be
// opened once.
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

// openPath opens a file and reads nothing.
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
	if err := in.start(&contextReader{ctx: ctx, src: r}); err != nil {
		return nil, err
	}
	return in, nil
}

// openFile identifies the file, unless digest is false, and starts to read it. Pipes and devices have no identity: they are streams with a
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
		return in.start(&contextReader{ctx: ctx, src: f})
	}
	if digest {
		if in.id, err = identify(f); err != nil {
			return err
		}
	}
	return in.start(f)
}

// start sets up the readers from raw bytes to rows, and reads the header.
func (in *Input) start(r io.Reader) error {
	in.raw = &counter{src: r}
	text, zipped, err := unpack(in.raw)
	in.zipped = zipped
	if err != nil {
		return in.broken(err)
	}
	in.tap = newTap(text)
	in.text = bufio.NewReaderSize(in.tap, sourceBuffer)
	in.csv = csv.NewReader(in.text) // csv uses a bufio.Reader of this size as it is
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
