package keyspace

import (
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
)

// Rename moves the value of a key, with its expiry, to another key, in place of that key's value. The keys differ, and from has a value.
// Errors: ErrReadOnly.
func (t *Tx) Rename(from, to string) error {
	v, err := t.toMove(from, to)
	if err != nil {
		return err
	}
	if v.Kind == None {
		if _, err := t.DropPlain(to); err != nil {
			return err
		}
		return t.tx.Rename(from, to)
	}
	if err := t.Replace(to, v); err != nil {
		return err
	}
	_, err = t.DropPlain(from)
	return err
}

// Copy copies the value of a key, with its expiry, to another key, in place of that key's value. Errors: ErrReadOnly.
func (t *Tx) Copy(from, to string) error {
	v, err := t.toMove(from, to)
	if err != nil {
		return err
	}
	if v.Kind != None {
		v.Copied = v.Kind == String
		return t.Replace(to, v)
	}
	if _, err := t.DropPlain(to); err != nil {
		return err
	}
	return t.tx.Copy(from, to)
}

// Replace stores a plain value in place of a key's value. Errors: ErrReadOnly.
func (t *Tx) Replace(name string, v Plain) error {
	if _, err := t.Drop(name); err != nil {
		return err
	}
	return t.PutPlain(name, v)
}

// Expire sets the expiry of a key that has a value. An expiry that is past drops the value at once. Errors: ErrReadOnly.
func (t *Tx) Expire(name string, at time.Time) error {
	if err := t.Changeable(name); err != nil {
		return err
	}
	if !t.Now().Before(at) {
		_, err := t.Drop(name)
		return err
	}
	v, err := t.PlainAt(name)
	if err != nil {
		return err
	}
	if v.Kind != None {
		v.Expires = at
		return t.PutPlain(name, v)
	}
	s, err := t.tx.Set(name)
	if err == nil {
		_, err = s.ExpireAt(at)
	}
	return err
}

// Persist removes the expiry of a key that has one. Errors: ErrReadOnly.
func (t *Tx) Persist(name string) error {
	if err := t.Changeable(name); err != nil {
		return err
	}
	v, err := t.PlainAt(name)
	if err != nil {
		return err
	}
	if v.Kind != None {
		v.Expires = time.Time{}
		return t.PutPlain(name, v)
	}
	s, err := t.tx.Set(name)
	if err == nil {
		_, err = s.Persist()
	}
	return err
}

// toMove returns the plain value of a key, if clients may put what it has under another key. Errors: ErrReadOnly. A value under a reserved
// key that is not a set with int64 scores may be moved away.
func (t *Tx) toMove(from, to string) (Plain, error) {
	stat, err := t.tx.Stat(from)
	if err == nil && stat.Ints {
		err = command.ErrReadOnly
	}
	if err == nil {
		err = t.Changeable(to)
	}
	if err != nil {
		return Plain{}, err
	}
	return t.PlainAt(from)
}

// Rebuild stores a sorted set anew, as a listpack, if it is a skiplist and has at most most members. Sets with int64 scores or ties, and
// reserved ones, stay as they are.
func (t *Tx) Rebuild(name string, most int) error {
	stat, err := t.tx.Stat(name)
	small := stat.Exists && stat.Encoding != "listpack" && stat.Members <= most
	if err != nil || !small || stat.Ints || stat.Form.TieWidth > 0 || engine.Reserved(name) {
		return err
	}
	s, err := t.tx.Set(name)
	if err != nil {
		return err
	}
	if err := t.Put(name, s.Append(nil, 0, s.Len())); err != nil || stat.Expires.IsZero() {
		return err
	}
	return t.Expire(name, stat.Expires)
}
