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
)

// input is the file that is imported.
type input struct {
	f      *os.File // nil: standard input
	r      io.Reader
	name   string // for people
	size   int64  // 0: unknown
	read   int64  // bytes of the file that have been read
	resume string // what is the same for each call with the file; "": nothing is known of it
}

// resumeBytes are how many bytes of a file tell it from others of its size.
const resumeBytes = 1 << 20

// openInput opens a file, or standard input for "-". A file that was compressed with gzip is expanded.
func openInput(path string, stdin io.Reader) (in *input, err error) {
	in = &input{name: "standard input", r: stdin}
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		in.f, in.r, in.name = f, f, filepath.Base(path)
		if err := in.identify(); err != nil {
			_ = f.Close()
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := in.expand(); err != nil {
		in.close()
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	return in, nil
}

// identify finds the size of a regular file, and what tells it from others: its size and its beginning. It has a time in it, and most of the keys of a small one.
func (in *input) identify() error {
	stat, err := in.f.Stat()
	if err == nil && stat.IsDir() {
		return errors.New("is a directory; to import is a file of Redis, such as dump.rdb, or of \"zrank export\"")
	}
	if err != nil || !stat.Mode().IsRegular() {
		return err
	}
	in.size = stat.Size()
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(in.f, resumeBytes)); err != nil {
		return err
	}
	in.resume = fmt.Sprintf("%d %x", in.size, h.Sum(nil))
	return in.rewind()
}

// rewind goes back to the beginning of a file.
func (in *input) rewind() error {
	in.read = 0
	_, err := in.f.Seek(0, io.SeekStart)
	in.r = in.f
	return err
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

// check returns the error of a file that is no RDB file, or is of a version that is not read, before anything is made.
func (in *input) check(anyVersion bool) error {
	buffered := bufio.NewReaderSize(in.r, 64<<10)
	head, _ := buffered.Peek(9)
	in.r = buffered
	_, err := rdb.NewReader(bytes.NewReader(head), rdb.ReadOptions{AnyVersion: anyVersion})
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
	if in.f != nil {
		_ = in.f.Close()
	}
}
