package datadir

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/zrankdb/zrank/engine"
)

// Make is withData for a directory that need not exist. If fn fails, having stored nothing, then what was made is removed: the directory
// and the folders above it that were not there, or what is in a folder that was empty. A directory that another process has written to
// is left alone; but a process must not open it in the moment between closing and removing it.
func Make(dir string, o engine.Options, fn func(d *Data) (stored bool, err error)) error {
	missing := missingFolders(dir)
	entries, err := os.ReadDir(dir)
	ours := len(missing) > 0 || err == nil && len(entries) == 0
	unused := false
	err = Open(dir, o, func(d *Data) error {
		ours = ours && d.Engine.LastSeq() == 0
		stored, err := fn(d)
		unused = !stored && err != nil
		return err
	})
	if ours && unused {
		err = errors.Join(err, unmake(dir, missing))
	}
	return err
}

// missingFolders returns dir and the folders above it that do not exist, dir first.
func missingFolders(dir string) (missing []string) {
	dir = filepath.Clean(dir)
	for {
		if _, err := os.Lstat(dir); !os.IsNotExist(err) {
			return missing
		}
		missing = append(missing, dir)
		dir = filepath.Dir(dir)
	}
}

// unmake removes a data directory and the folders that were missing, or all that is in the directory if none was.
func unmake(dir string, missing []string) error {
	if len(missing) > 0 {
		if err := os.RemoveAll(missing[0]); err != nil {
			return err
		}
		for _, folder := range missing[1:] {
			if os.Remove(folder) != nil {
				break // somebody has put something else there
			}
		}
		return nil
	}
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, entry.Name())))
	}
	return err
}
