package persist

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
)

// layoutVersion numbers everything this package stores. A store with a higher one is refused; one with a lower one is
// brought up to date when it is opened. Records are rewritten as they change, and keep the number they were written with.
const layoutVersion = 2

// layoutBeforeMark is the layout that has no file HWM.
const layoutBeforeMark = 1

// storeID tells one store from another, and from a copy restored under a new id.
type storeID [16]byte

// hash is what a group has room for.
func (id storeID) hash() uint32 { return checksum(id[:]) }

// withSum appends the checksum of key and value: a record that was moved to another key is damage too.
func withSum(key, value []byte) []byte {
	return binary.BigEndian.AppendUint32(value, sumOf(key, value))
}

// checkSum verifies and takes off what withSum appended.
func checkSum(key, value []byte) ([]byte, error) {
	n := len(value) - 4
	if n < 0 {
		return nil, corrupt(0, "record of %d bytes", len(value))
	}
	if want, got := binary.BigEndian.Uint32(value[n:]), sumOf(key, value[:n]); want != got {
		return nil, corrupt(n, "record checksum is %08x, its bytes give %08x", want, got)
	}
	return value[:n], nil
}

// format is the record m/format: layout version u32 | store id 16 | crc u32.
func encodeFormat(id storeID) []byte {
	v := binary.BigEndian.AppendUint32(nil, layoutVersion)
	return withSum(keyFormat, append(v, id[:]...))
}

func decodeFormat(v []byte) (id storeID, layout uint32, err error) {
	if v, err = checkSum(keyFormat, v); err != nil {
		return id, 0, err
	}
	if len(v) < 4 {
		return id, 0, corrupt(0, "format record of %d bytes", len(v))
	}
	if layout = binary.BigEndian.Uint32(v); layout > layoutVersion {
		return id, 0, fmt.Errorf("%w: layout %d, this version knows %d", ErrNewerFormat, layout, layoutVersion)
	} else if layout == 0 {
		return id, 0, corrupt(0, "layout version is 0")
	}
	if len(v) != 4+len(id) {
		return id, 0, corrupt(4, "format record of %d bytes", len(v))
	}
	copy(id[:], v[4:])
	return id, layout, nil
}

// pointer is the record m/current, the one place that says which snapshot counts and where the log starts. It changes
// only in the batch that publishes a snapshot (P7).
type pointer struct {
	snapshot uint64 // number of the last published snapshot; 0: none yet
	upto     uint64 // every effect up to this commit is in the sets' pages
	start    uint64 // first sequence number of the first group that is kept, or of the next one to be written
	chain    uint32 // checksum of the last group that was deleted, which the first one kept names
	millis   uint64 // when it was published, for people
}

const pointerSize = 4 + 8 + 8 + 8 + 4 + 8

// encode: layout version u32 | snapshot u64 | upto u64 | start u64 | chain u32 | unix ms u64 | crc u32.
func (p pointer) encode() []byte {
	be := binary.BigEndian
	v := be.AppendUint32(nil, layoutVersion)
	v = be.AppendUint64(v, p.snapshot)
	v = be.AppendUint64(v, p.upto)
	v = be.AppendUint64(v, p.start)
	v = be.AppendUint32(v, p.chain)
	v = be.AppendUint64(v, p.millis)
	return withSum(keyCurrent, v)
}

func decodePointer(v []byte) (p pointer, err error) {
	be := binary.BigEndian
	if v, err = checkSum(keyCurrent, v); err != nil {
		return p, err
	}
	if len(v) != pointerSize {
		return p, corrupt(0, "pointer record of %d bytes", len(v))
	}
	if layout := be.Uint32(v); layout == 0 || layout > layoutVersion {
		return p, corrupt(0, "pointer record of layout %d", layout)
	}
	p = pointer{
		snapshot: be.Uint64(v[4:]),
		upto:     be.Uint64(v[12:]),
		start:    be.Uint64(v[20:]),
		chain:    be.Uint32(v[28:]),
		millis:   be.Uint64(v[32:]),
	}
	if p.start == 0 || p.start-1 > p.upto {
		return p, corrupt(20, "log starts at %d, the snapshot ends at %d", p.start, p.upto)
	}
	return p, nil
}

// SetRecord is what the last snapshot knows of one set.
type SetRecord struct {
	Key     string // the set's name
	Meta    []byte // the opaque facts given to WriteSet
	Base    uint64 // effects on the set up to this commit are in its pages
	Pages   int
	Entries int

	snapshot uint64 // the snapshot that wrote the pages
	id       uint64 // the set's number inside that snapshot
	sum      uint32 // checksum of the pages' checksums, in order
}

const recordFixed = 1 + 8 + 8 + 8 + 4 + 8 + 4

// encode: version u8 | snapshot u64 | id u64 | base u64 | pages u32 | entries u64 | sum u32 | meta ... | crc u32.
func (r *SetRecord) encode() []byte {
	be := binary.BigEndian
	v := make([]byte, 0, recordFixed+len(r.Meta)+4)
	v = append(v, layoutVersion)
	v = be.AppendUint64(v, r.snapshot)
	v = be.AppendUint64(v, r.id)
	v = be.AppendUint64(v, r.Base)
	v = be.AppendUint32(v, uint32(r.Pages))
	v = be.AppendUint64(v, uint64(r.Entries))
	v = be.AppendUint32(v, r.sum)
	return withSum(keySet(r.Key), append(v, r.Meta...))
}

// decodeSetRecord is the inverse. Meta is a copy.
func decodeSetRecord(name string, v []byte) (r SetRecord, err error) {
	be := binary.BigEndian
	if v, err = checkSum(keySet(name), v); err != nil {
		return r, err
	}
	if len(v) < recordFixed || v[0] == 0 || v[0] > layoutVersion {
		return r, corrupt(0, "set record of %d bytes", len(v))
	}
	pages, entries := be.Uint32(v[25:]), be.Uint64(v[29:])
	if pages > math.MaxInt32 || entries > math.MaxInt {
		return r, corrupt(25, "set record with %d pages and %d entries", pages, entries)
	}
	return SetRecord{
		Key:      name,
		Meta:     append([]byte(nil), v[recordFixed:]...),
		Base:     be.Uint64(v[17:]),
		Pages:    int(pages),
		Entries:  int(entries),
		snapshot: be.Uint64(v[1:]),
		id:       be.Uint64(v[9:]),
		sum:      be.Uint32(v[37:]),
	}, nil
}

// sumOf is the checksum of a key and its value together.
func sumOf(key, value []byte) uint32 {
	return crc32.Update(checksum(key), castagnoli, value)
}
