package persist

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
)

// layoutVersion numbers everything this package stores. A store with a higher one is refused; one with a lower one is
// brought up to date when it is opened. Records are rewritten as they change, and keep the number they were written with.
//
//	1   a set's record names one snapshot, which has written all its pages; there is no file HWM
//	2   a set's record has a page table
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

const (
	pointerSize    = 4 + 8 + 8 + 8 + 4 + 8
	pointerVersion = 1
)

// encode: version u32 | snapshot u64 | upto u64 | start u64 | chain u32 | unix ms u64 | crc u32.
func (p pointer) encode() []byte {
	be := binary.BigEndian
	v := be.AppendUint32(nil, pointerVersion)
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
	if len(v) != pointerSize || be.Uint32(v) != pointerVersion {
		return p, corrupt(0, "pointer record of %d bytes", len(v))
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

	table []byte // where the pages are
	old   bool   // the table is that of a record of layout 1
}

const (
	recordVersion = 2
	recordFixed   = 1 + 8 + 4 + 8 + 4
	recordFixed1  = 1 + 8 + 8 + 8 + 4 + 8 + 4
)

// encodeSetRecord: version u8 | base u64 | pages u32 | entries u64 | table length u32 | table ... | meta ... | crc u32.
func encodeSetRecord(r *SetRecord) []byte {
	be := binary.BigEndian
	v := make([]byte, 0, recordFixed+len(r.table)+len(r.Meta)+4)
	v = append(v, recordVersion)
	v = be.AppendUint64(v, r.Base)
	v = be.AppendUint32(v, uint32(r.Pages))
	v = be.AppendUint64(v, uint64(r.Entries))
	v = be.AppendUint32(v, uint32(len(r.table)))
	v = append(v, r.table...)
	return withSum(keySet(r.Key), append(v, r.Meta...))
}

// decodeSetRecord is the inverse, of the record of a keySet, and knows layout 1 too. What it returns are copies: an engine that
// opens reads one record for each set there is, so they are one allocation beside the name.
func decodeSetRecord(key, v []byte) (r SetRecord, err error) {
	be := binary.BigEndian
	if v, err = checkSum(key, v); err != nil {
		return r, err
	}
	name := setOf(key)
	if len(v) >= recordFixed1 && v[0] == 1 {
		return decodeSetRecord1(name, v)
	}
	if len(v) < recordFixed || v[0] != recordVersion {
		return r, corrupt(0, "set record of %d bytes", len(v))
	}
	pages, entries, n := be.Uint32(v[9:]), be.Uint64(v[13:]), be.Uint32(v[21:])
	if pages > math.MaxInt32 || entries > math.MaxInt || int64(n) > int64(len(v)-recordFixed) {
		return r, corrupt(9, "set record with %d pages, %d entries and a page table of %d bytes", pages, entries, n)
	}
	rest := bytes.Clone(v[recordFixed:])
	table, meta := rest[:n:n], rest[n:]
	if err := checkTable(table, int(pages), recordFixed); err != nil {
		return r, err
	}
	return SetRecord{Key: name, Meta: meta, Base: be.Uint64(v[1:]), Pages: int(pages), Entries: int(entries), table: table}, nil
}

// decodeSetRecord1: version u8 | snapshot u64 | id u64 | base u64 | pages u32 | entries u64 | sum u32 | meta ...
func decodeSetRecord1(name string, v []byte) (r SetRecord, err error) {
	be := binary.BigEndian
	pages, entries := be.Uint32(v[25:]), be.Uint64(v[29:])
	if pages > math.MaxInt32 || entries > math.MaxInt {
		return r, corrupt(25, "set record with %d pages and %d entries", pages, entries)
	}
	return SetRecord{
		Key:     name,
		Meta:    bytes.Clone(v[recordFixed1:]),
		Base:    be.Uint64(v[17:]),
		Pages:   int(pages),
		Entries: int(entries),
		table:   tableOf1(int(pages), be.Uint64(v[1:]), be.Uint64(v[9:]), be.Uint32(v[37:])),
		old:     true,
	}, nil
}

// sumOf is the checksum of a key and its value together.
func sumOf(key, value []byte) uint32 {
	return crc32.Update(checksum(key), castagnoli, value)
}
