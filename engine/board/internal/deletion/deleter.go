package deletion

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/persist"
)

// Deleter deletes the sets and private keys of boards, windows and periods. Its methods may be called from any goroutine.
type Deleter struct {
	e   *engine.Engine
	own engine.Owner

	pending atomic.Bool // some intents may be stored
}

// New returns the deleter of an engine.
func New(e *engine.Engine, own engine.Owner) *Deleter { return &Deleter{e: e, own: own} }

// SetPending notes that intents may be stored: before Open has read them, and when the outcome of a commit is unknown.
func (d *Deleter) SetPending() { d.pending.Store(true) }

// ResumeAll finishes all deletions that an earlier commit left incomplete. O(sets + what remains).
func (d *Deleter) ResumeAll() error {
	d.SetPending()
	err := d.Resume()
	if err == nil {
		d.pending.Store(false)
	}
	return err
}

// Resume finishes deletions that an earlier commit left incomplete, of all boards or of one. O(1) if there are none, else O(sets + what
// remains).
func (d *Deleter) Resume(name ...string) error {
	if !d.pending.Load() {
		return nil
	}
	var intents []persist.KV
	err := d.e.View(nil, func(tx *engine.Tx) error {
		for kv, err := range tx.Scan(boardkey.DeletionPrefix(name...)) {
			if err != nil {
				return err
			}
			intents = append(intents, kv)
		}
		return nil
	})
	for _, intent := range intents {
		if err == nil {
			name, rest, _ := strings.Cut(strings.TrimPrefix(string(intent.Key), boardkey.DeletionPrefix()), "\x00")
			window, period, _ := strings.Cut(rest, "\x00")
			err = d.Finish(name, window, period, boardkey.SplitKeys(intent.Value)...)
		}
	}
	return err
}

// Finish deletes what remains of a board, of a window of it, or of a period of the window, and then the intent. An empty window stands for
// all windows, an empty period for all periods. Finish deletes the sets of these keys first, so that it waits for transactions that
// are about to make them.
func (d *Deleter) Finish(name, window, period string, keys ...string) error {
	var err error
	for _, key := range keys {
		if err == nil {
			_, err = d.own.Delete(key)
		}
	}
	if err == nil && slices.ContainsFunc(keys, isBucket) {
		err = d.DeleteSets(name, func(k boardkey.Key) bool { return isBucket(k.String()) && k.WindowOf() == window && k.Period == period })
	}
	if err == nil && slices.ContainsFunc(keys, isAwards) {
		err = d.deletePrivate(boardkey.NotePrefix(name, window, period))
	}
	if err == nil {
		err = d.remove(name, window, period)
	}
	if err == nil {
		err = d.own.Update(nil, func(tx *engine.Tx) error { return tx.Delete(boardkey.Deletion(name, window, period)) })
	}
	if err != nil {
		d.SetPending()
	}
	return err
}

// isBucket reports whether a key is that of a bucket: it stands for all buckets of the period.
func isBucket(key string) bool {
	k, _ := boardkey.Parse(key)
	_, _, ok := k.Bucket()
	return ok
}

// isAwards reports whether a key is that of the awards of a period.
func isAwards(key string) bool {
	k, _ := boardkey.Parse(key)
	return k.IsAwards()
}

// remove deletes all sets and private keys of a board, a window or a period, except the intent, and the sets of a single period, which Finish
// deletes by their keys.
func (d *Deleter) remove(name, window, period string) error {
	prefixes := []string{boardkey.MetaPrefix(name), boardkey.KeptPrefix(name), boardkey.LayoutPrefix(name), boardkey.RecordPrefix(name), boardkey.WindowPrefix(name),
		boardkey.SettlementPrefix(name), boardkey.WaitingPrefix(name), boardkey.NotePrefix(name), boardkey.PlacePrefix(name), boardkey.BanPrefix(name),
		boardkey.ErasedBanPrefix(name), boardkey.JobPrefix(name), boardkey.AuditPrefix(name), boardkey.AuditPlacesPrefix(name), boardkey.AuditCount(name)}
	selects := func(boardkey.Key) bool { return true }
	switch {
	case period != "":
		return errors.Join(d.deletePrivate(boardkey.MetaPrefix(name, window, period)), d.deletePrivate(boardkey.KeptPrefix(name, window, period)),
			d.deletePrivate(boardkey.LayoutPrefix(name, window, period)))
	case window != "":
		prefixes = []string{boardkey.MetaPrefix(name, window), boardkey.KeptPrefix(name, window), boardkey.LayoutPrefix(name, window), boardkey.RecordPrefix(name, window),
			boardkey.SettlementPrefix(name, window), boardkey.WaitingPrefix(name, window), boardkey.NotePrefix(name, window)}
		selects = func(k boardkey.Key) bool {
			return k.WindowOf() == window || k.Kind == boardkey.BestKind+window
		}
	}
	if err := d.DeleteSets(name, selects); err != nil {
		return err
	}
	for _, prefix := range prefixes {
		if err := d.deletePrivate(prefix); err != nil {
			return err
		}
	}
	if window != "" {
		return d.deletePlaces(name, window)
	}
	return nil
}

// manyKeys is the number of private keys that deletePlaces looks for at a time.
const manyKeys = 100_000

// deletePlaces deletes the places in the index of members of a window. O(places of the board), once for each manyKeys places of the window.
func (d *Deleter) deletePlaces(name, window string) error {
	prefix := boardkey.PlacePrefix(name)
	for more := true; more; {
		var keys []string
		err := d.e.View(nil, func(tx *engine.Tx) error {
			for kv, err := range d.own.Scan(tx, prefix) {
				if err != nil {
					return err
				}
				_, rest, _ := strings.Cut(string(kv.Key[len(prefix):]), "\x00")
				if of, _, _ := strings.Cut(rest, "\x00"); of != window {
					continue
				}
				if keys = append(keys, string(kv.Key)); len(keys) == manyKeys {
					break
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		more = len(keys) == manyKeys
		for some := range slices.Chunk(keys, DeleteStep) {
			if err := d.deleteKeys(some); err != nil {
				return err
			}
		}
	}
	return nil
}

// deleteKeys deletes private keys.
func (d *Deleter) deleteKeys(keys []string) error {
	return d.own.Update(nil, func(tx *engine.Tx) error {
		for _, key := range keys {
			if err := tx.Delete(key); err != nil {
				return err
			}
		}
		return nil
	})
}

// DeleteSets deletes the sets of a board that a filter selects.
func (d *Deleter) DeleteSets(name string, selects func(boardkey.Key) bool) error {
	keys, err := d.e.Keys(boardkey.Prefix + name + "/")
	if err != nil {
		return err
	}
	for _, key := range keys {
		if k, ok := boardkey.Parse(key); ok && k.Board == name && selects(k) {
			if _, err := d.own.Delete(key); err != nil {
				return err
			}
		}
	}
	return nil
}

// DeleteLayouts deletes the layouts of a board's rankings in parts, but for those of one version of the board.
func (d *Deleter) DeleteLayouts(name string, but int) error {
	return d.own.Update(nil, func(tx *engine.Tx) error {
		var stale []string
		for kv, err := range tx.Scan(boardkey.LayoutPrefix(name)) {
			if err != nil {
				return err
			}
			_, _, _, version, _ := boardkey.ParseLayout(strings.TrimPrefix(string(kv.Key), boardkey.LayoutPrefix()))
			if version != but {
				stale = append(stale, string(kv.Key))
			}
		}
		for _, key := range stale {
			if err := tx.Delete(key); err != nil {
				return err
			}
		}
		return nil
	})
}

// DeleteStep is the number of private keys that one transaction deletes.
const DeleteStep = 1000

// deletePrivate deletes the private keys with a prefix.
func (d *Deleter) deletePrivate(prefix string) error {
	for more := true; more; {
		err := d.own.Update(nil, func(tx *engine.Tx) error {
			var keys []string
			for kv, err := range tx.Scan(prefix) {
				if err != nil {
					return err
				}
				if keys = append(keys, string(kv.Key)); len(keys) == DeleteStep {
					break
				}
			}
			more = len(keys) == DeleteStep
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
