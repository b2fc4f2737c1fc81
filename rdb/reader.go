package rdb

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"
)

// defaultMaxString is the size of the largest listpack of Redis.
const defaultMaxString = 1 << 30

// ReadOptions are those of a Reader. The zero value reads files as Redis does.
type ReadOptions struct {
	// MaxString is the size of the largest string that is read, in bytes: a member, a value, a listpack. 0: 1 GiB. Memory is a small
	// multiple of the largest string that the file has. Values that are skipped may have larger ones.
	MaxString int64
	// Grow is called before a compressed string becomes so many bytes, at most MaxString. An error of it ends the read and is returned as it is. nil: any may.
	Grow func(bytes int) error
	// AnyVersion reads files of later versions, and of Valkey, as far as they are like those that are known.
	AnyVersion bool
	// NoChecksum does not check the checksum of a file.
	NoChecksum bool
	// Aux is called with the fields that the program that wrote the file has added, such as redis-ver. Both are valid during the call.
	Aux func(name, value []byte)
}

// Validate names every problem.
func (o ReadOptions) Validate() error {
	if o.MaxString < 0 {
		return fmt.Errorf("rdb: MaxString is %d, and must not be negative", o.MaxString)
	}
	return nil
}

// max returns MaxString or its default.
func (o ReadOptions) max() int64 {
	if o.MaxString == 0 {
		return defaultMaxString
	}
	return o.MaxString
}

// Key is a key and its value, which is read by one of the methods of Value before the next call of Next.
type Key struct {
	Value
	DB      int       // number of the database, from 0
	Name    []byte    // valid until the next call of Next
	Expires time.Time // the zero time: never
	Idle    int64     // seconds without use; -1: not in the file
	Freq    int       // logarithmic counter of uses; -1: not in the file
	Offset  int64     // of the encoding of the value
}

// Unkeyed counts what a file has that belongs to no key, and that a Reader skips.
type Unkeyed struct {
	Functions int `json:"functions,omitempty"`  // libraries of functions
	ModuleAux int `json:"module_aux,omitempty"` // pieces of data of modules
}

// Reader reads a file, key by key, in constant memory. It is not safe for use by several goroutines.
type Reader struct {
	o       ReadOptions
	in      *input
	version int
	valkey  bool
	err     error // what ended the reader
	db      int
	key     Key
	unkeyed Unkeyed
}

// NewReader reads the beginning of a file. Errors: ErrNotRDB, *VersionError, *CorruptError, those of Validate and of r.
func NewReader(r io.Reader, o ReadOptions) (*Reader, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	f := &Reader{o: o, in: newInput(r, nil, o.max(), o.Grow)}
	header, err := f.in.take(headerSize)
	if err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("%w: it has fewer than %d bytes", ErrNotRDB, headerSize)
		}
		return nil, err
	}
	digits, ok := bytes.CutPrefix(header, []byte(magic))
	if !ok {
		digits, ok = bytes.CutPrefix(header, []byte(magicValkey))
		f.valkey = ok
	}
	version, err := strconv.ParseUint(string(digits), 10, 16)
	if !ok || err != nil || version == 0 {
		return nil, fmt.Errorf("%w: it begins with %q", ErrNotRDB, header)
	}
	f.version = int(version)
	if !o.AnyVersion && (f.valkey || f.version > MaxVersion) {
		return nil, &VersionError{Valkey: f.valkey, Version: f.version}
	}
	f.in.noSum = o.NoChecksum || f.version < firstChecked
	return f, nil
}

// Version returns the version of the file.
func (f *Reader) Version() int { return f.version }

// Unkeyed returns what has been skipped so far. It has no values of keys.
func (f *Reader) Unkeyed() Unkeyed { return f.unkeyed }

// Offset returns how many bytes of the file have been read.
func (f *Reader) Offset() int64 { return f.in.offset() }

// Rest returns what stands behind the end of the file, such as the commands of an append-only file that begins with one. Only after Next has returned io.EOF.
func (f *Reader) Rest() io.Reader {
	return io.MultiReader(bytes.NewReader(f.in.buf[f.in.pos:f.in.end]), f.in.r)
}

// Next skips what has not been read of the value before, and returns the next key. Errors: io.EOF after the last key, if the file ends as it should and its
// checksum is right; *CorruptError, those of the reader. After an error of Next or of a Value, or one that a callback has returned, Next
// returns that error again.
func (f *Reader) Next() (*Key, error) {
	if f.err == nil && f.key.in != nil {
		f.err = f.key.Skip()
	}
	if f.err == nil {
		f.err = f.next()
	}
	if f.err != nil {
		return nil, f.err
	}
	return &f.key, nil
}

// next reads the opcodes up to the next key, and the key.
func (f *Reader) next() error {
	f.key = Key{DB: f.db, Idle: -1, Freq: -1, Name: f.key.Name, Value: Value{field: f.key.field}}
	for {
		at := f.in.offset()
		op, err := f.in.byte()
		if err != nil {
			return err
		}
		switch op {
		case opEnd:
			return f.finish()
		case opSelectDB:
			err = f.selectDB(at)
		case opExpire, opExpireMillis, opIdle, opFreq:
			err = f.about(op)
		default:
			if op < opSlotInfo {
				return f.begin(at, Encoding(op))
			}
			err = f.pass(op)
		}
		if err != nil {
			return err
		}
	}
}

// selectDB reads the number of a database.
func (f *Reader) selectDB(at int64) error {
	const most = 1<<31 - 1
	n, err := f.in.count()
	if err == nil && n > most {
		err = corrupt(at, "the database %d", n)
	}
	f.db = int(n)
	f.key.DB = f.db
	return err
}

// about reads what is said of the next key.
func (f *Reader) about(op byte) error {
	switch op {
	case opExpire:
		seconds, err := f.in.uint64(4)
		f.key.Expires = time.Unix(int64(int32(seconds)), 0)
		return err
	case opExpireMillis:
		ms, err := f.in.uint64(8)
		f.key.Expires = time.UnixMilli(int64(ms))
		return err
	case opIdle:
		idle, err := f.in.count()
		f.key.Idle = int64(idle)
		return err
	}
	freq, err := f.in.byte()
	f.key.Freq = int(freq)
	return err
}

// pass reads what belongs to no key.
func (f *Reader) pass(op byte) error {
	switch op {
	case opAux:
		return f.aux()
	case opResizeDB:
		return f.in.lengths(2)
	case opSlotInfo:
		return f.in.lengths(3)
	case opFunction:
		f.unkeyed.Functions++
		return f.in.skipText()
	case opModuleAux: // the module's id, and when it wrote this
		f.unkeyed.ModuleAux++
		if err := f.in.lengths(3); err != nil {
			return err
		}
		return f.in.skipModule()
	}
	// A library of functions in a preview: name, engine, description or not, source.
	f.unkeyed.Functions++
	if err := f.in.skipTexts(2); err != nil {
		return err
	}
	described, err := f.in.count()
	if err != nil {
		return err
	}
	return f.in.skipTexts(1 + min(described, 1))
}

// aux reads a field that the writer has added.
func (f *Reader) aux() error {
	if f.o.Aux == nil {
		return f.in.skipTexts(2)
	}
	name, err := f.in.text()
	if err != nil {
		return err
	}
	own := bytes.Clone(name)
	value, err := f.in.text()
	if err == nil {
		f.o.Aux(own, value)
	}
	return err
}

// begin reads a key. Its value is next.
func (f *Reader) begin(at int64, e Encoding) error {
	kind := e.kind()
	if kind == 0 || f.valkey && e >= firstRedisOnly {
		return corrupt(at, "a value of the unknown encoding %d", e)
	}
	name, err := f.in.text()
	if err != nil {
		return err
	}
	f.key.Name = append(f.key.Name[:0], name...)
	f.key.Offset = at
	v := &f.key.Value
	v.Kind, v.Encoding, v.in, v.key = kind, e, f.in, string(name)
	v.after = func(err error) { f.err = err }
	if e == ModuleFirst {
		return named(corrupt(at, "a module's value of the first encoding, whose length only the module knows"), v.key)
	}
	if e == ModuleSecond {
		id, err := f.in.count()
		v.ModuleType = moduleName(id)
		return named(err, v.key)
	}
	return nil
}

// finish reads and checks the checksum. It returns io.EOF if all is well.
func (f *Reader) finish() error {
	if f.version < firstChecked {
		return io.EOF
	}
	have, at := f.in.sum(), f.in.offset()
	want, err := f.in.uint64(8)
	if err != nil {
		return err
	}
	if want != 0 && want != have && !f.in.noSum {
		return &CorruptError{Offset: at, Reason: fmt.Sprintf("the checksum is %016x, and that of the file is %016x", want, have), Err: ErrChecksum}
	}
	return io.EOF
}
