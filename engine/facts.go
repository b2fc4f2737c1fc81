package engine

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/persist"
)

// facts are what must be known of a set besides its members. They are in a set's record and in each Create:
//
//	tie width u8 | version u64 | flags u8 | expiry i64 | score tie u8 | digest u64 | key
//
// big endian; those after version only if one of them or a flag says something: expiry if flags has withExpiry, score tie if it has
// withScoreTie, digest if it has withDigest, key if it has withKey. withInts means int64 scores, and withDense dense ranks in O(log n); that, a score tie
// and a digest are of such sets only. The first nine bytes alone are a set of float64 scores that never expires and is called in the log what
// its key is.
type facts struct {
	tieWidth int
	version  uint64
	scoreTie int  // bytes of the tie that belong to the score
	ints     bool // scores are int64
	dense    bool
	expires  int64  // milliseconds after 1970; 0: never
	key      string // "": the name that the facts belong to
	other    bool   // key counts, even if it is ""
	hidden   bool   // it has no key yet, see stage
	digest   digest
}

const (
	shortFacts = 9
	withExpiry = 1
	withKey    = 2
	withNoKey  = 4 // hidden
	withInts   = 8
	withDense  = 16
	// withScoreTie says that the score tie is not 0.
	withScoreTie = 32
	withDigest   = 64
	allFlags     = 2*withDigest - 1
)

// form returns what the facts say of it.
func (f facts) form() form {
	return form{Form{TieWidth: f.tieWidth, ScoreTie: f.scoreTie, Dense: f.dense}, f.ints}
}

// factsOf returns the facts of a set that has no key of its own, and no expiry.
func factsOf(f form, version uint64) facts {
	return facts{tieWidth: f.TieWidth, scoreTie: f.ScoreTie, dense: f.Dense, ints: f.ints, version: version}
}

func (f facts) encode() []byte {
	b := binary.BigEndian.AppendUint64([]byte{byte(f.tieWidth)}, f.version)
	flags := f.flags()
	if flags == 0 {
		return b
	}
	b = append(b, flags)
	if f.expires != 0 {
		b = binary.BigEndian.AppendUint64(b, uint64(f.expires))
	}
	if f.scoreTie != 0 {
		b = append(b, byte(f.scoreTie))
	}
	if f.digest.known {
		b = binary.BigEndian.AppendUint64(b, f.digest.sum)
	}
	return append(b, f.key...)
}

func (f facts) flags() (flags byte) {
	for _, x := range [...]struct {
		says bool
		flag byte
	}{{f.expires != 0, withExpiry}, {f.other, withKey}, {f.hidden, withNoKey}, {f.ints, withInts}, {f.dense, withDense},
		{f.scoreTie != 0, withScoreTie}, {f.digest.known, withDigest}} {
		if x.says {
			flags |= x.flag
		}
	}
	return flags
}

// decodeFacts reads the facts of the set that the log calls id.
func decodeFacts(id string, b []byte) (facts, error) {
	wrong := func() (facts, error) {
		return facts{}, fmt.Errorf("%w: facts of set %q have %d bytes that make no sense", persist.ErrCorrupt, id, len(b))
	}
	if len(b) < shortFacts {
		return wrong()
	}
	f := facts{tieWidth: int(b[0]), version: binary.BigEndian.Uint64(b[1:])}
	if len(b) == shortFacts {
		return f, nil
	}
	flags, b := b[shortFacts], b[shortFacts+1:]
	if flags == 0 || flags > allFlags || flags&withKey != 0 && flags&withNoKey != 0 ||
		flags&withInts == 0 && flags&(withDense|withScoreTie|withDigest) != 0 {
		return wrong()
	}
	f.ints, f.dense, f.hidden = flags&withInts != 0, flags&withDense != 0, flags&withNoKey != 0
	if flags&withExpiry != 0 {
		if len(b) < 8 || !possible(binary.BigEndian.Uint64(b)) {
			return wrong()
		}
		f.expires, b = int64(binary.BigEndian.Uint64(b)), b[8:]
	}
	if flags&withScoreTie != 0 {
		if len(b) == 0 || b[0] == 0 {
			return wrong()
		}
		f.scoreTie, b = int(b[0]), b[1:]
	}
	if flags&withDigest != 0 {
		if len(b) < 8 {
			return wrong()
		}
		f.digest, b = digest{binary.BigEndian.Uint64(b), true}, b[8:]
	}
	if flags&withKey != 0 {
		if f.key, f.other = string(b), true; f.key == id {
			return wrong()
		}
		b = nil
	}
	if len(b) > 0 {
		return wrong()
	}
	return f, nil
}

// lastExpiry is the last moment of the year 9999.
var lastExpiry = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).Add(-1)

// possible reports whether a set can expire at a time, in milliseconds after 1970.
func possible(at uint64) bool { return at > 0 && at <= uint64(lastExpiry.UnixMilli()) }
