package private

import (
	"math/bits"
	"strings"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"

	"github.com/zrankdb/zrank/engine/internal/facts"
)

// Each private key belongs to a stripe, by a hash, and the keys of a stripe share a lock. So keys
// need no locks of their own, which would have to come and go with them, and a transaction can lock
// all keys that there are and might be: a walk over a prefix sees no key that comes meanwhile.
//
//   - K1: A key of the program belongs to the stripe of its own hash. A reserved key that has the
//     form WHAT, zero byte, NAME, zero byte, and so on belongs to the stripe of NAME. So what is
//     stored of one board, or of one kind of groups, has one lock: a page of rows with metadata
//     takes one lock, and a transaction that has used one key of a board has all of them locked.
//     Package board relies on that.
//   - K2: A transaction locks the stripe of a key before it reads or writes the key. A walk over a
//     prefix locks the stripes of all keys that can have the prefix. The transaction unlocks them
//     when it has ended.

// Count is the number of stripes. The more there are, the fewer transactions meet by chance, and
// the longer a walk over all keys takes, which locks every stripe. Of 16 transactions at a time,
// each with one key of its own, one meets another one in 1 case of 5.
const Count = 64

// StripeOf returns the stripe of a key. O(length).
func StripeOf(key string) int {
	if name, _, ok := cutName(key); ok {
		key = name
	}
	return int(xxhash.Sum64String(key) % Count)
}

// StripeOfAll returns the stripe of all keys that begin with a prefix, and false if they may have
// several. O(length).
func StripeOfAll(prefix string) (at int, one bool) {
	if _, whole, ok := cutName(prefix); !ok || !whole {
		return 0, false
	}
	return StripeOf(prefix), true
}

// cutName returns the name in a reserved key (see K1), and whether a zero byte ends it. It returns
// false for other keys.
func cutName(key string) (name string, whole, ok bool) {
	if !facts.Reserved(key) {
		return "", false, false
	}
	_, rest, ok := strings.Cut(key, "\x00")
	name, _, whole = strings.Cut(rest, "\x00")
	return name, whole, ok
}

// Stripes are some of the stripes, such as those that a transaction has locked. One goroutine
// changes them; others may look at them meanwhile.
type Stripes struct{ bits atomic.Uint64 }

// Has reports whether a stripe is one of them. O(1).
func (s *Stripes) Has(at int) bool { return s.bits.Load()>>at&1 != 0 }

// Add adds a stripe. O(1).
func (s *Stripes) Add(at int) { s.bits.Store(s.bits.Load() | 1<<at) }

// AddAll adds those of others. O(1).
func (s *Stripes) AddAll(others *Stripes) { s.bits.Store(s.bits.Load() | others.bits.Load()) }

// Fill adds every stripe. O(1).
func (s *Stripes) Fill() { s.bits.Store(^uint64(0)) }

// Empty reports whether there are none. O(1).
func (s *Stripes) Empty() bool { return s.bits.Load() == 0 }

// Below reports whether all of them come before a stripe. O(1).
func (s *Stripes) Below(at int) bool { return s.bits.Load()>>at == 0 }

// Each walks them in order. O(n).
func (s *Stripes) Each(yield func(at int) bool) {
	for w := s.bits.Load(); w != 0; w &= w - 1 {
		if !yield(bits.TrailingZeros64(w)) {
			return
		}
	}
}
