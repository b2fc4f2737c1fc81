package recovery

import (
	"fmt"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// Audit has the functions that a check calls for each reserved key, so that package board can compare the stored sets with its records.
// The check calls Set for each set first, then Private for each private key, all as of one moment. Either function may be nil.
type Audit struct {
	Set     func(key string, s Audited, entries *zset.IntView) // entries is valid until Set returns, and nil if s is doubtful
	Private func(kv persist.KV)                                // kv is valid until Private returns
}

// Audited is the result of a check for one set.
type Audited struct {
	Members int
	Digest  uint64 // of the entries that were read: see Owner.Digest
	// Doubtful: a part of the set could not be read, or the set has changed since the check began. The other fields are not set then.
	Doubtful bool
}

// private returns a function that passes reserved private keys to Private, or nil.
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

// found reports a set that the check has read.
func (a Audit) found(r *recovering, sum summary) {
	if key := r.key(); a.Set != nil && facts.Reserved(key) && !r.facts.Hidden {
		a.Set(key, Audited{Members: sum.entries, Digest: sum.digest}, r.s.Entries.View())
	}
}

// doubt reports a set whose state is not known as doubtful.
func (a Audit) doubt(key string) {
	if a.Set != nil && facts.Reserved(key) {
		a.Set(key, Audited{Doubtful: true}, nil)
	}
}

// skipped reports a set as doubtful: the check did not apply an effect, because it came after the set was captured. If the effect gives the
// set another key, skipped reports that key too.
func (a Audit) skipped(r *recovering, x persist.Effect) {
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

// summary is what compare compares of two sets.
type summary struct {
	facts.Facts
	entries int
	digest  uint64 // see facts.DigestOf
}

// String writes the summary for a message to a person.
func (s summary) String() string {
	return fmt.Sprintf("%d members, %s, version %d, expiry %d, key %q, digest %016x", s.entries, s.Form(), s.Version,
		s.Expires, s.Key, s.digest)
}
