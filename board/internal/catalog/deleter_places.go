package catalog

import (
	"context"
	"strings"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// deleteSet deletes a set. If it is one of a ranking, its members first leave the index of members. Nobody puts them back: the record of the period is gone.
func (d *Deleter) deleteSet(ctx context.Context, key string) error {
	if k, ok := boardkey.Parse(key); ok && k.HasEntries() {
		if err := d.deletePlacesOf(ctx, key, k); err != nil {
			return err
		}
	}
	_, err := d.own.Delete(ctx, key)
	return err
}

// deletePlacesOf deletes the places of the members of a set of a ranking. O(members).
func (d *Deleter) deletePlacesOf(ctx context.Context, key string, k boardkey.Key) error {
	u, ok, err := d.e.Usage(key)
	if err != nil || !ok {
		return err
	}
	var entries []zset.IntEntry
	for lo := 0; ; lo += DeleteStep {
		err := d.e.View(ctx, func(tx *engine.Tx) error {
			set, err := tx.IntSet(key, u.Form)
			if err == nil {
				entries = set.Append(entries[:0], lo, lo+DeleteStep)
			}
			return err
		}, key)
		if err != nil || len(entries) == 0 {
			return err
		}
		keys := make([]string, len(entries))
		for i, e := range entries {
			keys[i] = boardkey.Place(k.Board, boardkey.MemberID(string(e.Member)), k.WindowOf(), k.Period)
		}
		if err := DeleteKeys(ctx, d.own, keys); err != nil {
			return err
		}
	}
}

// manyKeys is the number of private keys that deletePlaces looks for at a time.
const manyKeys = 100_000

// deletePlaces deletes the places in the index of members of a window. O(places of the board), once for each manyKeys places of the window.
func (d *Deleter) deletePlaces(ctx context.Context, name, window string) error {
	prefix := boardkey.PlacePrefix(name)
	for more := true; more; {
		var keys []string
		err := d.e.View(ctx, func(tx *engine.Tx) error {
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
		if err := DeleteKeys(ctx, d.own, keys); err != nil {
			return err
		}
	}
	return nil
}
