package failstop

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Create implements vfs.FS.
func (f *FS) Create(name string, c vfs.DiskWriteCategory) (file vfs.File, err error) {
	if f.outside(name) {
		return f.FS.Create(name, c)
	}
	_, done := f.do(nil, func() error { file, err = f.FS.Create(name, c); return err })
	if done {
		return f.wrap(file, name), nil
	}
	if table(name) && c != flushCategory {
		return nil, f.refuse()
	}
	return f.create(name)
}

// flushCategory is Pebble's write category for flushes of a memtable. Compactions have another one.
const flushCategory = "pebble-memtable-flush"

// ReuseForWrite implements vfs.FS.
func (f *FS) ReuseForWrite(old, name string, c vfs.DiskWriteCategory) (file vfs.File, err error) {
	if f.outside(name) {
		return f.FS.ReuseForWrite(old, name, c)
	}
	renamed := false // by a try that could not open the file then
	_, done := f.do(nil, func() error {
		if renamed {
			file, err = f.FS.OpenReadWrite(name, c)
			return err
		}
		file, err = f.FS.ReuseForWrite(old, name, c)
		if IsPassing(err) {
			_, gone := f.FS.Stat(old)
			renamed = errors.Is(gone, fs.ErrNotExist)
		}
		return err
	})
	if done {
		return f.wrap(file, name), nil
	}
	if file, err = f.create(name); err == nil && old != name {
		f.hide(old)
	}
	return file, err
}

// OpenReadWrite implements vfs.FS. Opening may create the file, and so it is a mutation.
func (f *FS) OpenReadWrite(name string, c vfs.DiskWriteCategory, o ...vfs.OpenOption) (file vfs.File, err error) {
	if f.outside(name) {
		return f.FS.OpenReadWrite(name, c, o...)
	}
	err = f.mustDo(nil, func() error { file, err = f.FS.OpenReadWrite(name, c, o...); return err })
	if err != nil {
		return nil, err
	}
	w := f.wrap(file, name)
	w.loud = true
	return w, nil
}

// OpenDir implements vfs.FS.
func (f *FS) OpenDir(name string) (dir vfs.File, err error) {
	if f.outside(name) {
		return f.FS.OpenDir(name)
	}
	answer, done := f.do(fs.ErrNotExist, func() error { dir, err = f.FS.OpenDir(name); return err })
	if answer != nil {
		return nil, answer
	}
	if done {
		return f.wrap(dir, name), nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.overlay.MkdirAll(name, 0o755); err != nil {
		return nil, err
	}
	return f.overlay.OpenDir(name)
}

// Remove implements vfs.FS.
func (f *FS) Remove(name string) error {
	if f.outside(name) {
		return f.FS.Remove(name)
	}
	if answer, done := f.do(fs.ErrNotExist, func() error { return f.FS.Remove(name) }); done {
		return answer
	}
	f.hide(name)
	return nil
}

// Rename implements vfs.FS. After the latch the file is copied.
func (f *FS) Rename(old, name string) error {
	if f.outside(name) {
		return f.FS.Rename(old, name)
	}
	if answer, done := f.do(nil, func() error { return f.FS.Rename(old, name) }); done {
		return answer
	}
	if err := f.copy(old, name); err != nil {
		return err
	}
	f.hide(old)
	return nil
}

// Link implements vfs.FS.
func (f *FS) Link(old, name string) error {
	if f.outside(name) {
		return f.FS.Link(old, name)
	}
	return f.mustDo(fs.ErrExist, func() error { return f.FS.Link(old, name) })
}

// RemoveAll implements vfs.FS.
func (f *FS) RemoveAll(name string) error {
	if f.outside(name) {
		return f.FS.RemoveAll(name)
	}
	return f.mustDo(fs.ErrNotExist, func() error { return f.FS.RemoveAll(name) })
}

// MkdirAll implements vfs.FS.
func (f *FS) MkdirAll(dir string, perm os.FileMode) error {
	if f.outside(dir) {
		return f.FS.MkdirAll(dir, perm)
	}
	return f.mustDo(nil, func() error { return f.FS.MkdirAll(dir, perm) })
}

// Lock implements vfs.FS.
func (f *FS) Lock(name string) (io.Closer, error) {
	if f.Err() != nil {
		return nil, f.refuse()
	}
	return f.FS.Lock(name)
}

// Open implements vfs.FS.
func (f *FS) Open(name string, o ...vfs.OpenOption) (file vfs.File, err error) {
	err = f.retryRead(name, func() error { file, err = f.at(name).Open(name, o...); return err })
	if err != nil || f.outside(name) {
		return file, err
	}
	return &readFile{File: file, fs: f}, nil
}

// Stat implements vfs.FS.
func (f *FS) Stat(name string) (info vfs.FileInfo, err error) {
	err = f.retryRead(name, func() error { info, err = f.at(name).Stat(name); return err })
	return info, err
}

// List implements vfs.FS.
func (f *FS) List(dir string) (names []string, err error) {
	err = f.retryRead(dir, func() error { names, err = f.FS.List(dir); return err })
	if err != nil || f.Err() == nil {
		return names, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	seen := make([]string, 0, len(names))
	for _, name := range names {
		if path := f.PathJoin(dir, name); !f.gone[path] && !f.over[path] {
			seen = append(seen, name)
		}
	}
	for path := range f.over {
		if f.PathDir(path) == dir {
			seen = append(seen, f.PathBase(path))
		}
	}
	return seen, nil
}

// at returns the file system that holds the file: the overlay or the real one.
func (f *FS) at(name string) vfs.FS {
	if f.Err() == nil {
		return f.FS
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.over[name] || f.gone[name] { // a hidden file is not in the overlay, so it is not found
		return f.overlay
	}
	return f.FS
}

// create makes a file in the overlay.
func (f *FS) create(name string) (vfs.File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.overlay.MkdirAll(f.PathDir(name), 0o755); err != nil {
		return nil, err
	}
	file, err := f.overlay.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, err
	}
	f.over[name] = true
	delete(f.gone, name)
	return &overlayFile{File: file, fs: f}, nil
}

// hide makes a file invisible: it removes it from the overlay and hides the real one.
func (f *FS) hide(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.over[name] {
		delete(f.over, name)
		_ = f.overlay.Remove(name) // it is there
	}
	f.gone[name] = true
}

// copy copies a file into the overlay.
func (f *FS) copy(old, name string) error {
	from, err := f.Open(old)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := f.create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, struct{ io.Reader }{from})
	return errors.Join(err, to.Close())
}
