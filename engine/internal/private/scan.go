package private

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/persist"
)

// Scan walks the keys with a prefix in order. It merges the keys of the store, those in memory and
// the transaction's own changes; the later of these three override the earlier. A key and its value
// are valid until the next step, and must not be changed. The caller has locked the stripe that
// StripeOfAll returns for the prefix, or all of them. O(changes + keys with the prefix), and O(log
// keys) more without a store.
func (p *Keys) Scan(prefix string, own map[string]Value) iter.Seq2[persist.KV, error] {
	overlay := map[string]Value{}
	if p.store != nil {
		p.addRecent(overlay, prefix)
	}
	addChanges(overlay, own, prefix)
	overlayKeys := slices.Sorted(maps.Keys(overlay))
	return func(yield func(persist.KV, error) bool) {
		emit := func(key string) bool {
			v := overlay[key]
			return v.Deleted || yield(persist.KV{Key: []byte(key), Value: v.Value}, nil)
		}
		for kv, err := range p.stored(prefix) {
			if err != nil {
				yield(kv, err)
				return
			}
			for len(overlayKeys) > 0 && overlayKeys[0] < string(kv.Key) {
				if !emit(overlayKeys[0]) {
					return
				}
				overlayKeys = overlayKeys[1:]
			}
			if _, changed := overlay[string(kv.Key)]; !changed && !yield(kv, nil) {
				return
			}
		}
		for _, key := range overlayKeys {
			if !emit(key) {
				return
			}
		}
	}
}

// addRecent adds what the stripes of a prefix have that the store may not have yet.
func (p *Keys) addRecent(overlay map[string]Value, prefix string) {
	if at, one := StripeOfAll(prefix); one {
		addChanges(overlay, p.stripes[at].recent, prefix)
		return
	}
	for i := range p.stripes {
		addChanges(overlay, p.stripes[i].recent, prefix)
	}
}

func addChanges(overlay, changes map[string]Value, prefix string) {
	for key, v := range changes {
		if strings.HasPrefix(key, prefix) {
			overlay[key] = v
		}
	}
}

// stored walks the keys with a prefix in the store, or without a store all committed ones.
func (p *Keys) stored(prefix string) iter.Seq2[persist.KV, error] {
	if p.store != nil {
		return p.store.ScanPrivate([]byte(prefix))
	}
	return func(yield func(persist.KV, error) bool) {
		var keys []string
		for from, n := prefix, 16; ; from, n = keys[n-1]+"\x00", min(4*n, 256) {
			keys = p.following(keys[:0], prefix, from, n)
			for _, key := range keys {
				if !yield(persist.KV{Key: []byte(key), Value: p.stripes[StripeOf(key)].recent[key].Value}, nil) {
					return
				}
			}
			if len(keys) < n {
				return
			}
		}
	}
}

// following appends up to n keys with a prefix, the first ones from a text on. It copies them,
// since transactions on other stripes may change the order before the next call. O(log keys + n).
func (p *Keys) following(keys []string, prefix, from string, n int) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.order.Seek(0, []byte(from))
	for e := range p.order.Entries(at, min(at+n, p.order.Len())) {
		key := string(e.Member)
		if !strings.HasPrefix(key, prefix) {
			break
		}
		keys = append(keys, key)
	}
	return keys
}
