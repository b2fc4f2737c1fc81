package routes

import (
	"fmt"
	"hash/maphash"
	"sync"

	"github.com/zrankdb/zrank/board/ops"
)

// maxRetries is how many keys of requests are remembered with what they submitted.
const maxRetries = 1 << 16

// retries remembers what the last submissions with a Once key were, so that a key that a client uses again for something else is an error and not
// a silent duplicate. The board itself remembers the keys, for longer and across restarts: what is forgotten here is a duplicate there.
type retries struct {
	seed maphash.Seed
	mu   sync.Mutex
	sums map[string]uint64 // of submissions, by board and key
	ring []string          // the keys of sums, the oldest at next
	next int
}

func newRetries() *retries {
	return &retries{seed: maphash.MakeSeed(), sums: map[string]uint64{}}
}

// check notes a submission with an Idempotency-Key that has been made. It returns errKeyReused for a duplicate of another submission.
func (t *retries) check(a *ops.SubmitArgs, duplicate bool) error {
	sub := &a.Body.Submission
	if a.Key == "" || a.Body.Look || a.Body.Expect != nil {
		return nil
	}
	key := a.Board + "\x00" + a.Key
	sum := maphash.String(t.seed, fmt.Sprintf("%q %v %d %q %q %d %d", sub.Member, sub.Score, sub.At.UnixMicro(), sub.Meta, sub.Windows, sub.Skill, sub.If))
	t.mu.Lock()
	defer t.mu.Unlock()
	switch was, known := t.sums[key]; {
	case duplicate && known && was != sum:
		return errKeyReused
	case duplicate: // of what was submitted before this process: it is not known what that was
		return nil
	case known:
		t.sums[key] = sum
		return nil
	case len(t.ring) < maxRetries:
		t.ring = append(t.ring, key)
	default:
		delete(t.sums, t.ring[t.next])
		t.ring[t.next] = key
		t.next = (t.next + 1) % maxRetries
	}
	t.sums[key] = sum
	return nil
}
