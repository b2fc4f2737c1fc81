package storedir

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
)

// The names in a store's directory.
const (
	LockName        = "LOCK"
	IdentityName    = "IDENTITY"
	IdentityNewName = "IDENTITY.tmp" // while a store is created
	identityRenewed = "IDENTITY.new" // while a store of an older layout is upgraded
	MarkName        = "HWM"
	DBName          = "db"
)

// Identity is the file IDENTITY. It marks the directory as a store, and holds the store's id and layout.
//
//	+-------------------+------------+-------+-----------------+---------+
//	| "zrank id" 8      | layout u32 | id 16 | created ms u64  | crc u32 |
//	+-------------------+------------+-------+-----------------+---------+
type Identity struct {
	Layout uint32
	ID     format.StoreID
	Millis uint64
}

const (
	identityMagic = "zrank id"

	// IdentitySize is the size of the file.
	IdentitySize = 8 + 4 + 16 + 8 + 4
)

// NewIdentity returns the identity of a new store, with a random id.
func NewIdentity() Identity {
	n := Identity{Layout: format.LayoutVersion, Millis: uint64(time.Now().UnixMilli())}
	_, _ = rand.Read(n.ID[:]) // never fails
	return n
}

// Encode returns the bytes of the file.
func (n Identity) Encode() []byte {
	v := binary.BigEndian.AppendUint32([]byte(identityMagic), n.Layout)
	v = append(v, n.ID[:]...)
	v = binary.BigEndian.AppendUint64(v, n.Millis)
	return binary.BigEndian.AppendUint32(v, format.Checksum(v))
}

// DecodeIdentity is the inverse of Identity.Encode. Errors: ErrCorrupt, ErrNewerFormat.
func DecodeIdentity(v []byte) (n Identity, err error) {
	be := binary.BigEndian
	if len(v) < 12 || string(v[:8]) != identityMagic {
		return n, errs.Corruptf(0, "not an identity file")
	}
	if n.Layout = be.Uint32(v[8:]); n.Layout > format.LayoutVersion {
		return n, fmt.Errorf("%w: layout %d, this version knows %d", errs.ErrNewerFormat, n.Layout, format.LayoutVersion)
	}
	if len(v) != IdentitySize {
		return n, errs.Corruptf(12, "identity file of %d bytes, want %d", len(v), IdentitySize)
	}
	body := v[:IdentitySize-4]
	if crc := be.Uint32(v[len(body):]); crc != format.Checksum(body) {
		return n, errs.Corruptf(len(body), "identity checksum is %08x, its bytes give %08x", crc, format.Checksum(body))
	}
	copy(n.ID[:], v[12:])
	n.Millis = be.Uint64(v[28:])
	return n, nil
}

// ReadIdentity reads the file IDENTITY of a store. Errors: ErrCorrupt, ErrNewerFormat, the file system's.
func ReadIdentity(fs vfs.FS, dir string) (Identity, error) {
	f, err := fs.Open(fs.PathJoin(dir, IdentityName))
	if err != nil {
		return Identity{}, fmt.Errorf("persist: open identity: %w", err)
	}
	defer f.Close()
	v, err := io.ReadAll(io.LimitReader(f, IdentitySize+1))
	if err != nil {
		return Identity{}, fmt.Errorf("persist: read identity: %w", err)
	}
	n, err := DecodeIdentity(v)
	return n, errs.WithKey(err, func() string { return IdentityName })
}

// State says what is at the path that Open was given.
type State int

const (
	StateNew     State = iota // no store yet, or one whose creation was interrupted
	StateStore                // a store
	StateForeign              // something else
)

// Inspect returns the state of dir, and changes nothing. If IDENTITY is missing but IDENTITY.tmp exists, a creation was interrupted and
// may start again. If both are missing but db exists, the store has lost the file and must not be overwritten.
func Inspect(fs vfs.FS, dir string) (State, error) {
	info, err := fs.Stat(dir)
	if errors.Is(err, os.ErrNotExist) {
		return StateNew, nil
	}
	if err != nil {
		return 0, fmt.Errorf("persist: open: %w", err)
	}
	if !info.IsDir() {
		return StateForeign, nil
	}
	names, err := fs.List(dir)
	if err != nil {
		return 0, fmt.Errorf("persist: open: %w", err)
	}
	found := make(map[string]bool, len(names))
	for _, name := range names {
		found[name] = true
	}
	if found[IdentityName] {
		return StateStore, nil
	}
	creating := found[IdentityNewName]
	for _, name := range names {
		ours := name == LockName || name == IdentityNewName || creating && (name == DBName || name == MarkName)
		if !ours {
			return StateForeign, nil
		}
	}
	return StateNew, nil
}

// BeginCreate removes what an interrupted creation has left, and writes and flushes IDENTITY.tmp before any other file exists.
// FinishCreate renames it when the store is complete; until then the directory counts as new (P9).
func BeginCreate(fs vfs.FS, dir string, n Identity) error {
	for _, name := range []string{DBName, MarkName} {
		if err := fs.RemoveAll(fs.PathJoin(dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if err := SyncDir(fs, dir); err != nil {
		return err
	}
	if err := WriteFile(fs, fs.PathJoin(dir, IdentityNewName), n.Encode()); err != nil {
		return err
	}
	return SyncDir(fs, dir)
}

// FinishCreate renames IDENTITY.tmp: the directory is a store from then on.
func FinishCreate(fs vfs.FS, dir string) error { return nameIdentity(fs, dir, IdentityNewName) }

// RenewIdentity replaces IDENTITY. It writes IDENTITY.new first, because IDENTITY.tmp would mean an interrupted creation.
func RenewIdentity(fs vfs.FS, dir string, n Identity) error {
	if err := WriteFile(fs, fs.PathJoin(dir, identityRenewed), n.Encode()); err != nil {
		return err
	}
	return nameIdentity(fs, dir, identityRenewed)
}

// nameIdentity renames a flushed file to IDENTITY, and flushes the directory before and after.
func nameIdentity(fs vfs.FS, dir, name string) error {
	if err := SyncDir(fs, dir); err != nil {
		return err
	}
	if err := fs.Rename(fs.PathJoin(dir, name), fs.PathJoin(dir, IdentityName)); err != nil {
		return err
	}
	return SyncDir(fs, dir)
}

// WriteFile creates name with these bytes, flushed.
func WriteFile(fs vfs.FS, name string, b []byte) error {
	f, err := fs.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	if _, err = f.Write(b); err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// SyncDir flushes the names in a directory.
func SyncDir(fs vfs.FS, dir string) error {
	d, err := fs.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// MakeDir creates dir and its parents, and flushes the name of each one that was missing.
func MakeDir(fs vfs.FS, dir string) error {
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
		if err := SyncDir(fs, p); err != nil {
			return err
		}
	}
	return nil
}
