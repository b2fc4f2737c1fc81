package engine

import (
	"encoding/binary"
	"fmt"

	"github.com/zrankdb/zrank/internal/seeded"
)

// facts are what must be known of a set besides its members. They are in a set's record and in each Create:
//
//	tie width u8 | version u64 | flags u8 | expiry i64 | key
//
// big endian; the last three only if one of them says something: expiry if flags has withExpiry, key if it has withKey. The
// first nine bytes alone are a set that never expires and is called in the log what its key is.
type facts struct {
	tieWidth int
	version  uint64
	expires  int64  // milliseconds after 1970; 0: never
	key      string // "": the name that the facts belong to
	other    bool   // key counts, even if it is ""
	hidden   bool   // it has no key yet, see stage
}

const (
	shortFacts = 9
	withExpiry = 1
	withKey    = 2
	withNoKey  = 4 // hidden
)

// facts returns those of a set that is in memory. The caller holds its lock.
func (s *set) facts() facts {
	f := facts{tieWidth: s.z.TieWidth(), version: s.version}
	if r := s.rare; r != nil {
		f.expires, f.hidden = r.expires, r.hidden
		if r.other && !r.hidden && !seeded.Bug("a renamed set keeps its old key in the snapshot") {
			f.key, f.other = s.key, true
		}
	}
	return f
}

func (f facts) encode() []byte {
	b := binary.BigEndian.AppendUint64([]byte{byte(f.tieWidth)}, f.version)
	flags := byte(0)
	if f.expires != 0 {
		flags |= withExpiry
	}
	if f.other {
		flags |= withKey
	}
	if f.hidden {
		flags |= withNoKey
	}
	if flags == 0 {
		return b
	}
	b = append(b, flags)
	if f.expires != 0 {
		b = binary.BigEndian.AppendUint64(b, uint64(f.expires))
	}
	return append(b, f.key...)
}

// decodeFacts reads the facts of the set that the log calls id.
func decodeFacts(id string, b []byte) (facts, error) {
	wrong := func() (facts, error) {
		return facts{}, fmt.Errorf("%w: facts of set %q have %d bytes that make no sense", ErrCorrupt, id, len(b))
	}
	if len(b) < shortFacts {
		return wrong()
	}
	f := facts{tieWidth: int(b[0]), version: binary.BigEndian.Uint64(b[1:])}
	if len(b) == shortFacts {
		return f, nil
	}
	flags, b := b[shortFacts], b[shortFacts+1:]
	if flags == 0 || flags > withExpiry|withKey|withNoKey || flags&withKey != 0 && flags&withNoKey != 0 {
		return wrong()
	}
	if flags&withExpiry != 0 {
		if len(b) < 8 || !possible(binary.BigEndian.Uint64(b)) {
			return wrong()
		}
		f.expires, b = int64(binary.BigEndian.Uint64(b)), b[8:]
	}
	f.hidden = flags&withNoKey != 0
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

// possible reports whether a set can expire at a time, in milliseconds after 1970.
func possible(at uint64) bool { return at > 0 && at <= uint64(lastExpiry.UnixMilli()) }
