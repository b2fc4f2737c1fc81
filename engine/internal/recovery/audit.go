package recovery

import (
	"fmt"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/persist"
)

// Audit is called while a check runs with what is stored under reserved keys, so that package board can compare it with its records.
// Sets come first, private keys after them, all as of one moment. Either function may be nil.
type Audit struct {
	Set     func(key string, s Audited)
	Private func(kv persist.KV) // valid until it returns
}

// Audited is what a check has read of a set.
type Audited struct {
	Members int
	Digest  uint64 // of the entries that were read: see Owner.Digest
	// Doubtful: a part of it could not be read, or it has changed since the check began; the rest means nothing.
	Doubtful bool
}

// private returns the function for private keys, or nil.
func (a Audit) private() func(persist.KV) {
	if a.Private == nil {
		return nil
	}
	return func(kv persist.KV) {
		if facts.Reserved(string(kv.Key)) {
			a.Private(kv)
		}
	}
}

// found passes on a set that was read.
func (a Audit) found(r *recovering, sum summary) {
	if key := r.key(); a.Set != nil && facts.Reserved(key) && !r.facts.Hidden {
		a.Set(key, Audited{Members: sum.entries, Digest: sum.members})
	}
}

// doubt passes on a set whose state is not known.
func (a Audit) doubt(key string) {
	if a.Set != nil && facts.Reserved(key) {
		a.Set(key, Audited{Doubtful: true})
	}
}

// passedOver passes on a set that an effect has changed after it was captured. The effect is not applied, and the set may have another key by it.
func (a Audit) passedOver(r *recovering, x persist.Effect) {
	if a.Set == nil {
		return
	}
	a.doubt(r.key())
	if x.Kind != persist.Create {
		return
	}
	if f, err := facts.DecodeFacts(x.Set, x.Value); err == nil && f.Other {
		a.doubt(f.Key)
	}
}

// summary tells sets apart.
type summary struct {
	facts.Facts
	entries int
	members uint64 // see digestOf
}

// String says what a person can tell sets apart by.
func (s summary) String() string {
	return fmt.Sprintf("%d members, %s, version %d, expiry %d, key %q, digest %016x", s.entries, s.Form(), s.Version,
		s.Expires, s.Key, s.members)
}
