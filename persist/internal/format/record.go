package format

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/zrankdb/zrank/persist/internal/errs"
)

// LayoutVersion is the version of everything this package stores. Open refuses a store with a higher layout, and upgrades a store with
// a lower one. The upgrade does not rewrite records: a record keeps its version until it changes.
//
//	1   a set's record names one snapshot, which has written all its pages; there is no file HWM
//	2   a set's record has a page table
//	3   commits may have notes
const LayoutVersion = 3

// LayoutBeforeMark is the layout that has no file HWM.
const LayoutBeforeMark = 1

// StoreID tells one store from another, and from a copy restored under a new id.
type StoreID [16]byte

// Hash returns the 4 bytes that each group stores of the id.
func (id StoreID) Hash() uint32 { return Checksum(id[:]) }

// WithSum appends the checksum of key and value. It covers the key, so that a record under another key counts as damaged.
func WithSum(key, value []byte) []byte {
	return binary.BigEndian.AppendUint32(value, sumOf(key, value))
}

// checkSum verifies the checksum that WithSum appended, and returns the value without it.
func checkSum(key, value []byte) ([]byte, error) {
	n := len(value) - 4
	if n < 0 {
		return nil, errs.Corruptf(0, "record of %d bytes", len(value))
	}
	if want, got := binary.BigEndian.Uint32(value[n:]), sumOf(key, value[:n]); want != got {
		return nil, errs.Corruptf(n, "record checksum is %08x, its bytes give %08x", want, got)
	}
	return value[:n], nil
}

// EncodeFormat returns the record m/format: layout version u32 | store id 16 | crc u32.
func EncodeFormat(id StoreID) []byte {
	v := binary.BigEndian.AppendUint32(nil, LayoutVersion)
	return WithSum(KeyFormat, append(v, id[:]...))
}

// DecodeFormat is the inverse of EncodeFormat. Errors: ErrCorrupt, ErrNewerFormat.
func DecodeFormat(v []byte) (id StoreID, layout uint32, err error) {
	if v, err = checkSum(KeyFormat, v); err != nil {
		return id, 0, err
	}
	if len(v) < 4 {
		return id, 0, errs.Corruptf(0, "format record of %d bytes", len(v))
	}
	if layout = binary.BigEndian.Uint32(v); layout > LayoutVersion {
		return id, 0, fmt.Errorf("%w: layout %d, this version knows %d", errs.ErrNewerFormat, layout, LayoutVersion)
	} else if layout == 0 {
		return id, 0, errs.Corruptf(0, "layout version is 0")
	}
	if len(v) != 4+len(id) {
		return id, 0, errs.Corruptf(4, "format record of %d bytes", len(v))
	}
	copy(id[:], v[4:])
	return id, layout, nil
}

// Pointer is the record m/current, which names the last published snapshot and the start of the log. It changes only in the
// batches that publish a snapshot (P7, P19).
type Pointer struct {
	Snapshot uint64 // number of the last published snapshot; 0: none yet
	Upto     uint64 // every effect up to this commit is in the sets' pages
	Start    uint64 // first sequence number of the first group that is kept, or of the next one to be written
	Chain    uint32 // checksum of the last group that was deleted, which the first one kept names
	Millis   uint64 // when it was published, for people
}

const (
	pointerSize    = 4 + 8 + 8 + 8 + 4 + 8
	pointerVersion = 1
)

// Encode returns the record: version u32 | snapshot u64 | upto u64 | start u64 | chain u32 | unix ms u64 | crc u32.
func (p Pointer) Encode() []byte {
	be := binary.BigEndian
	v := be.AppendUint32(nil, pointerVersion)
	v = be.AppendUint64(v, p.Snapshot)
	v = be.AppendUint64(v, p.Upto)
	v = be.AppendUint64(v, p.Start)
	v = be.AppendUint32(v, p.Chain)
	v = be.AppendUint64(v, p.Millis)
	return WithSum(KeyCurrent, v)
}

// DecodePointer is the inverse of Pointer.Encode. Errors: ErrCorrupt.
func DecodePointer(v []byte) (p Pointer, err error) {
	be := binary.BigEndian
	if v, err = checkSum(KeyCurrent, v); err != nil {
		return p, err
	}
	if len(v) != pointerSize || be.Uint32(v) != pointerVersion {
		return p, errs.Corruptf(0, "pointer record of %d bytes", len(v))
	}
	p = Pointer{
		Snapshot: be.Uint64(v[4:]),
		Upto:     be.Uint64(v[12:]),
		Start:    be.Uint64(v[20:]),
		Chain:    be.Uint32(v[28:]),
		Millis:   be.Uint64(v[32:]),
	}
	if p.Start == 0 || p.Start-1 > p.Upto {
		return p, errs.Corruptf(20, "log starts at %d, the snapshot ends at %d", p.Start, p.Upto)
	}
	return p, nil
}

// EncodePublishing returns the record m/publishing, the number of a snapshot of which not all sets have their records yet: snapshot u64 | crc
// u32.
func EncodePublishing(snapshot uint64) []byte {
	return WithSum(KeyPublishing, binary.BigEndian.AppendUint64(nil, snapshot))
}

// DecodePublishing is the inverse of EncodePublishing. Errors: ErrCorrupt.
func DecodePublishing(v []byte) (snapshot uint64, err error) {
	if v, err = checkSum(KeyPublishing, v); err != nil {
		return 0, err
	}
	if len(v) != 8 {
		return 0, errs.Corruptf(0, "record of %d bytes", len(v))
	}
	return binary.BigEndian.Uint64(v), nil
}

const (
	recordVersion = 2
	recordFixed   = 1 + 8 + 4 + 8 + 4
	recordFixed1  = 1 + 8 + 8 + 8 + 4 + 8 + 4
)

// EncodeSetRecord returns the record s/<set>:
// version u8 | base u64 | pages u32 | entries u64 | table length u32 | table ... | meta ... | crc u32.
func EncodeSetRecord(r *SetRecord) []byte {
	be := binary.BigEndian
	v := make([]byte, 0, recordFixed+len(r.table)+len(r.Meta)+4)
	v = append(v, recordVersion)
	v = be.AppendUint64(v, r.Base)
	v = be.AppendUint32(v, uint32(r.Pages))
	v = be.AppendUint64(v, uint64(r.Entries))
	v = be.AppendUint32(v, uint32(len(r.table)))
	v = append(v, r.table...)
	return WithSum(KeySet(r.Key), append(v, r.Meta...))
}

// DecodeSetRecord is the inverse of EncodeSetRecord. It also reads records of layout 1. The result shares no memory with v. The page table
// and the metadata share one allocation.
func DecodeSetRecord(key, v []byte) (r SetRecord, err error) {
	if r, err = ViewSetRecord(key, v); err != nil {
		return SetRecord{}, err
	}
	r.Key = SetOf(key)
	rest := append(append(make([]byte, 0, len(r.table)+len(r.Meta)), r.table...), r.Meta...)
	r.table, r.Meta = rest[:len(r.table):len(r.table)], rest[len(r.table):]
	return r, nil
}

// ViewSetRecord is DecodeSetRecord without copies: the result shares memory with v, and has no name.
func ViewSetRecord(key, v []byte) (r SetRecord, err error) {
	be := binary.BigEndian
	if v, err = checkSum(key, v); err != nil {
		return r, err
	}
	if len(v) >= recordFixed1 && v[0] == 1 {
		return viewSetRecord1(v)
	}
	if len(v) < recordFixed || v[0] != recordVersion {
		return r, errs.Corruptf(0, "set record of %d bytes", len(v))
	}
	pages, entries, n := be.Uint32(v[9:]), be.Uint64(v[13:]), be.Uint32(v[21:])
	if pages > math.MaxInt32 || entries > math.MaxInt || int64(n) > int64(len(v)-recordFixed) {
		return r, errs.Corruptf(9, "set record with %d pages, %d entries and a page table of %d bytes", pages, entries, n)
	}
	table, meta := v[recordFixed:recordFixed+n], v[recordFixed+n:]
	if err := checkTable(table, int(pages), recordFixed); err != nil {
		return r, err
	}
	return SetRecord{Meta: meta, Base: be.Uint64(v[1:]), Pages: int(pages), Entries: int(entries), table: table}, nil
}

// viewSetRecord1 is ViewSetRecord of a record of layout 1, without its checksum:
// version u8 | snapshot u64 | id u64 | base u64 | pages u32 | entries u64 | sum u32 | meta ...
func viewSetRecord1(v []byte) (r SetRecord, err error) {
	be := binary.BigEndian
	snapshot, pages, entries := be.Uint64(v[1:]), be.Uint32(v[25:]), be.Uint64(v[29:])
	if pages > math.MaxInt32 || entries > math.MaxInt || pages > 0 && snapshot == 0 {
		return r, errs.Corruptf(25, "set record of snapshot %d with %d pages and %d entries", snapshot, pages, entries)
	}
	return SetRecord{
		Meta:    v[recordFixed1:],
		Base:    be.Uint64(v[17:]),
		Pages:   int(pages),
		Entries: int(entries),
		table:   tableOf1(int(pages), snapshot, be.Uint64(v[9:]), be.Uint32(v[37:])),
		old:     true,
	}, nil
}

// sumOf is the checksum of a key and its value together.
func sumOf(key, value []byte) uint32 {
	return crc32.Update(Checksum(key), castagnoli, value)
}
