package resp

import (
	"time"

	"github.com/zrankdb/zrank/engine"
)

// rename gives what a key holds, with its expiry, to another, in the place of what that held. The keys are not the same, and from
// holds something. Errors: errReadOnly.
func (t *keyTx) rename(from, to string) error {
	if err := t.movable(from, to); err != nil {
		return err
	}
	v, err := t.plainAt(from)
	if err != nil {
		return err
	}
	if v.kind == none {
		if _, err := t.dropPlain(to); err != nil {
			return err
		}
		return t.tx.Rename(from, to)
	}
	if err := t.replace(to, v); err != nil {
		return err
	}
	_, err = t.dropPlain(from)
	return err
}

// copy is rename that leaves what it copies where it is.
func (t *keyTx) copy(from, to string) error {
	if err := t.movable(from, to); err != nil {
		return err
	}
	v, err := t.plainAt(from)
	if err != nil {
		return err
	}
	if v.kind != none {
		v.copied = v.kind == aString
		return t.replace(to, v)
	}
	if _, err := t.dropPlain(to); err != nil {
		return err
	}
	return t.tx.Copy(from, to)
}

// replace gives a key a plain value in the place of what it holds. Errors: errReadOnly.
func (t *keyTx) replace(name string, v plainValue) error {
	if _, err := t.drop(name); err != nil {
		return err
	}
	return t.putPlain(name, v)
}

// expire makes what a key holds, which is something, vanish at a time; at one that is past, at once. Errors: errReadOnly.
func (t *keyTx) expire(name string, at time.Time) error {
	if err := t.changeable(name); err != nil {
		return err
	}
	if !t.now().Before(at) {
		_, err := t.drop(name)
		return err
	}
	v, err := t.plainAt(name)
	if err != nil {
		return err
	}
	if v.kind != none {
		v.expires = at
		return t.putPlain(name, v)
	}
	s, err := t.tx.Set(name)
	if err == nil {
		_, err = s.ExpireAt(at)
	}
	return err
}

// persist makes what a key holds, which has a time to vanish, stay for good. Errors: errReadOnly.
func (t *keyTx) persist(name string) error {
	if err := t.changeable(name); err != nil {
		return err
	}
	v, err := t.plainAt(name)
	if err != nil {
		return err
	}
	if v.kind != none {
		v.expires = time.Time{}
		return t.putPlain(name, v)
	}
	s, err := t.tx.Set(name)
	if err == nil {
		_, err = s.Persist()
	}
	return err
}

// changeable says why what keys hold may not be changed by clients, or nil.
func (t *keyTx) changeable(names ...string) error {
	for _, name := range names {
		stat, err := t.tx.Stat(name)
		if err != nil {
			return err
		}
		if stat.Ints || engine.Reserved(name) {
			return errReadOnly
		}
	}
	return nil
}

// movable says why what one key holds may not be put under another by clients, or nil. What is under a reserved key and is no board's
// may leave it.
func (t *keyTx) movable(from, to string) error {
	stat, err := t.tx.Stat(from)
	if err == nil && stat.Ints {
		err = errReadOnly
	}
	if err != nil {
		return err
	}
	return t.changeable(to)
}

// drop deletes whatever a key holds, and reports whether it held anything. Errors: errReadOnly.
func (t *keyTx) drop(name string) (bool, error) {
	if err := t.changeable(name); err != nil {
		return false, err
	}
	plain, err := t.dropPlain(name)
	if err != nil {
		return false, err
	}
	sorted, err := t.tx.Drop(name) // under a plain value too: the program may have made one
	return plain || sorted, err
}

// rebuild makes a set anew if it is no listpack and has few enough members.
func (t *keyTx) rebuild(name string, most int) error {
	stat, err := t.tx.Stat(name)
	small := stat.Exists && stat.Encoding != "listpack" && stat.Members <= most
	if err != nil || !small || stat.Ints || stat.Form.TieWidth > 0 || engine.Reserved(name) {
		return err
	}
	s, err := t.tx.Set(name)
	if err != nil {
		return err
	}
	if err := t.put(name, s.Append(nil, 0, s.Len())); err != nil || stat.Expires.IsZero() {
		return err
	}
	return t.expire(name, stat.Expires)
}
