package moderation

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/closing"
	"github.com/zrankdb/zrank/board/internal/groups"
	"github.com/zrankdb/zrank/board/internal/journal"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/persist"
)

// step is the number of closed periods that one commit changes.
const step = 32

// unblocked is how many members a change may move out of a head: a merge removes one, and the other
// one may leave it.
const unblocked = 2

// maxRemoved is the number of removed places that a record lists. When there are more, the period
// is indexed again.
const maxRemoved = 512

// edit is the change of a member in one closed period.
type edit struct {
	places.Found
	at     place.Place
	blind  bool // the ranking is one set, which is changed without being read
	next   *state.Record
	place  int     // from 0, that a hidden member gets when it is shown
	moving *moving // of a member that is renamed or merged; else nil
}

// editor changes a member in closed periods.
type editor struct {
	wants func(f *places.Found) bool                   // whether there is something to change; nil: there is
	keys  func(r *run, dst []string, x *edit) []string // appends the keys of the sets that change
	// change changes one period in the transaction, sets the record that it has then, and returns
	// the member's place.
	change func(r *run, tx *engine.Tx, st *state.State, x *edit) (board.Place, error)
}

// remover removes the member, be it hidden or not.
var remover = editor{keys: (*run).removalKeys, change: (*run).remove}

// stage returns a stage of a job that changes the member in the closed periods that have it, some
// at a time.
func (e *editor) stage(ctx context.Context, r *run) (done bool, err error) {
	err = r.b.Retry(func(st *state.State) error {
		if err := closing.CloseBehind(ctx, r.b); err != nil {
			return err
		}
		if err := places.All(ctx, r.b, st); err != nil {
			return err
		}
		list, err := r.editSome(ctx, st, e)
		if done = len(list) == 0; err == nil {
			return nil
		}
		return r.unblock(ctx, err, st, list)
	})
	return done, err
}

// choose returns the places that there are to change.
func (e *editor) choose(all []places.Found) []places.Found {
	if e.wants == nil {
		return all
	}
	return slices.DeleteFunc(all, func(f places.Found) bool { return !e.wants(&f) })
}

// editSome changes the member in up to step closed periods, in one commit, and returns them. No
// period is closed or dropped meanwhile.
func (r *run) editSome(ctx context.Context, st *state.State, e *editor) (list []edit, err error) {
	defer lockClosed(r.b)()
	list, keys, blind, err := r.edits(ctx, st, e)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	var changed []board.Place
	before := r.j.Done
	err = r.updateBlind(ctx, st, keys, blind, func(tx *engine.Tx) error {
		changed = changed[:0]
		r.b.Owner().NoteEnd(tx, catalog.OnCommit(func() {
			for i := range list { // a reader finds ranking and record as they were, or as they are
				list[i].T.ReplaceRecord(list[i].next)
			}
		}))
		for i := range list {
			place, err := e.change(r, tx, st, &list[i])
			if err != nil {
				return err
			}
			changed = append(changed, place)
			runtime.Gosched() // MO6
		}
		if e == &remover {
			if err := r.logRemoval(tx, st, list); err != nil {
				return err
			}
		}
		r.j.Done = before + len(list)
		if r.dry != nil {
			return nil
		}
		return auditlog.AddPlaces(tx, st.Name, r.j.Entry, changed, false)
	})
	if err != nil {
		r.j.Done = before
		return list, err
	}
	if r.left = r.left[len(list):]; r.dry != nil {
		r.dry.Places = append(r.dry.Places, changed...)
		if e == &remover {
			r.rows++
		}
	}
	for i := range list {
		if !list[i].blind {
			r.b.Env().Idle.NoteRead(r.b.Engine().Now(), list[i].T.SetKeys(list[i].Period)...)
		}
	}
	return list, nil
}

// lockClosed keeps others from closing and dropping periods of a board and of those that follow it,
// and from changing closed ones, until unlock is called. Readers of closed periods see that they change.
func lockClosed(b *catalog.Board) (unlock func()) {
	ends := []func(){b.LockClosing()}
	for _, t := range b.State().Timelines {
		ends = append(ends, t.BeginModeration())
	}
	for _, d := range b.Followers() {
		ends = append(ends, lockClosed(d))
	}
	return func() {
		for _, end := range slices.Backward(ends) {
			end()
		}
	}
}

// logRemoval adds a row to the journal of the board, if it has one, so that a revert of an earlier
// submission does not bring the member back.
func (r *run) logRemoval(tx *engine.Tx, st *state.State, list []edit) error {
	if !st.HasJournal() {
		return nil
	}
	gone := make([]journal.Place, len(list))
	for i, x := range list {
		gone[i] = journal.Place{Window: slices.Index(st.Timelines, x.T), Period: x.Period, Had: true, Score: x.Score, Tie: x.Tie}
	}
	return journal.AppendRemoval(tx, st, string(r.j.Member), gone)
}

// next returns the next places that a stage changes, at most step, and none if there are no more.
// Those that are not indexed were closed since the change began.
func (r *run) next(ctx context.Context, st *state.State, e *editor) (some []places.Found, err error) {
	if !r.areCurrent(st) {
		err = r.b.Engine().View(ctx, func(tx *engine.Tx) (err error) {
			r.left, err = places.InTx(r.b.Owner(), tx, st, string(r.j.Member))
			return err
		})
		if r.left = e.choose(r.left); r.dry != nil {
			r.left = r.left[min(r.j.Done, len(r.left)):] // those before are as they were
		}
	}
	return r.left[:min(len(r.left), step)], err
}

// areCurrent reports whether there are places left of the last look at the index, and the periods
// of the next ones are as they were then.
func (r *run) areCurrent(st *state.State) bool {
	for _, f := range r.left[:min(len(r.left), step)] {
		if !slices.Contains(st.Timelines, f.T) || f.T.RecordOf(f.Period) != f.Record {
			return false
		}
	}
	return len(r.left) > 0
}

// edits returns some of the closed periods in which the member is to be changed, and the keys of
// their sets: those that are read, and those that are not.
func (r *run) edits(ctx context.Context, st *state.State, e *editor) (list []edit, keys, blind []string, err error) {
	found, err := r.next(ctx, st, e)
	if err != nil {
		return nil, nil, nil, err
	}
	for _, f := range found {
		x := edit{Found: f}
		if x.at, err = place.OfClosed(r.b, st, f.T, f.Record, string(r.j.Member)); err != nil {
			return nil, nil, nil, err
		}
		if f.Hidden {
			if x.place, err = f.WouldBe(ctx, r.b, st, string(r.j.Member)); err != nil {
				return nil, nil, nil, err
			}
		}
		isOne := x.at.Division() == nil && f.T.Top == nil && !groups.HasFollowers(r.b)
		if x.blind = isOne && e == &remover && !f.Hidden && f.Record.Members > 1; x.blind { // a set that would be empty is read
			blind = append(blind, x.at.Slot.Key)
		} else {
			keys = e.keys(r, keys, &x)
		}
		list = append(list, x)
	}
	if st.HasJournal() {
		keys = append(keys, st.JournalKey)
	}
	return list, keys, blind, nil
}

// removalKeys appends the keys of the sets that the removal of a member from a closed period
// changes.
func (r *run) removalKeys(dst []string, x *edit) []string {
	if x.Hidden {
		return append(dst, x.at.HiddenKey())
	}
	return x.at.AppendKeys(dst, true)
}

// remove removes the member from one period in the transaction.
func (r *run) remove(tx *engine.Tx, st *state.State, x *edit) (p board.Place, err error) {
	member := string(r.j.Member)
	if err := r.removeEntry(tx, st, x); err != nil {
		return p, err
	}
	if err := x.putRecord(tx); err != nil {
		return p, err
	}
	if err := places.Delete(tx, st.Name, member, x.Place); err != nil {
		return p, err
	}
	if r.j.KeepRanks {
		return keptPlace(st, &x.Found), nil
	}
	return placeOf(st, &x.Found), nil
}

// removeEntry removes the member's entry from the ranking, or from beside it, and sets the record.
func (r *run) removeEntry(tx *engine.Tx, st *state.State, x *edit) (err error) {
	if x.Hidden {
		x.next = x.Record.WithoutHidden()
		return r.leave(st, x, x.at.OpenHidden(tx))
	}
	x.next = x.Record.Without(st.Version, x.Place.Place, r.hash(x))
	if r.j.KeepRanks {
		x.next = x.next.WithVacancy(st.Version, x.Score, x.Tie)
	}
	if x.blind {
		if err := x.at.DeleteBeside(tx); err != nil {
			return err
		}
		return r.b.Owner().BlindRemove(tx, x.at.Slot.Key, r.j.Member, x.Score, x.Tie)
	}
	return r.leave(st, x, x.at.Open(tx))
}

// leave removes the entry of the place, which has been opened with an error or nil.
func (r *run) leave(st *state.State, x *edit, opened error) error {
	if opened != nil {
		return opened
	}
	why := feed.Banned
	if r.j.Kind == audit.Erase {
		why = feed.Erased
	}
	_, c, err := x.at.Leave(why, false)
	return x.check(st, c.Had, err)
}

// hash returns the hash of the member's entry in a period.
func (r *run) hash(x *edit) uint64 {
	return r.b.Owner().EntryHash(x.Score, x.Tie, string(r.j.Member))
}

// check returns an error if a period does not have the entry that the index has, or err.
func (x *edit) check(st *state.State, has bool, err error) error {
	if err == nil && !has {
		return fmt.Errorf("%w: %q, window %s: the ranking of %s does not have a member that the index has", persist.ErrCorrupt, st.Name, x.Window, x.Period)
	}
	return err
}

// putRecord stores the record of a period. If many places have been removed, the period is to be
// indexed again.
func (x *edit) putRecord(tx *engine.Tx) error {
	if len(x.next.Removed) > maxRemoved {
		x.next.Indexed, x.next.Removed = false, nil
	}
	return places.PutRecord(tx, x.T, x.next)
}

// unblock makes room for what a commit lacked, or reads the records again if it may have been
// committed. The caller holds no lock of the board.
func (r *run) unblock(ctx context.Context, err error, st *state.State, list []edit) error {
	if unknown(err) {
		for i := range list {
			reload(r.b, list[i].T, list[i].Period)
		}
		return err
	}
	return place.Unblock(ctx, err, r.b, st, func(yield func(*state.Timeline, *state.Slot) bool) {
		for i := range list {
			if !yield(list[i].T, list[i].at.Slot) {
				return
			}
		}
	}, unblocked)
}

// reload reads the record of a closed period again, and those of the periods that follow it.
func reload(b *catalog.Board, t *state.Timeline, period string) {
	text, err := b.Env().Stored(boardkey.Record(t.Board, t.Window.Name, period))
	if err == nil && text != nil {
		if r, err := state.DecodeRecord(text); err == nil {
			t.ReplaceRecord(r)
		}
	}
	for _, d := range b.Followers() {
		if own, err := d.State().Timeline(t.Window.Name); err == nil {
			reload(d, own, period)
		}
	}
}
