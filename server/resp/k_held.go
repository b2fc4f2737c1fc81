package resp

import (
	"math"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// What a key holds, whatever that is: the one place that knows that sorted sets are the engine's sets and plain values its private keys.
// Sets with int64 scores are shown and not changed.

// held is what a key holds.
type held struct {
	kind    kind
	expires time.Time   // zero: never
	plain   plainValue  // of a plain value
	stat    engine.Stat // of a sorted set
}

// look returns what a key holds; its kind is none if it holds nothing.
func (t *keyTx) look(name string) (held, error) {
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
func (t *keyTx) exists(name string) (bool, error) {
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
