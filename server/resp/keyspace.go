package resp

import (
	"math"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// What a key holds, whatever that is: the one place that knows that sorted sets are the engine's sets and plain values its private keys.
// Sets with int64 scores are shown and not changed.

const aSorted = aSet + 1 // a sorted set: no plain value

// typeNames are the kinds as TYPE calls them.
var typeNames = [...]string{none: "none", aString: "string", aSet: "set", aSorted: "zset"}

// held is what a key holds.
type held struct {
	kind    kind
	expires time.Time   // zero: never
	plain   plainValue  // of a plain value
	stat    engine.Stat // of a sorted set
}

// look returns what a key holds; its kind is none if it holds nothing.
func (t *txn) look(name string) (held, error) {
	v, err := t.plainAt(name)
	if err != nil || v.kind != none {
		return held{kind: v.kind, expires: v.expires, plain: v}, err
	}
	stat, err := t.tx.Stat(name)
	if err != nil || !stat.Exists {
		return held{}, err
	}
	return held{kind: aSorted, expires: stat.Expires, stat: stat}, nil
}

// exists reports whether a key holds something.
func (t *txn) exists(name string) (bool, error) {
	h, err := t.look(name)
	return h.kind != none, err
}

// encoding is what OBJECT ENCODING says of it.
func (h held) encoding() string {
	switch h.kind {
	case aSet:
		if _, ok := intset(members(h.plain)); ok && !h.plain.hashed {
			return "intset"
		}
		return "hashtable"
	case aString:
		if _, ok := wire.ParseInt(h.plain.body); ok {
			return "int"
		}
		if len(h.plain.body) <= 44 { // as Redis's OBJ_ENCODING_EMBSTR_SIZE_LIMIT
			return "embstr"
		}
		return "raw"
	}
	return h.stat.Encoding
}

// refcount is what OBJECT REFCOUNT says of it: Redis shares strings that are integers below 10,000, but for copies.
func (h held) refcount() int64 {
	if n, ok := wire.ParseInt(h.plain.body); h.kind == aString && !h.plain.copied && ok && n >= 0 && n < 10_000 {
		return math.MaxInt32
	}
	return 1
}

// size is about how many bytes of memory it takes under a key.
func (h held) size(name string) int {
	const perKey = 64 // what finding it takes
	if h.kind == aSorted {
		return perKey + len(name) + h.stat.Size
	}
	return perKey + 2*len(name) + plainHeader + len(h.plain.body)
}

// rename gives what a key holds, with its expiry, to another, in the place of what that held. The keys are not the same, and from
// holds something. Errors: errReadOnly.
func (t *txn) rename(from, to string) error {
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
func (t *txn) copy(from, to string) error {
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
func (t *txn) replace(name string, v plainValue) error {
	if _, err := t.drop(name); err != nil {
		return err
	}
	return t.putPlain(name, v)
}

// expire makes what a key holds, which is something, vanish at a time; at one that is past, at once. Errors: errReadOnly.
func (t *txn) expire(name string, at time.Time) error {
	if err := t.changeable(name); err != nil {
		return err
	}
	if !t.tx.Now().Before(at) {
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
func (t *txn) persist(name string) error {
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
