package groups

import (
	"context"
	"slices"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/engine"
)

// stays reads the groups that a member has been in before, as far as closed periods need them.
func stays(tx *engine.Tx, kind, member string) (catalog.Stays, error) {
	stored, _, err := tx.Get(boardkey.Stays(kind, member))
	if err != nil {
		return nil, err
	}
	return catalog.DecodeStays(stored)
}

// joined reads the number of the group that a member has joined last, which may be gone; 0: it is
// in none.
func joined(tx *engine.Tx, kind, member string) (number int64, err error) {
	stored, ok, err := tx.Get(boardkey.Joined(kind, member))
	if err != nil || !ok {
		return 0, err
	}
	return catalog.DecodeJoined(stored)
}

// readDissolved reads what is stored of a group that has been dissolved; false if nothing is.
func readDissolved(tx *engine.Tx, kind string, number int64) (d catalog.Dissolved, ok bool, err error) {
	stored, ok, err := tx.Get(boardkey.Dissolved(kind, number))
	if err != nil || !ok {
		return d, false, err
	}
	d, err = catalog.DecodeDissolved(stored)
	return d, true, err
}

// remember stores where a member was until a moment: in a group, nil for none, and before that in
// one that has been dissolved, by its number, 0 for none. It stores nothing that no closed period
// needs, and one moment for all that lie between two closings.
func (k *Kind) remember(tx *engine.Tx, member string, was *catalog.Group, gone int64, now catalog.Moment) error {
	if !k.g.IsNeeded(now) {
		return nil
	}
	if gone > 0 {
		if err := k.rememberGone(tx, member, gone); err != nil {
			return err
		}
	}
	list, err := stays(tx, k.g.Name, member)
	if err != nil {
		return err
	}
	last := catalog.Stay{Until: now}
	if was != nil {
		last.Group = was.Number
	}
	return k.storeStays(tx, member, list, add(k.needed(list), last))
}

// add adds a stay, unless no period has closed since the end of the last one.
func add(list catalog.Stays, s catalog.Stay) catalog.Stays {
	if n := len(list); n > 0 && list[n-1].Until.Equal(s.Until) {
		return list
	}
	return append(list, s)
}

// needed returns those of the stays that closed periods may need.
func (k *Kind) needed(all catalog.Stays) (list catalog.Stays) {
	for _, s := range all {
		if k.g.IsNeeded(s.Until) {
			list = append(list, s)
		}
	}
	return list
}

// storeStays gives a member stays in place of those that it has.
func (k *Kind) storeStays(tx *engine.Tx, member string, was, is catalog.Stays) (err error) {
	for _, s := range was {
		if err == nil && !is.Has(s.Group) {
			err = tx.Delete(boardkey.Stayed(k.g.Name, s.Group, member))
		}
	}
	for _, s := range is {
		if err == nil && s.Group > 0 && !was.Has(s.Group) {
			err = tx.Put(boardkey.Stayed(k.g.Name, s.Group, member), nil)
		}
	}
	switch key := boardkey.Stays(k.g.Name, member); {
	case err != nil:
		return err
	case len(is) == 0:
		return tx.Delete(key)
	default:
		return tx.Put(key, is.Encode())
	}
}

// rememberGroup stores that a group has been dissolved, if closed periods need that. Its members are
// remembered when they are forgotten.
func (k *Kind) rememberGroup(tx *engine.Tx, g *catalog.Group, now catalog.Moment) error {
	if !k.g.IsNeeded(now) {
		return nil
	}
	d := catalog.Dissolved{Name: g.Name, At: now}
	return tx.Put(boardkey.Dissolved(k.g.Name, g.Number), d.Encode())
}

// rememberGone is remember of a member of a group that has been dissolved.
func (k *Kind) rememberGone(tx *engine.Tx, member string, number int64) error {
	gone, ok, err := readDissolved(tx, k.g.Name, number)
	if err != nil || !ok || !k.g.IsNeeded(gone.At) {
		return err
	}
	was, err := stays(tx, k.g.Name, member)
	if err != nil {
		return err
	}
	return k.storeStays(tx, member, was, add(k.needed(was), catalog.Stay{Group: number, Until: gone.At}))
}

// pruneStep is the number of members whose stays one commit prunes.
const pruneStep = 256

// PrunePast deletes what no period needs any more of who was in which group. O(members that have
// been in other groups). Errors: that of ctx, those of the engine.
func PrunePast(ctx context.Context, c *catalog.Catalog) error {
	for _, g := range c.Kinds() {
		if !g.Stale.Swap(false) {
			continue
		}
		if err := (&Kind{c, g}).prune(ctx); err != nil {
			g.Stale.Store(true)
			return err
		}
	}
	return nil
}

// prune prunes the stays of all members, and then the dissolved groups.
func (k *Kind) prune(ctx context.Context) error {
	var stale []string
	prefix := boardkey.StaysPrefix(k.g.Name)
	err := catalog.ViewKeys(ctx, k.c.Engine, prefix, func(member string, value []byte) error {
		list, err := catalog.DecodeStays(value)
		if len(k.needed(list)) < len(list) {
			stale = append(stale, member)
		}
		return err
	})
	for some := range slices.Chunk(stale, pruneStep) {
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err == nil {
			err = k.c.Owner.UpdateLater(ctx, nil, func(tx *engine.Tx) error { return k.pruneStays(tx, some) })
		}
	}
	if err != nil {
		return err
	}
	return k.c.Owner.UpdateLater(ctx, nil, k.pruneGroups)
}

// pruneStays prunes the stays of some members.
func (k *Kind) pruneStays(tx *engine.Tx, members []string) error {
	for _, member := range members {
		list, err := stays(tx, k.g.Name, member)
		if err == nil {
			err = k.storeStays(tx, member, list, k.needed(list))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pruneGroups deletes the dissolved groups that no period needs any more.
func (k *Kind) pruneGroups(tx *engine.Tx) error {
	return catalog.DeleteWhere(tx, boardkey.DissolvedPrefix(k.g.Name), func(_ string, value []byte) (bool, error) {
		d, err := catalog.DecodeDissolved(value)
		return err == nil && !k.g.IsNeeded(d.At), err
	})
}
