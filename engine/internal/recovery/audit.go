package recovery

import (
	"fmt"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/internal/owner"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/persist/wal"
)

// audit adds to owner.Audit what a check tells it.
type audit owner.Audit

// private returns a function that passes reserved private keys to Private, or nil.
func (a audit) private() func(persist.KV) {
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
func (a audit) found(r *recovering, sum summary) {
	if key := r.key(); a.Set != nil && facts.Reserved(key) && !r.facts.Hidden {
		a.Set(key, owner.Audited{Members: sum.entries, Digest: sum.digest}, r.s.Entries.View())
	}
}

// doubt reports a set whose state is not known as doubtful.
func (a audit) doubt(key string) {
	if a.Set != nil && facts.Reserved(key) {
		a.Set(key, owner.Audited{Doubtful: true}, nil)
	}
}

// skipped reports a set as doubtful: the check did not apply an effect, because it came after the set was captured. If the effect gives the
// set another key, skipped reports that key too.
func (a audit) skipped(r *recovering, x wal.Effect) {
	if a.Set == nil {
		return
	}
	a.doubt(r.key())
	if x.Kind != wal.Create {
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
	return fmt.Sprintf("%d members, %s, version %d, expiry %d, key %q, digest %016x", s.entries, s.Layout(), s.Version,
		s.Expires, s.Key, s.digest)
}
