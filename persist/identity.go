package persist

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/internal/seeded"
)

// The names in a store's directory.
const (
	lockName        = "LOCK"
	identityName    = "IDENTITY"
	identityNewName = "IDENTITY.tmp" // while a store is created
	identityRenewed = "IDENTITY.new" // while one of an older layout is brought up to date
	markName        = "HWM"
	dbName          = "db"
)

// identity is the file IDENTITY: it says that the directory is a store, which one, and of what layout.
//
//	+-------------------+------------+-------+-----------------+---------+
//	| "zrank id" 8      | layout u32 | id 16 | created ms u64  | crc u32 |
//	+-------------------+------------+-------+-----------------+---------+
type identity struct {
	layout uint32
	id     storeID
	millis uint64
}

const (
	identityMagic = "zrank id"
	identitySize  = 8 + 4 + 16 + 8 + 4
)

func newIdentity() identity {
	n := identity{layout: layoutVersion, millis: uint64(time.Now().UnixMilli())}
	_, _ = rand.Read(n.id[:]) // never fails
	return n
}

func (n identity) encode() []byte {
	v := binary.BigEndian.AppendUint32([]byte(identityMagic), n.layout)
	v = append(v, n.id[:]...)
	v = binary.BigEndian.AppendUint64(v, n.millis)
	return binary.BigEndian.AppendUint32(v, checksum(v))
}

func decodeIdentity(v []byte) (n identity, err error) {
	be := binary.BigEndian
	if len(v) < 12 || string(v[:8]) != identityMagic {
		return n, corrupt(0, "not an identity file")
	}
	if n.layout = be.Uint32(v[8:]); n.layout > layoutVersion {
		return n, fmt.Errorf("%w: layout %d, this version knows %d", ErrNewerFormat, n.layout, layoutVersion)
	}
	if len(v) != identitySize {
		return n, corrupt(12, "identity file of %d bytes, want %d", len(v), identitySize)
	}
	body := v[:identitySize-4]
	if crc := be.Uint32(v[len(body):]); crc != checksum(body) {
		return n, corrupt(len(body), "identity checksum is %08x, its bytes give %08x", crc, checksum(body))
	}
	copy(n.id[:], v[12:])
	n.millis = be.Uint64(v[28:])
	return n, nil
}

func readIdentity(fs vfs.FS, dir string) (identity, error) {
	f, err := fs.Open(fs.PathJoin(dir, identityName))
	if err != nil {
		return identity{}, fmt.Errorf("persist: open identity: %w", err)
	}
	defer f.Close()
	v, err := io.ReadAll(io.LimitReader(f, identitySize+1))
	if err != nil {
		return identity{}, fmt.Errorf("persist: read identity: %w", err)
	}
	n, err := decodeIdentity(v)
	return n, named(err, func() string { return identityName })
}

// dirState is what Open finds at its path.
type dirState int

const (
	dirNew     dirState = iota // no store yet, or one whose creation was cut short
	dirStore                   // a store
	dirForeign                 // something else
)

// lookAt tells what is at dir, and changes nothing. A store without IDENTITY is either one that was being created, and
// then IDENTITY.tmp is there since before db was, or one that has lost the file, and then it is not ours to overwrite.
func lookAt(fs vfs.FS, dir string) (dirState, error) {
	info, err := fs.Stat(dir)
	if errors.Is(err, os.ErrNotExist) {
		return dirNew, nil
	}
	if err != nil {
		return 0, fmt.Errorf("persist: open: %w", err)
	}
	if !info.IsDir() {
		return dirForeign, nil
	}
	names, err := fs.List(dir)
	if err != nil {
		return 0, fmt.Errorf("persist: open: %w", err)
	}
	found := make(map[string]bool, len(names))
	for _, name := range names {
		found[name] = true
	}
	if found[identityName] {
		return dirStore, nil
	}
	creating := found[identityNewName]
	for _, name := range names {
		ours := name == lockName || name == identityNewName || creating && (name == dbName || name == markName)
		if !ours {
			return dirForeign, nil
		}
	}
	return dirNew, nil
}

// beginCreate clears the rest of a creation that was cut short and writes IDENTITY.tmp, flushed, before anything else
// exists. finishCreate renames it when the store is whole; until then the directory counts as new (P9).
func beginCreate(fs vfs.FS, dir string, n identity) error {
	for _, name := range []string{dbName, markName} {
		if err := fs.RemoveAll(fs.PathJoin(dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if err := syncDir(fs, dir); err != nil {
		return err
	}
	if err := writeFile(fs, fs.PathJoin(dir, identityNewName), n.encode()); err != nil {
		return err
	}
	return syncDir(fs, dir)
}

func finishCreate(fs vfs.FS, dir string) error { return nameIdentity(fs, dir, identityNewName) }

// renewIdentity replaces IDENTITY. The new file has a name that never stands for a creation that was cut short.
func renewIdentity(fs vfs.FS, dir string, n identity) error {
	if err := writeFile(fs, fs.PathJoin(dir, identityRenewed), n.encode()); err != nil {
		return err
	}
	return nameIdentity(fs, dir, identityRenewed)
}

// nameIdentity gives a file that is on the disk the name IDENTITY.
func nameIdentity(fs vfs.FS, dir, name string) error {
	if err := syncDir(fs, dir); err != nil {
		return err
	}
	if err := fs.Rename(fs.PathJoin(dir, name), fs.PathJoin(dir, identityName)); err != nil {
		return err
	}
	if seeded.Bug("forget the directory sync") {
		return nil
	}
	return syncDir(fs, dir)
}

// writeFile creates name with these bytes, flushed.
func writeFile(fs vfs.FS, name string, b []byte) error {
	f, err := fs.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	if _, err = f.Write(b); err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// syncDir flushes the names in a directory.
func syncDir(fs vfs.FS, dir string) error {
	d, err := fs.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// makeDir creates dir and its parents, and flushes the name of each one that was missing.
func makeDir(fs vfs.FS, dir string) error {
	var parents []string
	for d := dir; ; {
		if _, err := fs.Stat(d); err == nil {
			break
		} else if !errors.Is(err, os.ErrNotExist) {
			return err
		}
		up := fs.PathDir(d)
		if up == d {
			break
		}
		parents, d = append(parents, up), up
	}
	if err := fs.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, p := range parents {
		if err := syncDir(fs, p); err != nil {
			return err
		}
	}
	return nil
}
