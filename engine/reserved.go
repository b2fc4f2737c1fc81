package engine

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/engine/internal/owner"
	"github.com/zrankdb/zrank/zset"
)

// Keys of sets and private keys that begin with "board/" or "board." belong to package board. Everybody may read them. A call that
// would change one returns ErrReserved, unless it comes from an Owner.

// Reserved reports whether a key of a set, or a private key, is reserved for package board: it begins with "board/" or "board.". Such
// keys can be read; calls that would change one return ErrReserved. O(1).
//
// A directory may hold sets of the program's own under such keys, from a version of this package that let it make them. It opens, and
// they can be read. One with float64 scores, which no board ever has, can be given another key by Rename; of one with int64 scores
// CopyInts and Copy make a copy. A private key keeps its value.
func Reserved(key string) bool {
	return len(key) > 5 && (key[5] == '/' || key[5] == '.') && key[:5] == "board"
}

func reservedError(key string) error { return fmt.Errorf("%w: %q", ErrReserved, key) }

// refuse returns ErrReserved if one of the keys is reserved.
func refuse(keys ...string) error {
	for _, key := range keys {
		if Reserved(key) {
			return reservedError(key)
		}
	}
	return nil
}

// Owner changes reserved keys. Only package board can get one: see Engine.Owner. The methods of the zero Owner return ErrReserved.
type Owner struct{ e *Engine }

// Owner returns the engine's Owner to package board, which alone can make a valid Pass. Error: ErrReserved for another Pass.
func (e *Engine) Owner(p owner.Pass) (Owner, error) {
	if !p.Valid() {
		return Owner{}, ErrReserved
	}
	return Owner{e}, nil
}

// Update is Engine.Update of a transaction that may change reserved keys.
func (o Owner) Update(keys []string, fn func(*Tx) error) error {
	if o.e == nil {
		return ErrReserved
	}
	return o.e.update(&Tx{e: o.e, write: true, owner: true}, keys, fn)
}

// In runs fn, which may change reserved keys in a transaction of the same engine, and returns its error.
func (o Owner) In(tx *Tx, fn func() error) error {
	if o.e == nil || tx.e != o.e {
		return ErrReserved
	}
	was := tx.owner
	tx.owner = true
	defer func() { tx.owner = was }()
	return fn()
}

// Delete is Engine.Delete of any keys.
func (o Owner) Delete(keys ...string) (int, error) {
	if o.e == nil {
		return 0, ErrReserved
	}
	return o.e.remove(&Tx{e: o.e, write: true, asIs: true, owner: true}, keys)
}

// StoreInts is Engine.StoreInts under any key.
func (o Owner) StoreInts(ctx context.Context, key string, z *zset.IntSet) error {
	if o.e == nil {
		return ErrReserved
	}
	return o.e.storeInts(ctx, key, z)
}
