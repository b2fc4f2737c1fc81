package catalog

import (
	"context"
	"slices"

	"github.com/zrankdb/zrank/engine"
)

// EachKey calls fn with each private key with a prefix, in order: with what follows the prefix, and
// with the value. An error of fn ends the walk. O(keys with the prefix). Errors: those of fn and of
// the engine.
func EachKey(tx *engine.Tx, prefix string, fn func(rest string, value []byte) error) error {
	for kv, err := range tx.Scan(prefix) {
		if err == nil {
			err = fn(string(kv.Key[len(prefix):]), kv.Value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ViewKeys is EachKey in a transaction of its own, which only reads.
func ViewKeys(ctx context.Context, e *engine.Engine, prefix string, fn func(rest string, value []byte) error) error {
	return e.View(ctx, func(tx *engine.Tx) error { return EachKey(tx, prefix, fn) })
}

// DeleteStep is the number of private keys that one transaction deletes.
const DeleteStep = 1000

// DeleteKeys deletes private keys, DeleteStep of them by each commit.
func DeleteKeys(ctx context.Context, own engine.Owner, keys []string) error {
	for some := range slices.Chunk(keys, DeleteStep) {
		err := own.Update(ctx, nil, func(tx *engine.Tx) error { return deleteEach(tx, some) })
		if err != nil {
			return err
		}
	}
	return nil
}

// DeleteWhere deletes those of the private keys with a prefix that a function selects, by what follows
// the prefix and by the value. O(keys with the prefix). Errors: those of selects and of the engine.
func DeleteWhere(tx *engine.Tx, prefix string, selects func(rest string, value []byte) (bool, error)) error {
	var found []string
	err := EachKey(tx, prefix, func(rest string, value []byte) error {
		ok, err := selects(rest, value)
		if ok {
			found = append(found, prefix+rest)
		}
		return err
	})
	if err != nil {
		return err
	}
	return deleteEach(tx, found)
}

// deleteEach deletes private keys in a transaction.
func deleteEach(tx *engine.Tx, keys []string) error {
	for _, key := range keys {
		err := tx.Delete(key)
		if err != nil {
			return err
		}
	}
	return nil
}
