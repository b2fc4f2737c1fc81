package format

import (
	"encoding/binary"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/wal"
)

// MaxNote is the largest note, in bytes.
const MaxNote = 64 << 10

// AppendBytes appends a length and the bytes.
func AppendBytes(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

// Reader decodes a value. It never trusts a length: it checks every read against the remaining bytes, and no allocation depends on a
// number that was read.
type Reader struct {
	Buf []byte
	Off int
}

// Rest reads all remaining bytes.
func (r *Reader) Rest() []byte {
	b := r.Buf[r.Off:]
	r.Off = len(r.Buf)
	return b
}

// Done reports whether nothing is left.
func (r *Reader) Done() bool { return r.Off == len(r.Buf) }

func (r *Reader) byte() (byte, error) {
	if r.Done() {
		return 0, errs.Corruptf(r.Off, "value ends early")
	}
	r.Off++
	return r.Buf[r.Off-1], nil
}

// uvarint reads a varint in its only valid form, the shortest one.
func (r *Reader) uvarint() (uint64, error) {
	v, n := binary.Uvarint(r.Buf[r.Off:])
	if n == 0 {
		return 0, errs.Corruptf(r.Off, "value ends inside a varint")
	}
	if n < 0 || (n > 1 && r.Buf[r.Off+n-1] == 0) {
		return 0, errs.Corruptf(r.Off, "varint is too long")
	}
	r.Off += n
	return v, nil
}

// Bytes reads a length and that many bytes. The result shares the value's memory; its capacity is limited, so that an append copies it.
func (r *Reader) Bytes() ([]byte, error) {
	at := r.Off
	n, err := r.uvarint()
	if err != nil {
		return nil, err
	}
	if n > uint64(len(r.Buf)-r.Off) {
		return nil, errs.Corruptf(at, "length %d is beyond the end, %d bytes are left", n, len(r.Buf)-r.Off)
	}
	b := r.Buf[r.Off : r.Off+int(n) : r.Off+int(n)]
	r.Off += int(n)
	return b, nil
}

// CommitDecoder turns a commit's body into effects. It is reused from commit to commit.
type CommitDecoder struct {
	names  []string          // the sets of this commit, in order of first use
	Intern map[string]string // the set names of the whole log, so that all commits share one string for each
}

// Decode calls fn with each effect of the commit that r holds. Member and Value point into r.
func (d *CommitDecoder) Decode(r *Reader, fn func(wal.Effect) error) error {
	d.names = d.names[:0]
	notes := true // all effects so far are notes
	for !r.Done() {
		at := r.Off
		e, err := d.effect(r)
		if err == nil && e.Kind == wal.Note && !notes {
			err = errs.Corruptf(at, "a note follows another effect")
		}
		if err != nil {
			return err
		}
		notes = notes && e.Kind == wal.Note
		if err := fn(e); err != nil {
			return err
		}
	}
	return nil
}

func (d *CommitDecoder) effect(r *Reader) (e wal.Effect, err error) {
	at := r.Off
	k, err := r.byte()
	if err != nil {
		return e, err
	}
	e.Kind = wal.Kind(k)
	if e.Kind < wal.Create || e.Kind > wal.Note {
		return e, errs.Corruptf(at, "unknown effect kind %d", k)
	}
	if e.Kind == wal.Note {
		e.Value, err = noteOf(r)
		return e, err
	}
	if e.Set, err = d.set(r); err != nil {
		return e, err
	}
	if e.Kind == wal.Put || e.Kind == wal.Remove {
		if e.Member, err = r.Bytes(); err != nil {
			return e, err
		}
	}
	if e.Kind == wal.Put || e.Kind == wal.Create {
		e.Value, err = r.Bytes()
	}
	return e, err
}

// noteOf reads a note, whose kind has been read.
func noteOf(r *Reader) ([]byte, error) {
	at := r.Off
	note, err := r.Bytes()
	if err == nil && len(note) > MaxNote {
		err = errs.Corruptf(at, "a note of %d bytes, the most is %d", len(note), MaxNote)
	}
	return note, err
}

// set reads a reference to a set: 0 and a name that is new in this commit, or the number of an earlier one.
func (d *CommitDecoder) set(r *Reader) (string, error) {
	at := r.Off
	ref, err := r.uvarint()
	if err != nil {
		return "", err
	}
	if ref > uint64(len(d.names)) {
		return "", errs.Corruptf(at, "set number %d, and the commit has named %d", ref, len(d.names))
	}
	if ref > 0 {
		return d.names[ref-1], nil
	}
	b, err := r.Bytes()
	if err != nil {
		return "", err
	}
	name, ok := d.Intern[string(b)]
	if !ok {
		if d.Intern == nil {
			d.Intern = make(map[string]string)
		}
		name = string(b)
		d.Intern[name] = name
	}
	d.names = append(d.names, name)
	return name, nil
}
