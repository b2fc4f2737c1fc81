package disk

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Copy copies a directory to a new or an empty one, and flushes each file: nothing is left for the disk to do.
func Copy(from, to string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return each(to, func(f *os.File, _ fs.FileInfo) error { return flush(f) })
}

// Evict makes the operating system forget what it has of a directory's files in memory, where it can be asked to.
func Evict(dir string) error {
	return each(dir, func(f *os.File, _ fs.FileInfo) error { return evict(f) })
}

// Size returns the bytes of all files in a directory.
func Size(dir string) (total int64, err error) {
	err = each(dir, func(_ *os.File, info fs.FileInfo) error {
		total += info.Size()
		return nil
	})
	return total, err
}

// each calls f with every file in a directory, open.
func each(dir string, do func(f *os.File, info fs.FileInfo) error) error {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		return do(f, info)
	})
	if err != nil {
		return fmt.Errorf("walk %s: %w", dir, err)
	}
	return nil
}
