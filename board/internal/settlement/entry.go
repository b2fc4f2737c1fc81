package settlement

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/zset"
)

// entry is an award as it is stored. The set of awards has its member, its place as the score, and the rest as the tie:
//
//	+-------+----------+------------------+-----------+---------------+
//	| flag  | revision | rank, big endian | due tiers | granted tiers |
//	| 1     | 1        | 4                | width     | width         |  bytes
//	+-------+----------+------------------+-----------+---------------+
//
// Sets of tiers are sets of indices in Settling.Table: tier i is bit i%8 of byte i/8.
type entry struct {
	place        int64 // in the ranking, from 0
	flag         flag
	revision     uint8 // of the settlement in which due changed last
	rank         uint32
	due, granted uint64
}

// flag is what an award is beside its tiers.
type flag uint8

const (
	plain    flag = iota
	failed        // the last Grant failed
	withheld      // the program said so
)

// maxTie is the length of the longest tie of an award.
const maxTie = state.AwardHead + 2*9

// decodeEntry returns the entry of a score and a tie.
func decodeEntry(place int64, tie []byte) (e entry) {
	e = entry{place: place, flag: flag(tie[0]), revision: tie[1], rank: binary.BigEndian.Uint32(tie[2:])}
	width := (len(tie) - state.AwardHead) / 2
	for i := range width {
		e.due |= uint64(tie[state.AwardHead+i]) << (8 * i)
		e.granted |= uint64(tie[state.AwardHead+width+i]) << (8 * i)
	}
	return e
}

// appendTie appends the tie of an entry.
func (e *entry) appendTie(dst []byte, s *state.Settling) []byte {
	dst = append(dst, byte(e.flag), e.revision)
	dst = binary.BigEndian.AppendUint32(dst, e.rank)
	for _, tiers := range []uint64{e.due, e.granted} {
		for i := range s.Width {
			dst = append(dst, byte(tiers>>(8*i)))
		}
	}
	return dst
}

// entryOf returns the award of a member.
func entryOf(v *zset.IntView, member string) (e entry, ok bool) {
	place, tie, ok := v.Get([]byte(member))
	if !ok {
		return e, false
	}
	return decodeEntry(place, tie), true
}

// toGrant returns the tiers that are due and not granted. Without Stack there are none either if the member was granted a tier of the plan that is better.
func (e *entry) toGrant(s *state.Settling) uint64 {
	missing := e.due &^ e.granted
	if missing != 0 && !s.Plan.Stack && e.tooMuch(s) != 0 {
		return 0
	}
	return missing
}

// waits reports whether the award is to be granted.
func (e *entry) waits(s *state.Settling) bool { return e.flag != withheld && e.toGrant(s) != 0 }

// tooMuch returns the granted tiers that the member should not have. Without Stack a member that gets a better tier keeps the ones before it. A tier of an
// earlier plan is as good as the one of the same name; if there is none, it is too much.
func (e *entry) tooMuch(s *state.Settling) (tiers uint64) {
	tiers = e.granted &^ e.due
	if tiers == 0 || s.Plan.Stack || e.due == 0 {
		return tiers
	}
	position := func(i int) int {
		return slices.IndexFunc(s.Plan.Tiers, func(t awards.Tier) bool { return t.Name == s.Table[i].Name })
	}
	due := position(bits.TrailingZeros64(e.due))
	for i := range s.Table {
		if tiers>>i&1 != 0 && position(i) >= due {
			tiers &^= 1 << i
		}
	}
	return tiers
}

// tiersOf returns the tiers of a set.
func tiersOf(s *state.Settling, set uint64) (tiers []awards.Tier) {
	for i := range s.Table {
		if set>>i&1 != 0 {
			tiers = append(tiers, s.Table[i])
		}
	}
	return tiers
}
