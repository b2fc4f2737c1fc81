package redisfile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/zrankdb/zrank/rdb"
	"github.com/zrankdb/zrank/server/resp/replica"
)

// input is the file that is imported, or the files of a folder of append-only files, one behind the other.
type input struct {
	files  []*os.File // none: standard input
	sizes  []int64
	r      io.Reader
	name   string // for people
	size   int64  // 0: unknown
	read   int64  // bytes of the file that have been read
	folder bool   // it is a folder
	kind   kind
	resume string // what is the same for each call with the file; "": nothing is known of it
}

// resumeBytes are how many bytes of a file tell it from others of its size.
const resumeBytes = 1 << 20

// openInput opens a file, a folder with append-only files, or standard input for "-". A file that was compressed with gzip is expanded.
func openInput(path string, stdin io.Reader) (in *input, err error) {
	in = &input{name: "standard input", r: stdin}
	if path != "-" {
		in.name = filepath.Base(path)
		if err := in.open(path); err != nil {
			in.close()
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := in.expand(); err != nil {
		in.close()
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	return in, nil
}

// open opens the file, or the files of a folder, and identifies them.
func (in *input) open(path string) error {
	paths := []string{path}
	if stat, err := os.Stat(path); err == nil && stat.IsDir() {
		if paths, err = appendOnly(path); err != nil {
			return err
		}
		in.folder = true
	}
	for _, p := range paths {
		f, err := os.Open(p)
		if err != nil {
			return err
		}
		in.files = append(in.files, f)
	}
	return in.identify()
}

// identify finds the size of regular files, and what tells them from others: their sizes and beginnings. A file of Redis has a time in it, and most of the keys of a small one.
func (in *input) identify() error {
	h := sha256.New()
	for _, f := range in.files {
		stat, err := f.Stat()
		if err != nil {
			return err
		}
		if !stat.Mode().IsRegular() {
			in.size, in.r = 0, f
			return nil
		}
		in.sizes, in.size = append(in.sizes, stat.Size()), in.size+stat.Size()
		if _, err := io.Copy(h, io.LimitReader(f, resumeBytes)); err != nil {
			return err
		}
	}
	in.resume = fmt.Sprintf("%d %x", in.size, h.Sum(nil))
	return in.rewind()
}

// rewind goes back to the beginning of the files.
func (in *input) rewind() error {
	in.read = 0
	var all []io.Reader
	for _, f := range in.files {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		all = append(all, f)
	}
	in.r = io.MultiReader(all...)
	return nil
}

// expand makes in.r what gzip has compressed, if it was.
func (in *input) expand() error {
	buffered := bufio.NewReaderSize(counting{in, in.r}, 64<<10)
	in.r = buffered
	if head, _ := buffered.Peek(2); len(head) < 2 || head[0] != 0x1f || head[1] != 0x8b {
		return nil
	}
	z, err := gzip.NewReader(buffered)
	in.r = z
	return err
}

// again begins again. Only for a regular file.
func (in *input) again() error {
	if err := in.rewind(); err != nil {
		return err
	}
	return in.expand()
}

// kind is what a file of Redis is.
type kind int

const (
	snapshot kind = iota // an RDB file
	base                 // the RDB file that append-only files of Redis 7 begin with: newer writes are in others
	preamble             // an append-only file that begins with an RDB file
	commands             // an append-only file without
)

// check finds out what the file is. It returns the error of a file that is none of Redis, or is of a version that is not read, before anything is made.
func (in *input) check(anyVersion bool) error {
	buffered := bufio.NewReaderSize(in.r, 64<<10)
	head, _ := buffered.Peek(64 << 10)
	in.r = buffered
	if len(head) > 0 && (head[0] == '*' || head[0] == '#') {
		in.kind = commands
		return nil
	}
	f, err := rdb.NewReader(bytes.NewReader(head), rdb.ReadOptions{AnyVersion: anyVersion, Aux: func(name, value []byte) {
		switch is := string(value) == "1"; {
		case is && string(name) == "aof-base":
			in.kind = base
		case is && string(name) == "aof-preamble":
			in.kind = preamble
		}
	}})
	if err == nil {
		_, _ = f.Next() // reads what the writer says of the file, which stands before the first key
	}
	if in.folder {
		in.kind = preamble
	}
	return err
}

// place names the file and the byte of an error of Play, where there are several files.
func (in *input) place(err error) error {
	var at *replica.CommandError
	if !errors.As(err, &at) || len(in.sizes) < 2 {
		return err
	}
	own := *at
	for i, size := range in.sizes {
		if own.Offset < size || i == len(in.sizes)-1 {
			return fmt.Errorf("%s: %w", filepath.Base(in.files[i].Name()), &own)
		}
		own.Offset -= size
	}
	return err
}

// hasBoards reports whether the file has boards as lines of JSON.
func (in *input) hasBoards() bool {
	buffered := bufio.NewReaderSize(in.r, 64<<10)
	head, _ := buffered.Peek(1)
	in.r = buffered
	return len(head) == 1 && head[0] == '{'
}

// counting counts what is read of the file.
type counting struct {
	in *input
	r  io.Reader
}

func (c counting) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.in.read += int64(n)
	return n, err
}

func (in *input) close() {
	for _, f := range in.files {
		_ = f.Close()
	}
}
