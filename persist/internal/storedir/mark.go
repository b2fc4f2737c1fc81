package storedir

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/wal"
)

// Mark is the high-water mark: a lower bound of what the store must have when it is opened. It is in the file HWM, outside of Pebble.
// It proves damage that leaves no trace in Pebble: a log that was cut off, or a file that was replaced by an older version. Everything
// that the mark claims is on the disk before the mark is written (P11). So a power cut may leave the mark too low, but never too high.
//
//	+--------------+------+-----------+----------+-------------+-------------+-----------+--------------+----------+
//	| "zrankHWM" 8 | v u8 | clean u8  | store 16 | counter u64 | durable u64 | chain u32 | snapshot u64 | upto u64 |
//	+--------------+------+-----------+----------+-------------+-------------+-----------+--------------+----------+
//	| manifest number u64 | manifest length u64 | manifest crc u32 | crc u32 |
//	+---------------------+---------------------+------------------+---------+
//
// The file has two such slots, 4096 bytes apart, which are written in turn: an interrupted write damages only one.
type Mark struct {
	Store    format.StoreID
	Counter  uint64 // of writes; the slot is its lowest bit
	Durable  uint64 // the last commit known to be flushed
	Chain    uint32 // checksum of the group that ends with Durable
	Snapshot uint64 // of the pointer
	Upto     uint64 // of the pointer
	Manifest ManifestMark
	Clean    bool // the store was closed: Durable is the last commit
}

const (
	markMagic   = "zrankHWM"
	markVersion = 1
	markSize    = 8 + 1 + 1 + 16 + 8 + 8 + 4 + 8 + 8 + 8 + 8 + 4 + 4
	markStride  = 4096
	markFile    = 2 * markStride
	markPeriod  = time.Second // least time between two writes after Advance
)

// offset returns the offset of the mark's slot in the file.
func (m Mark) offset() int64 { return int64(m.Counter%2) * markStride }

// Encode returns the bytes of a slot.
func (m Mark) Encode() []byte {
	be := binary.BigEndian
	v := append(make([]byte, 0, markSize), markMagic...)
	v = append(v, markVersion, 0)
	if m.Clean {
		v[9] = 1
	}
	v = append(v, m.Store[:]...)
	v = be.AppendUint64(v, m.Counter)
	v = be.AppendUint64(v, m.Durable)
	v = be.AppendUint32(v, m.Chain)
	v = be.AppendUint64(v, m.Snapshot)
	v = be.AppendUint64(v, m.Upto)
	v = be.AppendUint64(v, m.Manifest.Number)
	v = be.AppendUint64(v, m.Manifest.Length)
	v = be.AppendUint32(v, m.Manifest.CRC)
	return be.AppendUint32(v, format.Checksum(v))
}

func decodeMark(v []byte) (m Mark, err error) {
	be := binary.BigEndian
	if len(v) != markSize || string(v[:8]) != markMagic {
		return m, errs.Corruptf(0, "not a high-water mark")
	}
	body := v[:markSize-4]
	if crc := be.Uint32(v[len(body):]); crc != format.Checksum(body) {
		return m, errs.Corruptf(len(body), "high-water mark's checksum is %08x, its bytes give %08x", crc, format.Checksum(body))
	}
	if v[8] != markVersion || v[9] > 1 {
		return m, errs.Corruptf(8, "high-water mark of version %d, clean %d", v[8], v[9])
	}
	copy(m.Store[:], v[10:])
	m.Clean = v[9] == 1
	m.Counter, m.Durable, m.Chain = be.Uint64(v[26:]), be.Uint64(v[34:]), be.Uint32(v[42:])
	m.Snapshot, m.Upto = be.Uint64(v[46:]), be.Uint64(v[54:])
	m.Manifest = ManifestMark{be.Uint64(v[62:]), be.Uint64(v[70:]), be.Uint32(v[78:])}
	return m, nil
}

// ReadMark returns the newer of the two slots. A power cut may damage one slot; then it returns the other, which may be older. Errors:
// the file system's, and ErrCorrupt when both are damaged.
func ReadMark(fs vfs.FS, dir string) (Mark, error) {
	f, err := fs.Open(fs.PathJoin(dir, MarkName))
	if errors.Is(err, os.ErrNotExist) {
		return Mark{}, &wal.CorruptError{Key: MarkName, Reason: "the file is missing"}
	}
	if err != nil {
		return Mark{}, fmt.Errorf("persist: open high-water mark: %w", err)
	}
	defer f.Close()
	v, err := io.ReadAll(io.LimitReader(f, markFile))
	if err != nil {
		return Mark{}, fmt.Errorf("persist: read high-water mark: %w", err)
	}
	v = append(v, make([]byte, markFile-len(v))...)
	m, err := decodeMark(v[:markSize])
	other, otherErr := decodeMark(v[markStride : markStride+markSize])
	if err != nil || otherErr == nil && other.Counter > m.Counter {
		m, err = other, otherErr
	}
	return m, errs.WithKey(err, func() string { return MarkName })
}

// WriteMarkFile creates the file HWM with m in both slots, flushes the file and its name, and returns the mark of the newer slot.
func WriteMarkFile(fs vfs.FS, dir string, m Mark) (Mark, error) {
	v := make([]byte, markFile)
	for range 2 {
		m.Counter++
		copy(v[m.offset():], m.Encode())
	}
	if err := WriteFile(fs, fs.PathJoin(dir, MarkName), v); err != nil {
		return m, err
	}
	return m, SyncDir(fs, dir)
}

// MarkFile keeps the file HWM up to date.
type MarkFile struct {
	fs   vfs.FS
	dir  string
	wake chan struct{} // capacity 1: Advance was called
	quit chan struct{}
	done chan struct{}

	mu     sync.Mutex   // guards next and synced; never held during I/O
	next   Mark         // the mark that the next write writes
	synced ManifestMark // the MANIFEST that was flushed last, which may not be the current one yet

	io   sync.Mutex // held during I/O; before mu
	file vfs.File   // nil: the file is not open, and nothing is written
}

// NewMarkFile returns the high-water mark of a store. The file is not opened yet.
func NewMarkFile(fs vfs.FS, dir string) *MarkFile {
	return &MarkFile{fs: fs, dir: dir, wake: make(chan struct{}, 1), quit: make(chan struct{}), done: make(chan struct{})}
}

// Open opens the file for writing. m is the mark in the file, with what the caller knows beyond that.
func (h *MarkFile) Open(m Mark) error {
	f, err := h.fs.OpenReadWrite(h.fs.PathJoin(h.dir, MarkName), vfs.WriteCategoryUnspecified)
	if err != nil {
		return fmt.Errorf("persist: open high-water mark: %w", err)
	}
	h.io.Lock()
	h.file = f
	h.io.Unlock()
	h.Note(func(next *Mark) { *next = m })
	return nil
}

// Note changes the mark that the next Write writes. Everything that change adds must be on the disk already (P11).
func (h *MarkFile) Note(change func(next *Mark)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change(&h.next)
}

// Write writes the mark into the older slot and flushes it.
func (h *MarkFile) Write() error {
	h.io.Lock()
	defer h.io.Unlock()
	if h.file == nil {
		return nil
	}
	h.mu.Lock()
	h.next.Counter++
	m := h.next
	h.mu.Unlock()
	_, err := h.file.WriteAt(m.Encode(), m.offset())
	if err == nil {
		err = h.file.SyncData()
	}
	if err != nil {
		return fmt.Errorf("write high-water mark: %w", err)
	}
	return nil
}

// Advance notes that everything up to commit durable is flushed; chain is the checksum of the group that ends with that commit, and snapshot
// the number in the pointer. It does not wait for the disk: Keep writes the file soon.
func (h *MarkFile) Advance(durable uint64, chain uint32, snapshot uint64) {
	h.Note(func(next *Mark) { next.Durable, next.Chain, next.Snapshot = durable, chain, snapshot })
	select {
	case h.wake <- struct{}{}:
	default: // a wake is pending
	}
}

// Published notes that the pointer p and everything up to commit durable are flushed, and writes the mark.
func (h *MarkFile) Published(p format.Pointer, durable uint64, chain uint32) error {
	h.Note(func(next *Mark) {
		next.Snapshot, next.Upto, next.Durable, next.Chain = p.Snapshot, p.Upto, durable, chain
	})
	return h.Write()
}

// Keep writes the mark after each Advance, at most once a markPeriod, until Stop or until failed is closed. It runs in its own
// goroutine, so that no commit waits for its flushes.
func (h *MarkFile) Keep(failed <-chan struct{}) error {
	defer close(h.done)
	for {
		select {
		case <-h.quit:
			return nil
		case <-failed:
			return nil
		case <-h.wake:
		}
		if err := h.Write(); err != nil {
			return err
		}
		pause := time.NewTimer(markPeriod)
		select {
		case <-pause.C:
		case <-h.quit:
		case <-failed:
		}
		pause.Stop()
	}
}

// Stop ends Keep and waits for it.
func (h *MarkFile) Stop() {
	close(h.quit)
	<-h.done
}

// Close closes the file. With clean it first writes a clean mark: nothing comes after Durable.
func (h *MarkFile) Close(clean bool) error {
	var err error
	if clean {
		h.Note(func(next *Mark) { next.Clean = true })
		err = h.Write()
	}
	h.io.Lock()
	defer h.io.Unlock()
	if h.file != nil {
		err = errors.Join(err, h.file.Close())
		h.file = nil
	}
	return err
}

// ManifestMark is a flushed prefix of a MANIFEST. Number 0: nothing is known.
type ManifestMark struct {
	Number uint64
	Length uint64
	CRC    uint32
}
