package disk

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Copy copies a directory of files and directories to a new place, and flushes each file: nothing is left for the disk to do.
func Copy(from, to string) error {
	return each(from, func(name string, dir bool) error {
		target := filepath.Join(to, name)
		if dir {
			return os.MkdirAll(target, 0o755)
		}
		return copyFile(filepath.Join(from, name), target)
	})
}

func copyFile(from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.Create(to)
	if err != nil {
		return err
	}
	defer dst.Close()
	if _, err := io.Copy(dst, src); err != nil {
		return err
	}
	return flush(dst)
}

// Evict makes the operating system forget what it has of a directory's files in memory, where it can be asked to.
func Evict(dir string) error {
	return each(dir, func(name string, isDir bool) error {
		if isDir {
			return nil
		}
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		defer f.Close()
		return evict(f)
	})
}

// Size returns the bytes of all files in a directory.
func Size(dir string) (int64, error) {
	total := int64(0)
	err := each(dir, func(name string, isDir bool) error {
		if isDir {
			return nil
		}
		info, err := os.Stat(filepath.Join(dir, name))
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total, err
}

// each calls f with the path of everything in a directory, relative to it, the directory itself as "." first.
func each(dir string, f func(name string, isDir bool) error) error {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		return f(name, d.IsDir())
	})
	if err != nil {
		return fmt.Errorf("walk %s: %w", dir, err)
	}
	return nil
}
