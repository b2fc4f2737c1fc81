package persist

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/atomicfs"
)

// Pebble's MANIFEST lists its tables, as a log of changes. Pebble takes a damaged one for one that ends early, opens what
// was there before, and deletes the tables it does not know. So the high-water mark carries the checksum of what has been
// flushed of the current MANIFEST, written within the call that flushes it, and the preflight compares.

// manifestMark is a flushed prefix of a MANIFEST. Number 0: nothing is known.
type manifestMark struct {
	number uint64
	length uint64
	crc    uint32
}

const (
	manifestPrefix = "MANIFEST-"
	markerManifest = "manifest"
	markerFormat   = "format-version"
	optionsPrefix  = "OPTIONS-"
)

// watchFS is the file system as Pebble sees it, with an eye on the MANIFEST.
type watchFS struct {
	vfs.FS
	mark *highWater
	fail func(error) // latches that the mark could not be written
}

// Create implements FS.
func (w watchFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := w.FS.Create(name, category)
	number, ok := manifestNumber(w.PathBase(name))
	if err != nil || !ok || w.PathDir(name) != w.PathJoin(w.mark.dir, dbName) {
		return f, err
	}
	return &manifestFile{File: f, mark: w.mark, fail: w.fail, at: manifestMark{number: number}}, nil
}

// Unwrap implements FS.
func (w watchFS) Unwrap() vfs.FS { return w.FS }

// manifestNumber takes the number out of a MANIFEST's name.
func manifestNumber(base string) (uint64, bool) {
	digits, ok := strings.CutPrefix(base, manifestPrefix)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, err == nil
}

// manifestFile is a MANIFEST being written, by one goroutine at a time.
type manifestFile struct {
	vfs.File
	mark *highWater
	fail func(error)
	at   manifestMark
}

// Write implements vfs.File.
func (f *manifestFile) Write(b []byte) (int, error) {
	next := manifestMark{f.at.number, f.at.length + uint64(len(b)), addChecksum(f.at.crc, b)} // Write may change b
	n, err := f.File.Write(b)
	if err == nil {
		f.at = next
	}
	return n, err
}

// Sync implements vfs.File. A failure to write the mark is not one of the MANIFEST: it is latched, and Pebble goes on.
func (f *manifestFile) Sync() error {
	if err := f.File.Sync(); err != nil {
		return err
	}
	if err := f.mark.manifestSynced(f.at); err != nil {
		f.fail(err)
	}
	return nil
}

// manifestSynced takes note of a flushed MANIFEST. It counts once it is the current one.
func (h *highWater) manifestSynced(m manifestMark) error {
	h.mu.Lock()
	h.synced = m
	current := h.next.manifest.number == m.number
	if current {
		h.next.manifest = m
	}
	h.mu.Unlock()
	if !current {
		return nil
	}
	return h.write()
}

// manifestCreated takes note that the MANIFEST with this number has become the current one, on the disk too.
func (h *highWater) manifestCreated(number uint64) error {
	h.mu.Lock()
	current := number == h.synced.number
	if current {
		h.next.manifest = h.synced
	}
	h.mu.Unlock()
	if !current {
		return nil
	}
	return h.write()
}

// checkFiles looks at the files that Pebble believes without a checksum: the markers, OPTIONS, and the MANIFEST, as far as
// m knows it. It returns what the next mark says of the MANIFEST: all of it, since Pebble does not add to an old one.
func checkFiles(fs vfs.FS, db string, m manifestMark) (manifestMark, error) {
	names, err := fs.List(db)
	if errors.Is(err, os.ErrNotExist) {
		return m, &CorruptError{Key: dbName, Reason: "the database is missing"}
	}
	if err != nil {
		return m, fmt.Errorf("persist: open: %w", err)
	}
	if err := checkFormatMarker(fs, db); err != nil {
		return m, err
	}
	if !slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, optionsPrefix) }) {
		return m, &CorruptError{Key: dbName, Reason: "no OPTIONS file"}
	}
	name, err := markerValue(fs, db, markerManifest)
	if err != nil {
		return m, err
	}
	number, ok := manifestNumber(name)
	if !ok {
		return m, &CorruptError{Key: dbName, Reason: fmt.Sprintf("marker names %q as the manifest", name)}
	}
	return checkManifest(fs, fs.PathJoin(db, name), number, m)
}

// checkManifest compares the current MANIFEST with what is known of it.
func checkManifest(fs vfs.FS, path string, number uint64, m manifestMark) (manifestMark, error) {
	key := fs.PathJoin(dbName, fs.PathBase(path))
	if number < m.number {
		return m, &CorruptError{Key: key, Reason: fmt.Sprintf("an older manifest is named as the current one, %d was in use", m.number)}
	}
	v, err := readWhole(fs, path)
	if errors.Is(err, os.ErrNotExist) {
		return m, &CorruptError{Key: key, Reason: "the manifest is missing"}
	}
	if err != nil {
		return m, err
	}
	if number == m.number && uint64(len(v)) < m.length {
		return m, &CorruptError{Key: key, Offset: len(v), Reason: fmt.Sprintf("the manifest has %d bytes, %d were flushed", len(v), m.length)}
	}
	if number == m.number && checksum(v[:m.length]) != m.crc {
		return m, &CorruptError{Key: key, Reason: fmt.Sprintf("manifest checksum is %08x, its bytes give %08x", m.crc, checksum(v[:m.length]))}
	}
	return manifestMark{number, uint64(len(v)), checksum(v)}, nil
}

// pebbleFormat is pinned: from 020 on the write-ahead log says in each piece how far it had been flushed, so that damage in
// the middle is seen; a later one is chosen by us, never by an upgrade.
const pebbleFormat = pebble.FormatTableFormatV6

// checkFormatMarker makes sure that the database has the one format that this package writes.
func checkFormatMarker(fs vfs.FS, db string) error {
	value, err := markerValue(fs, db, markerFormat)
	if err != nil {
		return err
	}
	n, err := strconv.ParseUint(value, 10, 64)
	switch {
	case err != nil || pebble.FormatMajorVersion(n) < pebbleFormat:
		return &CorruptError{Key: dbName, Reason: fmt.Sprintf("marker says that the database has format %q", value)}
	case pebble.FormatMajorVersion(n) > pebbleFormat:
		return fmt.Errorf("%w: database format %d, this version knows %d", ErrNewerFormat, n, pebbleFormat)
	}
	return nil
}

// markerValue returns what the newest marker of a name says: marker.<name>.<counter>.<value>.
func markerValue(fs vfs.FS, db, name string) (string, error) {
	value, err := atomicfs.ReadMarker(fs, db, name)
	if err != nil {
		return "", damaged(err, dbName)
	}
	if value == "" {
		return "", &CorruptError{Key: dbName, Reason: "no marker." + name}
	}
	return value, nil
}

// readWhole returns the bytes of a file.
func readWhole(fs vfs.FS, path string) ([]byte, error) {
	f, err := fs.Open(path)
	if err != nil {
		return nil, fmt.Errorf("persist: open: %w", err)
	}
	defer f.Close()
	v, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("persist: read %s: %w", path, err)
	}
	return v, nil
}
