package storedir

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

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/wal"
)

// Pebble's MANIFEST lists its tables, as a log of changes. If it is damaged, Pebble reads it only up to the damage, opens that older
// state, and deletes the tables that it does not list. So the high-water mark holds the checksum of the flushed part of the current
// MANIFEST. It is written in the same call that flushes the MANIFEST, and Preflight compares it.

const (
	manifestPrefix = "MANIFEST-"
	markerManifest = "manifest"
	markerFormat   = "format-version"
	optionsPrefix  = "OPTIONS-"
)

// ManifestFS is the file system that Pebble uses. It updates the high-water mark when Pebble flushes the MANIFEST.
type ManifestFS struct {
	vfs.FS
	Mark *MarkFile
	Fail func(error) // is called if the mark cannot be written
}

// Create implements FS.
func (w ManifestFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := w.FS.Create(name, category)
	number, ok := ManifestNumber(w.PathBase(name))
	if err != nil || !ok || w.PathDir(name) != w.PathJoin(w.Mark.dir, DBName) {
		return f, err
	}
	return &manifestFile{File: f, mark: w.Mark, fail: w.Fail, at: ManifestMark{Number: number}}, nil
}

// Unwrap implements FS.
func (w ManifestFS) Unwrap() vfs.FS { return w.FS }

// ManifestNumber returns the number in a MANIFEST's name.
func ManifestNumber(base string) (uint64, bool) {
	return Number(strings.CutPrefix(base, manifestPrefix))
}

// Number returns the number that the rest of a file's name is, if it had the prefix or suffix of such names.
func Number(digits string, ok bool) (uint64, bool) {
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, err == nil
}

// manifestFile is a MANIFEST being written, by one goroutine at a time.
type manifestFile struct {
	vfs.File
	mark *MarkFile
	fail func(error)
	at   ManifestMark // of the bytes written so far
}

// Write implements vfs.File.
func (f *manifestFile) Write(b []byte) (int, error) {
	next := ManifestMark{f.at.Number, f.at.Length + uint64(len(b)), format.AddChecksum(f.at.CRC, b)} // Write may change b
	n, err := f.File.Write(b)
	if err == nil {
		f.at = next
	}
	return n, err
}

// Sync implements vfs.File. If the mark cannot be written, it calls fail and still returns nil, because the MANIFEST is flushed.
func (f *manifestFile) Sync() error {
	if err := f.File.Sync(); err != nil {
		return err
	}
	if err := f.mark.manifestSynced(f.at); err != nil {
		f.fail(err)
	}
	return nil
}

// manifestSynced records a flushed MANIFEST, and writes the mark if it is the current one.
func (h *MarkFile) manifestSynced(m ManifestMark) error {
	h.mu.Lock()
	h.synced = m
	current := h.next.Manifest.Number == m.Number
	if current {
		h.next.Manifest = m
	}
	h.mu.Unlock()
	if !current {
		return nil
	}
	return h.Write()
}

// ManifestCreated records that the MANIFEST with this number is now the current one on the disk, and writes the mark.
func (h *MarkFile) ManifestCreated(number uint64) error {
	h.mu.Lock()
	current := number == h.synced.Number
	if current {
		h.next.Manifest = h.synced
	}
	h.mu.Unlock()
	if !current {
		return nil
	}
	return h.Write()
}

// Manifest returns the number of the current MANIFEST.
func (h *MarkFile) Manifest() uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.next.Manifest.Number
}

// CheckFiles checks the files that Pebble reads without checking a checksum of the whole: the markers, OPTIONS, and the part of the
// MANIFEST that m covers. It returns the ManifestMark for the next mark. That covers the whole MANIFEST, since Pebble does not append
// to an old one.
func CheckFiles(fs vfs.FS, db string, m ManifestMark) (ManifestMark, error) {
	names, err := fs.List(db)
	if errors.Is(err, os.ErrNotExist) {
		return m, &wal.CorruptError{Key: DBName, Reason: "the database is missing"}
	}
	if err != nil {
		return m, fmt.Errorf("persist: open: %w", err)
	}
	if err := checkFormatMarker(fs, db); err != nil {
		return m, err
	}
	if !slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, optionsPrefix) }) {
		return m, &wal.CorruptError{Key: DBName, Reason: "no OPTIONS file"}
	}
	name, err := markerValue(fs, db, markerManifest)
	if err != nil {
		return m, err
	}
	number, ok := ManifestNumber(name)
	if !ok {
		return m, &wal.CorruptError{Key: DBName, Reason: fmt.Sprintf("marker names %q as the manifest", name)}
	}
	return checkManifest(fs, fs.PathJoin(db, name), number, m)
}

// checkManifest compares the current MANIFEST with the high-water mark, and returns the ManifestMark of the whole file.
func checkManifest(fs vfs.FS, path string, number uint64, m ManifestMark) (ManifestMark, error) {
	key := fs.PathJoin(DBName, fs.PathBase(path))
	if number < m.Number {
		return m, &wal.CorruptError{Key: key, Reason: fmt.Sprintf("an older manifest is named as the current one, %d was in use", m.Number)}
	}
	v, err := ReadWhole(fs, path)
	if errors.Is(err, os.ErrNotExist) {
		return m, &wal.CorruptError{Key: key, Reason: "the manifest is missing"}
	}
	if err != nil {
		return m, err
	}
	if number == m.Number && uint64(len(v)) < m.Length {
		return m, &wal.CorruptError{Key: key, Offset: len(v), Reason: fmt.Sprintf("the manifest has %d bytes, %d were flushed", len(v), m.Length)}
	}
	if number == m.Number && format.Checksum(v[:m.Length]) != m.CRC {
		return m, &wal.CorruptError{Key: key, Reason: fmt.Sprintf("manifest checksum is %08x, its bytes give %08x", m.CRC, format.Checksum(v[:m.Length]))}
	}
	return ManifestMark{number, uint64(len(v)), format.Checksum(v)}, nil
}

// PebbleFormat is Pebble's format version. It is fixed, so that an upgrade of Pebble does not change it. From version 20 on each piece
// of the write-ahead log says how far the log was flushed, so that Pebble notices damage in the middle.
const PebbleFormat = pebble.FormatTableFormatV6

// checkFormatMarker makes sure that the database has the one format that this package writes.
func checkFormatMarker(fs vfs.FS, db string) error {
	value, err := markerValue(fs, db, markerFormat)
	if err != nil {
		return err
	}
	n, err := strconv.ParseUint(value, 10, 64)
	switch {
	case err != nil || pebble.FormatMajorVersion(n) < PebbleFormat:
		return &wal.CorruptError{Key: DBName, Reason: fmt.Sprintf("marker says that the database has format %q", value)}
	case pebble.FormatMajorVersion(n) > PebbleFormat:
		return fmt.Errorf("%w: database format %d, this version knows %d", errs.ErrNewerFormat, n, PebbleFormat)
	}
	return nil
}

// markerValue returns the value of the newest marker file with a name: marker.<name>.<counter>.<value>.
func markerValue(fs vfs.FS, db, name string) (string, error) {
	value, err := atomicfs.ReadMarker(fs, db, name)
	if err != nil {
		return "", errs.Damaged(err, DBName)
	}
	if value == "" {
		return "", &wal.CorruptError{Key: DBName, Reason: "no marker." + name}
	}
	return value, nil
}

// ReadWhole returns the bytes of a file.
func ReadWhole(fs vfs.FS, path string) ([]byte, error) {
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
