package ranking

import (
	"math/bits"

	"github.com/cespare/xxhash/v2"
)

// Max is the largest number of parts.
const MaxParts = 64

// Of returns the part of a member among n parts, from 0. O(length).
func PartOf(member []byte, n int) int { return PartAddress(PartHash(member), n) }

// Hash returns the hash of a member. O(length).
func PartHash(member []byte) uint64 { return xxhash.Sum64(member) }

// Address returns the part of a hash among n parts, from 0: its lowest bits, as many as n needs; one bit less if there is no such part. So from n
// parts to n+1 one part gives about half of its members to the new one, and all others stay where they are. O(1).
func PartAddress(hash uint64, n int) int {
	level := bits.Len(uint(n - 1))
	i := int(hash & (1<<level - 1))
	if i >= n {
		i &= 1<<(level-1) - 1
	}
	return i
}
