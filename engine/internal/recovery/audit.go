package recovery

import (
	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/persist"
)

// Audit hears, while a check runs, what is stored under reserved keys, so that package board can compare that with what it knows. It
// hears of sets first and of private keys then, all as of one moment. Either may be nil.
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

// private is what a check of the store tells of private keys; nil: nobody listens.
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

// found tells of a set that was read.
func (a Audit) found(r *recovering, sum summary) {
	if key := r.key(); a.Set != nil && facts.Reserved(key) && !r.facts.Hidden {
		a.Set(key, Audited{Members: sum.entries, Digest: sum.members})
	}
}

// doubt tells of a set that could not be read as it is.
func (a Audit) doubt(key string) {
	if a.Set != nil && facts.Reserved(key) {
		a.Set(key, Audited{Doubtful: true})
	}
}

// passedOver tells of a set that has changed since it was captured, by an effect that is not applied: it may have another key by then.
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
