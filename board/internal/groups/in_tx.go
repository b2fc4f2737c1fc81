package groups

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/engine"
)

// Reads in a transaction lock what they read, so that it stays until the transaction ends: the members whom they ask for, and the groups.

// Of returns the name of the group that a member is in, and false if it is in none. Errors: engine.ErrRestart, those of the engine.
func (t InTx) Of(member string) (group string, ok bool, err error) {
	name := []byte(member)
	keys := func(tx *engine.Tx) ([]string, error) {
		keys := []string{boardkey.MemberLock(t.k.g.Name, member)}
		if g := t.k.g.Noted(tx, name); g != nil {
			keys = append(keys, boardkey.GroupLock(t.k.g.Name, g.Name))
		}
		return keys, t.k.c.CheckOpen()
	}
	err = t.locked(keys, func() error {
		return t.locked(keys, func() error { // the member is where it is now that its lock is there
			if g, _ := t.k.g.Of(t.tx, name); g != nil {
				group, ok = g.Name, true
			}
			return nil
		})
	})
	return group, ok, err
}

// Info describes a group. Errors: ErrNoGroup, engine.ErrRestart, those of the engine.
func (t InTx) Info(group string) (i board.GroupInfo, err error) {
	err = t.lockedGroup(group, func() error {
		g, err := t.k.g.Group(t.tx, group)
		if err != nil {
			return err
		}
		text, _, err := t.tx.Get(boardkey.Group(t.k.g.Name, group))
		if err != nil {
			return err
		}
		i = t.k.info(t.tx, g)
		i.Meta, err = metaOf(group, text)
		return err
	})
	return i, err
}

// Members returns up to n members of a group that sort after a name, in the order of their names. Errors: ErrNoGroup, ErrCount, engine.ErrRestart, those of the engine.
func (t InTx) Members(group, after string, n int) (members []string, err error) {
	err = t.lockedGroup(group, func() (err error) {
		members, err = t.k.membersIn(t.tx, group, after, n)
		return err
	})
	return members, err
}

// Among returns the members of a group that a ranking of the transaction has. Errors: ErrNoGroup, engine.ErrRestart, those of the ranking and of the engine.
func (t InTx) Among(r board.Ranking, group string) (all []board.AmongRow, err error) {
	err = t.lockedGroup(group, func() (err error) {
		all, err = t.k.amongIn(t.tx.Context(), t.tx, r, group)
		return err
	})
	return all, err
}

// Dissolve removes a group. What is stored of its members goes after the commit, in the background. Errors: ErrNoGroup, those of Make.
func (t InTx) Dissolve(group string) error {
	var g *catalog.Group
	err := t.Make(t.k.dissolve(group, &g))
	if err == nil {
		t.k.c.Owner.NoteEnd(t.tx, dissolved{t.k, g})
	}
	return err
}

// dissolved is the end of a transaction of the caller's that has dissolved a group.
type dissolved struct {
	k *Kind
	g *catalog.Group
}

// Ended implements engine.Ender.
func (d dissolved) Ended(committed bool) {
	if committed {
		d.k.g.ForgetLater(d.g)
		d.k.c.WakeClosed()
	}
}

// lockedGroup makes a call with a group locked.
func (t InTx) lockedGroup(group string, call func() error) error {
	return t.locked(func(*engine.Tx) ([]string, error) {
		return []string{boardkey.GroupLock(t.k.g.Name, group)}, t.k.c.CheckOpen()
	}, call)
}
