package catalog

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/persist"
)

// ResumeAll finishes all deletions that an earlier commit left incomplete. O(sets + what remains).
func (d *Deleter) ResumeAll(ctx context.Context) error {
	d.SetPending()
	err := d.Resume(ctx)
	if err == nil {
		d.pending.Store(false)
	}
	return err
}

// Resume finishes deletions that an earlier commit left incomplete, of all boards or of one. O(1) if there are none, else O(sets + what
// remains).
func (d *Deleter) Resume(ctx context.Context, name ...string) error {
	if !d.pending.Load() {
		return nil
	}
	var intents []persist.KV
	prefix := boardkey.DeletionPrefix(name...)
	err := ViewKeys(ctx, d.e, prefix, func(rest string, value []byte) error {
		intents = append(intents, persist.KV{Key: []byte(prefix + rest), Value: value})
		return nil
	})
	for _, intent := range intents {
		if err == nil {
			name, rest, _ := strings.Cut(strings.TrimPrefix(string(intent.Key), boardkey.DeletionPrefix()), "\x00")
			window, period, _ := strings.Cut(rest, "\x00")
			err = d.Finish(ctx, name, window, period, boardkey.SplitKeys(intent.Value)...)
		}
	}
	return err
}

// Finish deletes what remains of a board, of a window of it, or of a period of the window, and then the intent. An empty window stands for
// all windows, an empty period for all periods. Finish deletes the sets of these keys first, so that it waits for transactions that
// are about to make them.
func (d *Deleter) Finish(ctx context.Context, name, window, period string, keys ...string) error {
	var err error
	for _, key := range keys {
		switch {
		case err != nil:
		case period != "":
			err = d.deleteSet(ctx, key)
		default:
			_, err = d.own.Delete(ctx, key)
		}
	}
	if err == nil && slices.ContainsFunc(keys, isBucket) {
		err = d.eachSet(name, func(k boardkey.Key) bool { return isBucket(k.String()) && k.WindowOf() == window && k.Period == period }, func(key string) error { return d.deleteSet(ctx, key) })
	}
	if err == nil && slices.ContainsFunc(keys, isAwards) {
		err = d.DeletePrivate(ctx, boardkey.NotePrefix(name, window, period))
	}
	if err == nil {
		err = d.remove(ctx, name, window, period)
	}
	if err == nil {
		err = d.own.Update(ctx, nil, func(tx *engine.Tx) error { return tx.Delete(boardkey.Deletion(name, window, period)) })
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
func (d *Deleter) remove(ctx context.Context, name, window, period string) error {
	prefixes := []string{boardkey.MetaPrefix(name), boardkey.KeptPrefix(name), boardkey.PointsPrefix(name), boardkey.RenamedPrefix(name), boardkey.Since(name), boardkey.LayoutPrefix(name), boardkey.RecordPrefix(name), boardkey.WindowPrefix(name),
		boardkey.SettlementPrefix(name), boardkey.WaitingPrefix(name), boardkey.NotePrefix(name), boardkey.PlacePrefix(name), boardkey.BanPrefix(name), boardkey.HidePrefix(name), boardkey.WatchPrefix(name),
		boardkey.ErasedBanPrefix(name), boardkey.CohortsPrefix(name), boardkey.JobPrefix(name), boardkey.AuditPrefix(name), boardkey.AuditPlacesPrefix(name), boardkey.AuditCount(name)}
	selects := func(boardkey.Key) bool { return true }
	switch {
	case period != "":
		return errors.Join(d.DeletePrivate(ctx, boardkey.MetaPrefix(name, window, period)), d.DeletePrivate(ctx, boardkey.KeptPrefix(name, window, period)), d.DeletePrivate(ctx, boardkey.PointsPrefix(name, window, period)),
			d.DeletePrivate(ctx, boardkey.RenamedPrefix(name, window, period)), d.DeletePrivate(ctx, boardkey.LayoutPrefix(name, window, period)))
	case window != "":
		prefixes = []string{boardkey.MetaPrefix(name, window), boardkey.KeptPrefix(name, window), boardkey.PointsPrefix(name, window), boardkey.RenamedPrefix(name, window), boardkey.LayoutPrefix(name, window), boardkey.RecordPrefix(name, window),
			boardkey.SettlementPrefix(name, window), boardkey.WaitingPrefix(name, window), boardkey.NotePrefix(name, window),
			boardkey.CohortsPrefix(name, window)}
		selects = func(k boardkey.Key) bool {
			return k.WindowOf() == window || k.Kind == boardkey.BestKind+window
		}
	}
	if err := d.DeleteSets(ctx, name, selects); err != nil {
		return err
	}
	for _, prefix := range prefixes {
		if err := d.DeletePrivate(ctx, prefix); err != nil {
			return err
		}
	}
	if window != "" {
		return d.deletePlaces(ctx, name, window)
	}
	return nil
}
