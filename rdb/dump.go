package rdb

import (
	"encoding/binary"
	"fmt"
	"io"
	"iter"
)

// dumpFooter is the size of the version and the checksum behind a dumped value.
const dumpFooter = 2 + 8

// OpenDump returns the value that DUMP has written. It aliases the dump. Bytes behind the value are ignored, as Redis ignores them.
// Errors: *CorruptError, ErrChecksum among them, *VersionError, those of Validate.
func OpenDump(dump []byte, o ReadOptions) (*Value, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	end := len(dump) - dumpFooter
	if end < 0 {
		return nil, &CorruptError{Offset: int64(len(dump)), Reason: "a dump of so few bytes", Err: io.ErrUnexpectedEOF}
	}
	if version := int(binary.LittleEndian.Uint16(dump[end:])); version > MaxVersion && !o.AnyVersion {
		return nil, &VersionError{Version: version}
	}
	have, want := checksum(0, dump[:end+2]), binary.LittleEndian.Uint64(dump[end+2:])
	if have != want && !o.NoChecksum {
		return nil, &CorruptError{Offset: int64(end + 2), Err: ErrChecksum,
			Reason: fmt.Sprintf("the checksum is %016x, and that of the dump is %016x", want, have)}
	}
	in := newInput(nil, dump[:end], o.max(), o.Grow)
	in.noSum = true
	if end == 0 {
		return nil, in.fill(1)
	}
	e := Encoding(dump[0])
	in.pos = 1
	v := &Value{Kind: e.kind(), Encoding: e, in: in}
	if v.Kind == 0 || e == ModuleFirst {
		return nil, corrupt(0, "a value of the unknown encoding %d", e)
	}
	if e == ModuleSecond {
		id, err := in.count()
		if err != nil {
			return nil, err
		}
		v.ModuleType = moduleName(id)
	}
	return v, nil
}

// Dumper appends values as DUMP writes them. Its methods append to dst the value, the version and the checksum. It keeps memory between calls, and is not safe
// for use by several goroutines.
type Dumper struct{ e encoder }

// NewDumper returns a Dumper. Errors: those of Validate.
func NewDumper(o WriteOptions) (*Dumper, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return &Dumper{e: encoder{o: o}}, nil
}

// String appends a string.
func (d *Dumper) String(dst, s []byte) []byte {
	d.e.out = append(dst, byte(StringText))
	d.e.text(s)
	return d.seal(len(dst))
}

// SortedSet appends a sorted set of n members; descending has them in descending order, so that a binary one is that of Redis. Errors: ErrCount.
func (d *Dumper) SortedSet(dst []byte, n int, descending iter.Seq2[[]byte, float64]) ([]byte, error) {
	d.e.out = dst
	if err := d.e.sortedSet(nil, n, descending); err != nil {
		return dst, err
	}
	return d.seal(len(dst)), nil
}

// Set appends a plain set of n members. Errors: ErrCount.
func (d *Dumper) Set(dst []byte, n int, members iter.Seq[[]byte]) ([]byte, error) {
	d.e.out = dst
	if err := d.e.set(nil, n, members); err != nil {
		return dst, err
	}
	return d.seal(len(dst)), nil
}

// Hash appends a hash of n fields. Errors: ErrCount.
func (d *Dumper) Hash(dst []byte, n int, fields iter.Seq2[[]byte, []byte]) ([]byte, error) {
	d.e.out = dst
	if err := d.e.hash(nil, n, fields); err != nil {
		return dst, err
	}
	return d.seal(len(dst)), nil
}

// seal appends the version and the checksum of what begins at from.
func (d *Dumper) seal(from int) []byte {
	b := binary.LittleEndian.AppendUint16(d.e.out, WrittenVersion)
	d.e.out = nil
	return binary.LittleEndian.AppendUint64(b, checksum(0, b[from:]))
}
