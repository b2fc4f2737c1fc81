package keyspace

import (
	"math"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// Value is the value of a key, of any kind.
type Value struct {
	Kind    Kind
	Expires time.Time   // zero: never
	Plain   Plain       // of a string or a plain set
	Stat    engine.Stat // of a sorted set
}

// Get returns the value of a key. Its kind is None if there is no value.
func (t *Tx) Get(name string) (Value, error) {
	v, err := t.PlainAt(name)
	if err != nil || v.Kind != None {
		return Value{Kind: v.Kind, Expires: v.Expires, Plain: v}, err
	}
	stat, err := t.tx.Stat(name)
	if err != nil || !stat.Exists {
		return Value{}, err
	}
	return Value{Kind: SortedSet, Expires: stat.Expires, Stat: stat}, nil
}

// Exists reports whether a key has a value.
func (t *Tx) Exists(name string) (bool, error) {
	h, err := t.Get(name)
	return h.Kind != None, err
}

// Encoding returns the reply of OBJECT ENCODING.
func (h Value) Encoding() string {
	switch h.Kind {
	case PlainSet:
		if _, ok := Integers(Members(h.Plain)); ok && !h.Plain.Hashed {
			return "intset"
		}
		return "hashtable"
	case String:
		if _, ok := wire.ParseInt(h.Plain.Body); ok {
			return "int"
		}
		if len(h.Plain.Body) <= 44 { // as Redis's OBJ_ENCODING_EMBSTR_SIZE_LIMIT
			return "embstr"
		}
		return "raw"
	}
	return h.Stat.Encoding
}

// Refcount returns the reply of OBJECT REFCOUNT: Redis shares strings that are integers below 10,000, unless COPY has made them.
func (h Value) Refcount() int64 {
	if n, ok := wire.ParseInt(h.Plain.Body); h.Kind == String && !h.Plain.Copied && ok && n >= 0 && n < 10_000 {
		return math.MaxInt32
	}
	return 1
}

// Size returns about how many bytes of memory a key and its value take.
func (h Value) Size(name string) int {
	const perKey = 64 // index of keys
	if h.Kind == SortedSet {
		return perKey + len(name) + h.Stat.Size
	}
	return perKey + 2*len(name) + plainHeader + len(h.Plain.Body)
}
