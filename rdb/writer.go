package rdb

import (
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"time"
)

// Writer writes a file of version 10, that of Redis 7.0, in constant memory but for values that may be small: those wait until it is known. After an error
// each method returns it. It is not safe for use by several goroutines.
type Writer struct {
	w      io.Writer
	e      encoder
	crc    uint64
	err    error
	closed bool
}

// NewWriter begins a file. Errors: those of Validate.
func NewWriter(w io.Writer, o WriteOptions) (*Writer, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	f := &Writer{w: w, e: encoder{o: o}}
	f.e.flush = f.flush
	f.e.out = fmt.Appendf(make([]byte, 0, 2*flushAt), "%s%04d", magic, WrittenVersion)
	return f, nil
}

// flush writes what is buffered.
func (f *Writer) flush() error {
	if !f.e.o.NoChecksum {
		f.crc = checksum(f.crc, f.e.out)
	}
	_, err := f.w.Write(f.e.out)
	f.e.out = f.e.out[:0]
	if err != nil {
		err = fmt.Errorf("rdb: writing: %w", err)
	}
	return err
}

// do calls write unless an error came before, and remembers its error.
func (f *Writer) do(write func() error) error {
	if f.err == nil {
		f.err = write()
	}
	return f.err
}

// Aux writes a field about the file, such as redis-ver, before the keys.
func (f *Writer) Aux(name, value string) error {
	return f.do(func() error {
		f.e.out = append(f.e.out, opAux)
		f.e.text([]byte(name))
		f.e.text([]byte(value))
		return f.e.check()
	})
}

// SelectDB says in which database the next keys are.
func (f *Writer) SelectDB(db int) error {
	return f.do(func() error {
		f.e.out = append(f.e.out, opSelectDB)
		f.e.length(uint64(db))
		return nil
	})
}

// ResizeDB says how many keys the database has, and how many of them expire. Redis makes its tables as large as that.
func (f *Writer) ResizeDB(keys, expiring int) error {
	return f.do(func() error {
		f.e.out = append(f.e.out, opResizeDB)
		f.e.length(uint64(keys))
		f.e.length(uint64(expiring))
		return nil
	})
}

// expiry writes when the next key expires; the zero time: never.
func (f *Writer) expiry(at time.Time) {
	if !at.IsZero() {
		f.e.out = binary.LittleEndian.AppendUint64(append(f.e.out, opExpireMillis), uint64(at.UnixMilli()))
	}
}

// String writes a key with a string; expires is the zero time for never.
func (f *Writer) String(name []byte, expires time.Time, value []byte) error {
	return f.do(func() error {
		f.expiry(expires)
		f.e.begin(StringText, notNil(name))
		f.e.text(value)
		return f.e.check()
	})
}

// SortedSet writes a key with a sorted set of n members; descending has them in descending order, so that the bytes are those of Redis. n must not be 0: Redis has no
// empty sets, and skips them. Errors: ErrCount, after which the file is of no use; those of the writer.
func (f *Writer) SortedSet(name []byte, expires time.Time, n int, descending iter.Seq2[[]byte, float64]) error {
	return f.do(func() error {
		f.expiry(expires)
		return f.e.sortedSet(notNil(name), n, descending)
	})
}

// Set writes a key with a plain set of n members, as SortedSet does.
func (f *Writer) Set(name []byte, expires time.Time, n int, members iter.Seq[[]byte]) error {
	return f.do(func() error {
		f.expiry(expires)
		return f.e.set(notNil(name), n, members)
	})
}

// Hash writes a key with a hash of n fields, as SortedSet does.
func (f *Writer) Hash(name []byte, expires time.Time, n int, fields iter.Seq2[[]byte, []byte]) error {
	return f.do(func() error {
		f.expiry(expires)
		return f.e.hash(notNil(name), n, fields)
	})
}

// notNil returns the empty key for nil.
func notNil(name []byte) []byte {
	if name == nil {
		return []byte{}
	}
	return name
}

// Close writes the end and the checksum. It does not close what it writes to. A second call returns what the first did.
func (f *Writer) Close() error {
	if f.closed {
		return f.err
	}
	f.closed = true
	return f.do(func() error {
		f.e.out = append(f.e.out, opEnd)
		if err := f.flush(); err != nil {
			return err
		}
		f.e.out = binary.LittleEndian.AppendUint64(f.e.out, f.crc)
		return f.flush()
	})
}
