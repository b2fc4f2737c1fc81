package board

import (
	"strings"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/persist"
)

// deleter deletes the sets and private keys of boards, windows and periods. Its methods may be called from any goroutine.
type deleter struct {
	e   *engine.Engine
	own engine.Owner

	pending atomic.Bool // some intents may be stored
}

func newDeleter(e *engine.Engine, own engine.Owner) *deleter { return &deleter{e: e, own: own} }

// setPending notes that intents may be stored: when Open has not looked yet, or when the outcome of a commit is unknown.
func (d *deleter) setPending() { d.pending.Store(true) }

// resumeAll finishes all deletions that an earlier commit left incomplete. O(sets + what remains).
func (d *deleter) resumeAll() error {
	d.setPending()
	err := d.resume()
	if err == nil {
		d.pending.Store(false)
	}
	return err
}

// resume finishes deletions that an earlier commit left incomplete, of all boards or of one. O(1) if there are none, else O(sets + what
// remains).
func (d *deleter) resume(name ...string) error {
	if !d.pending.Load() {
		return nil
	}
	var intents []persist.KV
	err := d.e.View(nil, func(tx *engine.Tx) error {
		for kv, err := range tx.Scan(deletionPrefix(name...)) {
			if err != nil {
				return err
			}
			intents = append(intents, kv)
		}
		return nil
	})
	for _, intent := range intents {
		if err == nil {
			name, rest, _ := strings.Cut(strings.TrimPrefix(string(intent.Key), deletionPrefix()), "\x00")
			window, period, _ := strings.Cut(rest, "\x00")
			var keys []string
			if len(intent.Value) > 0 {
				keys = append(keys, string(intent.Value))
			}
			err = d.finish(name, window, period, keys...)
		}
	}
	return err
}

// finish deletes what remains of a board, of a window of it, or of a period of the window, and then the intent. An empty window stands for
// all windows, an empty period for all periods. finish begins with the sets of these keys, and so waits for transactions that were
// about to make them.
func (d *deleter) finish(name, window, period string, keys ...string) error {
	var err error
	for _, key := range keys {
		if err == nil {
			_, err = d.own.Delete(key)
		}
	}
	if err == nil {
		err = d.remove(name, window, period)
	}
	if err == nil {
		err = d.own.Update(nil, func(tx *engine.Tx) error { return tx.Delete(deletionKey(name, window, period)) })
	}
	if err != nil {
		d.setPending()
	}
	return err
}

// remove deletes all sets and private keys of a board, a window or a period, but for the intent and the set of a period.
func (d *deleter) remove(name, window, period string) error {
	prefixes := []string{metaPrefix(name), recordPrefix(name), windowPrefix(name)}
	ofIt := func(Key) bool { return true }
	switch {
	case period != "":
		return d.deletePrivate(metaPrefix(name, window, period))
	case window != "":
		prefixes = []string{metaPrefix(name, window), recordPrefix(name, window)}
		ofIt = func(k Key) bool {
			return k.Kind == window || k.Kind == baselineKind+window || k.Kind == bestKind+window
		}
	}
	if err := d.deleteSets(name, ofIt); err != nil {
		return err
	}
	for _, prefix := range prefixes {
		if err := d.deletePrivate(prefix); err != nil {
			return err
		}
	}
	return nil
}

// deleteSets deletes the sets of a board that a filter selects.
func (d *deleter) deleteSets(name string, selects func(Key) bool) error {
	keys, err := d.e.Keys(Prefix + name + "/")
	if err != nil {
		return err
	}
	for _, key := range keys {
		if k, ok := ParseKey(key); ok && k.Board == name && selects(k) {
			if _, err := d.own.Delete(key); err != nil {
				return err
			}
		}
	}
	return nil
}

// deleteStep is the number of private keys that one transaction deletes.
const deleteStep = 1000

// deletePrivate deletes the private keys with a prefix.
func (d *deleter) deletePrivate(prefix string) error {
	for more := true; more; {
		err := d.own.Update(nil, func(tx *engine.Tx) error {
			var keys []string
			for kv, err := range tx.Scan(prefix) {
				if err != nil {
					return err
				}
				if keys = append(keys, string(kv.Key)); len(keys) == deleteStep {
					break
				}
			}
			more = len(keys) == deleteStep
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
