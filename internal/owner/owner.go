// Package owner has what an engine shares with the boards that are kept in it, and with nobody else: other modules cannot import it.
package owner

import (
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// Pass is the proof that a caller of the engine keeps boards, which own the reserved keys. It is passed to Engine.Owner once. A Pass that
// was made without New is not valid.
type Pass struct{ valid bool }

// New returns a valid Pass.
func New() Pass { return Pass{valid: true} }

// Valid reports whether New made the Pass.
func (p Pass) Valid() bool { return p.valid }

// Ender is told how a transaction has ended, while its sets are still locked. It must not use the engine or wait.
type Ender interface {
	Ended(committed bool)
}

// Audit has the functions that a check calls for each reserved key, so that boards can compare the stored sets with their records. The
// check calls Set for each set first, then Private for each private key, all as of one moment. Either function may be nil.
type Audit struct {
	Set     func(key string, s Audited, entries *zset.IntView) // entries is valid until Set returns, and nil if s is doubtful
	Private func(kv persist.KV)                                // kv is valid until Private returns
}

// Audited is the result of a check for one set.
type Audited struct {
	Members int
	Digest  uint64 // of the entries that were read: see engine.Owner.Digest
	// Doubtful: a part of the set could not be read, or the set has changed since the check began. The other fields are not set then.
	Doubtful bool
}
