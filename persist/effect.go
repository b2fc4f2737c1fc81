package persist

import (
	"encoding/binary"
	"fmt"
)

// Kind says what an Effect did. The numbers are stored: they are never reused.
type Kind uint8

const (
	// Create: the set exists now; Value is its meta.
	Create Kind = 1 + iota
	// Put: Member has Value now.
	Put
	// Remove: Member is gone.
	Remove
	// Drop: the set is gone, members and all.
	Drop
)

var kindNames = [...]string{Create: "create", Put: "put", Remove: "remove", Drop: "drop"}

// String returns "create", "put", "remove" or "drop".
func (k Kind) String() string {
	if k >= Create && k <= Drop {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Effect is one absolute change to one set: applying it twice is the same as applying it once.
type Effect struct {
	Kind   Kind
	Set    string
	Member []byte // Put, Remove
	Value  []byte // Create: meta; Put: value
}

// appendBytes appends a length and the bytes.
func appendBytes(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

// reader takes a value apart. It never trusts a length: every read is checked against the bytes that are there, and
// nothing is allocated by a number that was read.
type reader struct {
	buf []byte
	off int
}

// rest takes the bytes that are left.
func (r *reader) rest() []byte {
	b := r.buf[r.off:]
	r.off = len(r.buf)
	return b
}

func (r *reader) done() bool { return r.off == len(r.buf) }

func (r *reader) byte() (byte, error) {
	if r.done() {
		return 0, corrupt(r.off, "value ends early")
	}
	r.off++
	return r.buf[r.off-1], nil
}

// uvarint reads a varint in its only valid form, the shortest one.
func (r *reader) uvarint() (uint64, error) {
	v, n := binary.Uvarint(r.buf[r.off:])
	if n == 0 {
		return 0, corrupt(r.off, "value ends inside a varint")
	}
	if n < 0 || (n > 1 && r.buf[r.off+n-1] == 0) {
		return 0, corrupt(r.off, "varint is too long")
	}
	r.off += n
	return v, nil
}

// bytes reads a length and that many bytes. The result is part of the value, without room to grow into it.
func (r *reader) bytes() ([]byte, error) {
	at := r.off
	n, err := r.uvarint()
	if err != nil {
		return nil, err
	}
	if n > uint64(len(r.buf)-r.off) {
		return nil, corrupt(at, "length %d is beyond the end, %d bytes are left", n, len(r.buf)-r.off)
	}
	b := r.buf[r.off : r.off+int(n) : r.off+int(n)]
	r.off += int(n)
	return b, nil
}

// commitDecoder turns a commit's body into effects. It is reused from commit to commit.
type commitDecoder struct {
	names  []string          // the sets of this commit, in order of first use
	intern map[string]string // the sets of the whole log: one string each, not one a commit
}

// decode calls fn with each effect of the commit that r holds. Member and Value point into r.
func (d *commitDecoder) decode(r *reader, fn func(Effect) error) error {
	d.names = d.names[:0]
	for !r.done() {
		e, err := d.effect(r)
		if err != nil {
			return err
		}
		if err := fn(e); err != nil {
			return err
		}
	}
	return nil
}

func (d *commitDecoder) effect(r *reader) (e Effect, err error) {
	at := r.off
	k, err := r.byte()
	if err != nil {
		return e, err
	}
	e.Kind = Kind(k)
	if e.Kind < Create || e.Kind > Drop {
		return e, corrupt(at, "unknown effect kind %d", k)
	}
	if e.Set, err = d.set(r); err != nil {
		return e, err
	}
	if e.Kind == Put || e.Kind == Remove {
		if e.Member, err = r.bytes(); err != nil {
			return e, err
		}
	}
	if e.Kind == Put || e.Kind == Create {
		e.Value, err = r.bytes()
	}
	return e, err
}

// set reads a reference to a set: 0 and a name that is new in this commit, or the number of an earlier one.
func (d *commitDecoder) set(r *reader) (string, error) {
	at := r.off
	ref, err := r.uvarint()
	if err != nil {
		return "", err
	}
	if ref > uint64(len(d.names)) {
		return "", corrupt(at, "set number %d, and the commit has named %d", ref, len(d.names))
	}
	if ref > 0 {
		return d.names[ref-1], nil
	}
	b, err := r.bytes()
	if err != nil {
		return "", err
	}
	name, ok := d.intern[string(b)]
	if !ok {
		if d.intern == nil {
			d.intern = make(map[string]string)
		}
		name = string(b)
		d.intern[name] = name
	}
	d.names = append(d.names, name)
	return name, nil
}
