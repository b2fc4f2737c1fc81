package facts

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/persist"
)

// Facts are what must be known of a set besides its members. They are stored in the set's record and in each Create:
//
//	tie width u8 | version u64 | flags u8 | expiry i64 | score tie u8 | digest u64 | key
//
// Integers are big endian. If no flag is set, the facts end after version (ShortFacts): the set has float64 scores, never expires, and its
// id is its key. Otherwise a field after flags is present if its flag is set: expiry with WithExpiry, score tie with WithScoreTie, digest
// with withDigest, key with WithKey. WithInts means int64 scores, and WithDense dense ranks in O(log n). WithDense, WithScoreTie and
// withDigest need WithInts. Unlogged has no field.
type Facts struct {
	TieWidth int
	Version  uint64
	ScoreTie int  // bytes of the tie that belong to the score
	Ints     bool // scores are int64
	Dense    bool
	Expires  int64  // milliseconds after 1970; 0: never
	Key      string // the set's key, if Other
	Other    bool   // the set's key is Key, perhaps ""; otherwise its key is its id
	Hidden   bool   // it has no key yet: a set operation is still writing it to the log
	Unlogged bool   // in a Create only: the set has members that no commit has put, since their pages were written before this one
	Digest   Digest
}

// The bytes of facts: how many the short form has, and the flags that follow it in the long form.
const (
	ShortFacts   = 9
	WithExpiry   = 1
	WithKey      = 2
	WithNoKey    = 4 // hidden
	WithInts     = 8
	WithDense    = 16
	WithScoreTie = 32
	withDigest   = 64
	WithUnlogged = 128
)

// Layout returns the layout of the set.
func (f Facts) Layout() Layout {
	return Layout{TieWidth: f.TieWidth, ScoreTie: f.ScoreTie, Dense: f.Dense, Ints: f.Ints}
}

// FactsOf returns the facts of a set whose id is its key, and that never expires.
func FactsOf(f Layout, version uint64) Facts {
	return Facts{TieWidth: f.TieWidth, ScoreTie: f.ScoreTie, Dense: f.Dense, Ints: f.Ints, Version: version}
}

// Encode returns the facts as they are stored. DecodeFacts undoes it.
func (f Facts) Encode() []byte {
	b := binary.BigEndian.AppendUint64([]byte{byte(f.TieWidth)}, f.Version)
	flags := f.flags()
	if flags == 0 {
		return b
	}
	b = append(b, flags)
	if f.Expires != 0 {
		b = binary.BigEndian.AppendUint64(b, uint64(f.Expires))
	}
	if f.ScoreTie != 0 {
		b = append(b, byte(f.ScoreTie))
	}
	if f.Digest.Known {
		b = binary.BigEndian.AppendUint64(b, f.Digest.Sum)
	}
	return append(b, f.Key...)
}

func (f Facts) flags() (flags byte) {
	for _, x := range [...]struct {
		isSet bool
		flag  byte
	}{{f.Expires != 0, WithExpiry}, {f.Other, WithKey}, {f.Hidden, WithNoKey}, {f.Ints, WithInts}, {f.Dense, WithDense},
		{f.ScoreTie != 0, WithScoreTie}, {f.Digest.Known, withDigest}, {f.Unlogged, WithUnlogged}} {
		if x.isSet {
			flags |= x.flag
		}
	}
	return flags
}

// DecodeFacts decodes the facts of the set with this id.
func DecodeFacts(id string, b []byte) (Facts, error) {
	wrong := func() (Facts, error) {
		return Facts{}, fmt.Errorf("%w: facts of set %q have %d bytes that make no sense", persist.ErrCorrupt, id, len(b))
	}
	if len(b) < ShortFacts {
		return wrong()
	}
	f := Facts{TieWidth: int(b[0]), Version: binary.BigEndian.Uint64(b[1:])}
	if len(b) == ShortFacts {
		return f, nil
	}
	flags, b := b[ShortFacts], b[ShortFacts+1:]
	if flags == 0 || flags&WithKey != 0 && flags&WithNoKey != 0 ||
		flags&WithInts == 0 && flags&(WithDense|WithScoreTie|withDigest) != 0 {
		return wrong()
	}
	f.Ints, f.Dense, f.Hidden = flags&WithInts != 0, flags&WithDense != 0, flags&WithNoKey != 0
	f.Unlogged = flags&WithUnlogged != 0
	if flags&WithExpiry != 0 {
		if len(b) < 8 || !possible(binary.BigEndian.Uint64(b)) {
			return wrong()
		}
		f.Expires, b = int64(binary.BigEndian.Uint64(b)), b[8:]
	}
	if flags&WithScoreTie != 0 {
		if len(b) == 0 || b[0] == 0 {
			return wrong()
		}
		f.ScoreTie, b = int(b[0]), b[1:]
	}
	if flags&withDigest != 0 {
		if len(b) < 8 {
			return wrong()
		}
		f.Digest, b = Digest{binary.BigEndian.Uint64(b), true}, b[8:]
	}
	if flags&WithKey != 0 {
		if f.Key, f.Other = string(b), true; f.Key == id {
			return wrong()
		}
		b = nil
	}
	if len(b) > 0 {
		return wrong()
	}
	return f, nil
}

// LastExpiry is the last moment of the year 9999.
var LastExpiry = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).Add(-1)

// possible reports whether a set can expire at a time, in milliseconds after 1970.
func possible(at uint64) bool { return at > 0 && at <= uint64(LastExpiry.UnixMilli()) }
