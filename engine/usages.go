package engine

import (
	"cmp"
	"slices"

	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/persist"
)

// Usages returns the usage of each key's set, and a zero Usage for a key without one: a set that exists has members. It looks up the sets of
// many keys on the disk together. Where small sets share a block there, their Disk is a share of it; in the result of Usage it is the whole
// block. Errors: ErrClosed, ErrCorrupt. O(pages + keys log keys).
func (e *Engine) Usages(keys []string) ([]Usage, error) {
	if err := e.locks.MayWait(); err != nil {
		return nil, err
	}
	all := make([]Usage, len(keys))
	cold, err := e.usagesOf(keys, all)
	if err != nil || len(cold) == 0 {
		return all, err
	}
	if err := e.readUsages(cold, keys, all); err != nil {
		return nil, locks.ClosedError(err)
	}
	return all, nil
}

// recorded is a key whose set the last snapshot has.
type recorded struct {
	id string // of the set
	at int    // index of the key
}

// usagesOf fills in the figures that are in memory, and returns the sets that the disk has.
func (e *Engine) usagesOf(keys []string, all []Usage) (cold []recorded, err error) {
	now := e.m.clock().UnixMilli()
	for i, key := range keys {
		s := e.keys.Find(key)
		if s == nil {
			continue
		}
		id, is, exists := e.usageOf(s, &all[i], key, now)
		if !is { // the key has another set by now, or none
			if all[i], _, err = e.Usage(key); err != nil {
				return nil, err
			}
			continue
		}
		if id != nil && e.store != nil {
			cold = append(cold, recorded{*id, i})
		}
		all[i].Dirty = all[i].Dirty && exists && e.store != nil
	}
	return cold, nil
}

// readUsages fills in the figures of sets that the disk has.
func (e *Engine) readUsages(cold []recorded, keys []string, all []Usage) error {
	slices.SortFunc(cold, func(x, y recorded) int { return cmp.Compare(x.id, y.id) })
	ids := make([]string, len(cold))
	for i, c := range cold {
		ids[i] = c.id
	}
	records, measured, again := make([]persist.SetRecord, 0, len(cold)), cold[:0], []recorded(nil)
	for r, err := range e.store.SetsOf(ids) {
		if err != nil {
			return err
		}
		for ; cold[0].id != r.Key; cold = cold[1:] { // it was dropped meanwhile, with its record
			again = append(again, cold[0])
		}
		c := cold[0]
		cold = cold[1:]
		u := &all[c.at]
		if !u.known() && r.Base < u.LastCommit { // the record was read before that commit, and the set has left memory since
			again = append(again, c)
			continue
		}
		if err := u.stored(&r); err != nil {
			return err
		}
		records, measured = append(records, r), append(measured, c)
	}
	sizes, err := e.store.Sizes(records)
	if err != nil {
		return err
	}
	for i, c := range measured {
		all[c.at].Disk = sizes[i]
	}
	for _, c := range append(again, cold...) {
		if all[c.at], _, err = e.Usage(keys[c.at]); err != nil {
			return err
		}
	}
	return nil
}
