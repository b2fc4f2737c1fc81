package storedir

import (
	"errors"
	"io"
	"os"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// OwnerOnly returns the operating system's file system, on which only the owner can read what is created: directories are 0700, and
// files 0600. What exists keeps its mode.
func OwnerOnly() vfs.FS { return ownerOnly{vfs.Default} }

const (
	ownerDir  = 0o700
	ownerFile = 0o600
)

// ownerOnly creates each file itself, with its mode, and lets vfs.Default open it, which would give it mode 0666. A chmod afterwards
// would be too late: others may have opened the file.
type ownerOnly struct{ vfs.FS }

// Create implements vfs.FS. A file that exists is removed and not truncated, since it may have a second name.
func (o ownerOnly) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	err := create(name)
	for errors.Is(err, os.ErrExist) {
		if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		err = create(name)
	}
	if err != nil {
		return nil, err
	}
	f, err := o.FS.OpenReadWrite(name, c)
	if err != nil {
		return nil, errors.Join(err, os.Remove(name))
	}
	return f, nil
}

// OpenReadWrite implements vfs.FS.
func (o ownerOnly) OpenReadWrite(name string, c vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	if err := create(name); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	return o.FS.OpenReadWrite(name, c, opts...)
}

// Lock implements vfs.FS. It does not open a file that exists: closing it would release a lock of this process.
func (o ownerOnly) Lock(name string) (io.Closer, error) {
	if err := create(name); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	return o.FS.Lock(name)
}

// MkdirAll implements vfs.FS, and ignores the mode that the caller wants.
func (o ownerOnly) MkdirAll(dir string, _ os.FileMode) error { return o.FS.MkdirAll(dir, ownerDir) }

// Unwrap implements vfs.FS.
func (o ownerOnly) Unwrap() vfs.FS { return o.FS }

// create makes an empty file. Error: ErrExist.
func create(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, ownerFile)
	if err != nil {
		return err
	}
	return f.Close()
}
