package catalog

import (
	"context"
	"strings"
	"sync/atomic"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine"
)

// Deleter deletes the sets and private keys of boards, windows and periods. Its methods may be called from any goroutine.
type Deleter struct {
	e   *engine.Engine
	own engine.Owner

	pending atomic.Bool // some intents may be stored
}

// New returns the deleter of an engine.
func NewDeleter(e *engine.Engine, own engine.Owner) *Deleter { return &Deleter{e: e, own: own} }

// SetPending notes that intents may be stored: before Open has read them, and when the outcome of a commit is unknown.
func (d *Deleter) SetPending() { d.pending.Store(true) }

// DeleteSets deletes the sets of a board that a filter selects.
func (d *Deleter) DeleteSets(ctx context.Context, name string, selects func(boardkey.Key) bool) error {
	return d.eachSet(name, selects, func(key string) error {
		_, err := d.own.Delete(ctx, key)
		return err
	})
}

// eachSet calls do with the keys of the sets of a board that a filter selects.
func (d *Deleter) eachSet(name string, selects func(boardkey.Key) bool, do func(key string) error) error {
	keys, err := d.e.Keys(boardkey.Prefix + name + "/")
	if err != nil {
		return err
	}
	for _, key := range keys {
		if k, ok := boardkey.Parse(key); ok && k.Board == name && selects(k) {
			if err := do(key); err != nil {
				return err
			}
		}
	}
	return nil
}

// DeleteLayouts deletes the layouts of a board's rankings in parts, but for those of one version of the board.
func (d *Deleter) DeleteLayouts(ctx context.Context, name string, but int) error {
	return d.own.Update(ctx, nil, func(tx *engine.Tx) error {
		prefix := boardkey.LayoutPrefix(name)
		return DeleteWhere(tx, prefix, func(rest string, _ []byte) (bool, error) {
			_, _, _, version, _ := boardkey.ParseLayout(strings.TrimPrefix(prefix+rest, boardkey.LayoutPrefix()))
			return version != but, nil
		})
	})
}

// DeletePrivate deletes the private keys with a prefix.
func (d *Deleter) DeletePrivate(ctx context.Context, prefix string) error {
	for more := true; more; {
		err := d.own.Update(ctx, nil, func(tx *engine.Tx) error {
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
			return deleteEach(tx, keys)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
