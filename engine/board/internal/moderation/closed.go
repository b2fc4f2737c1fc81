package moderation

import (
	"context"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/auditlog"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/journal"
	"github.com/zrankdb/zrank/engine/board/internal/places"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/internal/submit"
	"github.com/zrankdb/zrank/persist"
)

// step is the number of closed periods that one commit changes.
const step = 64

// maxRemoved is the number of removed places that a record lists. When there are more, the period is indexed again.
const maxRemoved = 512

// removal is the removal of a member from one closed period.
type removal struct {
	places.Found
	closed submit.Closed
	key    string // of the ranking, if blind
	blind  bool   // the ranking is one set, which is changed without being read
	next   *state.Record
}

// removeClosed removes the member from some of the closed periods that have it.
func removeClosed(ctx context.Context, r *run) (done bool, err error) {
	err = r.b.Retry(func(st *state.State) error {
		if err := places.All(ctx, r.b, st); err != nil {
			return err
		}
		list, err := r.removeSome(st)
		if done = len(list) == 0; err == nil {
			return nil
		}
		return r.unblock(err, st, list)
	})
	return done, err
}

// removeSome removes the member from up to step closed periods, in one commit, and returns them. No period is closed or dropped meanwhile.
func (r *run) removeSome(st *state.State) (list []removal, err error) {
	defer r.b.LockClosing()()
	list, keys, blind, err := r.removals(st)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	for _, t := range st.Timelines {
		defer t.BeginModeration()()
	}
	var gone []auditlog.Place
	err = r.updateBlind(st, keys, blind, func(tx *engine.Tx) error {
		gone = gone[:0]
		for i := range list {
			place, err := list[i].remove(tx, r, st)
			if err != nil {
				return err
			}
			gone = append(gone, place)
		}
		if err := r.logRemoval(tx, st, list); err != nil {
			return err
		}
		r.j.Done += len(list)
		return auditlog.AddPlaces(tx, st.Name, r.j.Entry, gone, false)
	})
	if err != nil {
		r.j.Done -= len(list)
		return list, err
	}
	for i := range list {
		list[i].T.ReplaceRecord(list[i].next)
		if !list[i].blind {
			r.b.Env().Idle.NoteRead(r.b.Engine().Now(), list[i].T.SetKeys(list[i].Period)...)
		}
	}
	return list, nil
}

// logRemoval adds a row to the journal of the board, if it has one, so that a revert of an earlier submission does not bring the member back.
func (r *run) logRemoval(tx *engine.Tx, st *state.State, list []removal) error {
	if !st.HasJournal() {
		return nil
	}
	gone := make([]journal.Place, len(list))
	for i, x := range list {
		gone[i] = journal.Place{Window: slices.Index(st.Timelines, x.T), Period: x.Period}
	}
	return journal.AppendRemoval(tx, st, string(r.j.Member), gone)
}

// removals returns some of the closed periods that have the member, and the keys of their sets: those that are read, and those that are not.
func (r *run) removals(st *state.State) (list []removal, keys, blind []string, err error) {
	var found []places.Found // those that are not indexed were closed since the change began
	err = r.b.Engine().View(nil, func(tx *engine.Tx) (err error) {
		found, err = places.InTx(r.b.Owner(), tx, st, string(r.j.Member))
		return err
	})
	if err != nil {
		return nil, nil, nil, err
	}
	for _, f := range found[:min(len(found), step)] {
		closed, err := submit.OfClosed(f.T, f.Record)
		if err != nil {
			return nil, nil, nil, err
		}
		x := removal{Found: f, closed: closed}
		if x.key, x.blind = closed.IsOneSet(); x.blind && f.Record.Members > 1 { // a set that would be empty is read
			blind = append(blind, x.key)
		} else {
			x.blind, keys = false, closed.AppendKeys(keys, string(r.j.Member))
		}
		list = append(list, x)
	}
	if st.HasJournal() {
		keys = append(keys, st.JournalKey)
	}
	return list, keys, blind, nil
}

// remove removes the member from one period in the transaction.
func (x *removal) remove(tx *engine.Tx, r *run, st *state.State) (p auditlog.Place, err error) {
	member := string(r.j.Member)
	if err := x.removeEntry(tx, r, st, member); err != nil {
		return p, err
	}
	x.next = x.Record.Without(st.Version, x.Place.Place, r.b.Owner().EntryHash(x.Score, x.Tie, member))
	if len(x.next.Removed) > maxRemoved {
		x.next.Indexed, x.next.Removed = false, nil
	}
	if err := places.PutRecord(tx, x.T, x.next); err != nil {
		return p, err
	}
	if err := places.Delete(tx, st.Name, member, x.Place); err != nil {
		return p, err
	}
	if err := deleteBeside(tx, st, x.Window, x.Period, member); err != nil {
		return p, err
	}
	return placeOf(st, &x.Found), nil
}

// removeEntry removes the member's entry from the ranking.
func (x *removal) removeEntry(tx *engine.Tx, r *run, st *state.State, member string) error {
	if x.blind {
		return r.b.Owner().BlindRemove(tx, x.key, []byte(member), x.Score, x.Tie)
	}
	_, ok, err := x.closed.Remove(tx, r.b, st, member)
	if err == nil && !ok {
		err = fmt.Errorf("%w: %q, window %s: the ranking of %s does not have a member that the index has", persist.ErrCorrupt, st.Name, x.Window, x.Period)
	}
	return err
}

// deleteBeside deletes what is stored beside a member's entry in a period.
func deleteBeside(tx *engine.Tx, st *state.State, window, period, member string) error {
	if err := tx.Delete(boardkey.Kept(st.Name, window, period, member)); err != nil {
		return err
	}
	return tx.Delete(boardkey.Meta(st.Name, window, period, member))
}

// unblock makes room for what a commit lacked, or reads the records again if it may have been committed. The caller holds no lock of the board.
func (r *run) unblock(err error, st *state.State, list []removal) error {
	if unknown(err) {
		for i := range list {
			reload(r.b, list[i].T, list[i].Period)
		}
		return err
	}
	closed := make([]submit.Closed, len(list))
	for i := range list {
		closed[i] = list[i].closed
	}
	return submit.UnblockClosed(err, r.b, st, closed)
}

// reload reads the record of a closed period again.
func reload(b *catalog.Board, t *state.Timeline, period string) {
	text, err := b.Env().Stored(boardkey.Record(t.Board, t.Window.Name, period))
	if err != nil || text == nil {
		return
	}
	if r, err := state.DecodeRecord(text); err == nil {
		zone := t.Cal.Zone()
		r.Start, r.End, r.ClosedAt = r.Start.In(zone), r.End.In(zone), r.ClosedAt.In(zone)
		t.ReplaceRecord(r)
	}
}
