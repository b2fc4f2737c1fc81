package datadir

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/zrankdb/zrank/engine"
)

// Make is Open for a directory that need not exist. If fn fails and has stored nothing, Make removes what it has made: the directory and
// the folders above it that did not exist, or the contents of a folder that was empty. It does not remove a directory in which another
// process has stored something before. No process may open the directory between Make's close and its removal.
func Make(dir string, o engine.Options, fn func(d *Data) (stored bool, err error)) error {
	missing := missingFolders(dir)
	entries, err := os.ReadDir(dir)
	ours := len(missing) > 0 || err == nil && len(entries) == 0 // nobody else has stored anything in it
	unused := false                                             // fn has failed and stored nothing
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

// unmake removes a data directory with the folders that were missing; if none was, it removes the contents of the directory.
func unmake(dir string, missing []string) error {
	if len(missing) > 0 {
		if err := os.RemoveAll(missing[0]); err != nil {
			return err
		}
		for _, folder := range missing[1:] {
			if os.Remove(folder) != nil {
				break // the folder has other contents
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
