package persist

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// waterMark is the high-water mark: what the store must have when it is opened, as far as is known. It stands in the file HWM,
// outside of Pebble, and is the evidence for what leaves none there: a log that was cut off, a file that went back in time.
// Everything in it is on the disk before it is written (P11), so a power cut at any moment makes it too low, never too high.
//
//	+--------------+------+-----------+----------+-------------+-------------+-----------+--------------+----------+
//	| "zrankHWM" 8 | v u8 | clean u8  | store 16 | counter u64 | durable u64 | chain u32 | snapshot u64 | upto u64 |
//	+--------------+------+-----------+----------+-------------+-------------+-----------+--------------+----------+
//	| manifest number u64 | manifest length u64 | manifest crc u32 | crc u32 |
//	+---------------------+---------------------+------------------+---------+
//
// The file has two such slots, 4096 bytes apart, which are written in turn: a write that is cut short damages one.
type waterMark struct {
	store    storeID
	counter  uint64 // of writes; the slot is its lowest bit
	durable  uint64 // the last commit known to be flushed
	chain    uint32 // checksum of the group that ends with it
	snapshot uint64 // the pointer's
	upto     uint64
	manifest manifestMark
	clean    bool // the store was closed: durable is the last commit
}

const (
	markMagic   = "zrankHWM"
	markVersion = 1
	markSize    = 8 + 1 + 1 + 16 + 8 + 8 + 4 + 8 + 8 + 8 + 8 + 4 + 4
	markStride  = 4096
	markFile    = 2 * markStride
	markPeriod  = time.Second // between two writes that nothing else asks for
)

// offset is where in the file the mark stands.
func (m waterMark) offset() int64 { return int64(m.counter%2) * markStride }

func (m waterMark) encode() []byte {
	be := binary.BigEndian
	v := append(make([]byte, 0, markSize), markMagic...)
	v = append(v, markVersion, 0)
	if m.clean {
		v[9] = 1
	}
	v = append(v, m.store[:]...)
	v = be.AppendUint64(v, m.counter)
	v = be.AppendUint64(v, m.durable)
	v = be.AppendUint32(v, m.chain)
	v = be.AppendUint64(v, m.snapshot)
	v = be.AppendUint64(v, m.upto)
	v = be.AppendUint64(v, m.manifest.number)
	v = be.AppendUint64(v, m.manifest.length)
	v = be.AppendUint32(v, m.manifest.crc)
	return be.AppendUint32(v, checksum(v))
}

func decodeMark(v []byte) (m waterMark, err error) {
	be := binary.BigEndian
	if len(v) != markSize || string(v[:8]) != markMagic {
		return m, corrupt(0, "not a high-water mark")
	}
	body := v[:markSize-4]
	if crc := be.Uint32(v[len(body):]); crc != checksum(body) {
		return m, corrupt(len(body), "high-water mark's checksum is %08x, its bytes give %08x", crc, checksum(body))
	}
	if v[8] != markVersion || v[9] > 1 {
		return m, corrupt(8, "high-water mark of version %d, clean %d", v[8], v[9])
	}
	copy(m.store[:], v[10:])
	m.clean = v[9] == 1
	m.counter, m.durable, m.chain = be.Uint64(v[26:]), be.Uint64(v[34:]), be.Uint32(v[42:])
	m.snapshot, m.upto = be.Uint64(v[46:]), be.Uint64(v[54:])
	m.manifest = manifestMark{be.Uint64(v[62:]), be.Uint64(v[70:]), be.Uint32(v[78:])}
	return m, nil
}

// readMark returns the newer of the two slots. One that is damaged is what a power cut leaves; the other is then only
// older. Errors: the file system's, and ErrCorrupt when neither is whole.
func readMark(fs vfs.FS, dir string) (waterMark, error) {
	f, err := fs.Open(fs.PathJoin(dir, markName))
	if errors.Is(err, os.ErrNotExist) {
		return waterMark{}, &CorruptError{Key: markName, Reason: "the file is missing"}
	}
	if err != nil {
		return waterMark{}, fmt.Errorf("persist: open high-water mark: %w", err)
	}
	defer f.Close()
	v, err := io.ReadAll(io.LimitReader(f, markFile))
	if err != nil {
		return waterMark{}, fmt.Errorf("persist: read high-water mark: %w", err)
	}
	v = append(v, make([]byte, markFile-len(v))...)
	m, err := decodeMark(v[:markSize])
	other, otherErr := decodeMark(v[markStride : markStride+markSize])
	if err != nil || otherErr == nil && other.counter > m.counter {
		m, err = other, otherErr
	}
	return m, named(err, func() string { return markName })
}

// writeMarkFile creates the file, both slots and its name flushed, and returns what it says.
func writeMarkFile(fs vfs.FS, dir string, m waterMark) (waterMark, error) {
	v := make([]byte, markFile)
	for range 2 {
		m.counter++
		copy(v[m.offset():], m.encode())
	}
	if err := writeFile(fs, fs.PathJoin(dir, markName), v); err != nil {
		return m, err
	}
	return m, syncDir(fs, dir)
}

// highWater keeps the file HWM up to date.
type highWater struct {
	fs   vfs.FS
	dir  string
	wake chan struct{} // capacity 1: durable has moved
	quit chan struct{}
	done chan struct{}

	mu     sync.Mutex   // guards next and synced; never held during I/O
	next   waterMark    // what the next write says
	synced manifestMark // the MANIFEST that was flushed last, which may not be the current one yet

	io   sync.Mutex // held during I/O; before mu
	file vfs.File   // nil: the file is not open, and nothing is written
}

func newHighWater(fs vfs.FS, dir string) *highWater {
	return &highWater{fs: fs, dir: dir, wake: make(chan struct{}, 1), quit: make(chan struct{}), done: make(chan struct{})}
}

// open opens the file for writing. m is what it says, and what is known beyond that.
func (h *highWater) open(m waterMark) error {
	f, err := h.fs.OpenReadWrite(h.fs.PathJoin(h.dir, markName), vfs.WriteCategoryUnspecified)
	if err != nil {
		return fmt.Errorf("persist: open high-water mark: %w", err)
	}
	h.io.Lock()
	h.file = f
	h.io.Unlock()
	h.note(func(next *waterMark) { *next = m })
	return nil
}

// note changes what the next write says. What it adds is on the disk.
func (h *highWater) note(change func(next *waterMark)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change(&h.next)
}

// write writes the mark into the older slot and flushes it.
func (h *highWater) write() error {
	h.io.Lock()
	defer h.io.Unlock()
	if h.file == nil {
		return nil
	}
	h.mu.Lock()
	h.next.counter++
	m := h.next
	h.mu.Unlock()
	_, err := h.file.WriteAt(m.encode(), m.offset())
	if err == nil {
		err = h.file.SyncData()
	}
	if err != nil {
		return fmt.Errorf("write high-water mark: %w", err)
	}
	return nil
}

// advance tells that everything up to the commit is flushed; chain is the checksum of the group that ends with it. The
// file follows soon. It does not wait for the disk.
func (h *highWater) advance(durable uint64, chain uint32) {
	h.note(func(next *waterMark) { next.durable, next.chain = durable, chain })
	select {
	case h.wake <- struct{}{}:
	default: // told already
	}
}

// published tells that the pointer names a new snapshot and everything up to the commit is flushed, and writes the mark.
func (h *highWater) published(p pointer, durable uint64, chain uint32) error {
	h.note(func(next *waterMark) {
		next.snapshot, next.upto, next.durable, next.chain = p.snapshot, p.upto, durable, chain
	})
	return h.write()
}

// keep writes the mark after it has moved, once a period at most, until stop or the failure. It is for a goroutine of its
// own, so that no commit waits for this flush.
func (h *highWater) keep(failed <-chan struct{}) error {
	defer close(h.done)
	for {
		select {
		case <-h.quit:
			return nil
		case <-failed:
			return nil
		case <-h.wake:
		}
		if err := h.write(); err != nil {
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

// stop ends keep.
func (h *highWater) stop() {
	close(h.quit)
	<-h.done
}

// close closes the file; with clean it says before that nothing comes after the mark.
func (h *highWater) close(clean bool) error {
	var err error
	if clean {
		h.note(func(next *waterMark) { next.clean = true })
		err = h.write()
	}
	h.io.Lock()
	defer h.io.Unlock()
	if h.file != nil {
		err = errors.Join(err, h.file.Close())
		h.file = nil
	}
	return err
}
