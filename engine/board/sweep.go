package board

import (
	"strings"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/persist"
)

// A commit that takes a board, a window or a period away stores a mark. What it has left, which may be too much for one commit, is
// cleared away after it, and then the mark; sweep does what crashes and full disks have kept from that.

// sweep finishes deletions that an earlier commit left incomplete, of all boards or of one. O(sets + what is left), if anything is.
func (bs *Boards) sweep(name ...string) error {
	if !bs.left.Load() {
		return nil
	}
	var marks []persist.KV
	err := bs.e.View(nil, func(tx *engine.Tx) error {
		for kv, err := range tx.Scan(gonePrefix(name...)) {
			if err != nil {
				return err
			}
			marks = append(marks, kv)
		}
		return nil
	})
	for _, mark := range marks {
		if err == nil {
			name, rest, _ := strings.Cut(strings.TrimPrefix(string(mark.Key), gonePrefix()), "\x00")
			window, period, _ := strings.Cut(rest, "\x00")
			var keys []string
			if len(mark.Value) > 0 {
				keys = append(keys, string(mark.Value))
			}
			err = bs.clear(name, window, period, keys...)
		}
	}
	return err
}

// clear drops what is left of a board, of a window of it, or of a period of that, and the mark: an empty name stands for all there are.
// It begins with the sets of these keys, and so waits for transactions that were about to make them.
func (bs *Boards) clear(name, window, period string, keys ...string) error {
	var err error
	for _, key := range keys {
		if err == nil {
			_, err = bs.own.Delete(key)
		}
	}
	if err == nil {
		err = bs.drop(name, window, period)
	}
	if err == nil {
		err = bs.own.Update(nil, func(tx *engine.Tx) error { return tx.Delete(goneKey(name, window, period)) })
	}
	if err != nil {
		bs.left.Store(true)
	}
	return err
}

func (bs *Boards) drop(name, window, period string) error {
	switch {
	case period != "":
		return bs.dropPrivate(metaPrefix(name, window, period))
	case window != "":
		return bs.clearAll(name, func(k Key) bool {
			return k.Kind == window || k.Kind == baseKind+window || k.Kind == bestKind+window
		}, metaPrefix(name, window), recordPrefix(name, window))
	}
	return bs.clearAll(name, func(Key) bool { return true }, metaPrefix(name), recordPrefix(name), windowPrefix(name))
}

// clearAll drops a board's sets that are wanted, and the private keys with these prefixes.
func (bs *Boards) clearAll(name string, wanted func(Key) bool, prefixes ...string) error {
	keys, err := bs.e.Keys(Prefix + name + "/")
	if err != nil {
		return err
	}
	for _, key := range keys {
		if k, ok := ParseKey(key); ok && k.Board == name && wanted(k) {
			if _, err := bs.own.Delete(key); err != nil {
				return err
			}
		}
	}
	for _, prefix := range prefixes {
		if err := bs.dropPrivate(prefix); err != nil {
			return err
		}
	}
	return nil
}

// dropStep is how many private keys are deleted in one transaction.
const dropStep = 1000

// dropPrivate deletes the private keys with a prefix.
func (bs *Boards) dropPrivate(prefix string) error {
	for more := true; more; {
		err := bs.own.Update(nil, func(tx *engine.Tx) error {
			var keys []string
			for kv, err := range tx.Scan(prefix) {
				if err != nil {
					return err
				}
				if keys = append(keys, string(kv.Key)); len(keys) == dropStep {
					break
				}
			}
			more = len(keys) == dropStep
			for _, key := range keys {
				if err := tx.Delete(key); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
