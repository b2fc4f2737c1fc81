package moderation

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// hider moves the member's entries in closed periods from the rankings to the sets beside them, and shower moves them back.
var (
	hider  = editor{func(f *places.Found) bool { return !f.Hidden }, (*run).hideKeys, (*run).hide}
	shower = editor{func(f *places.Found) bool { return f.Hidden }, (*run).hideKeys, (*run).show}
)

// hideKeys appends the keys of the sets that change in a closed period in which a member is hidden or shown.
func (r *run) hideKeys(dst []string, x *edit) []string {
	return append(x.at.AppendKeys(dst, true), x.at.HiddenKey())
}

// hide hides the member in one closed period in the transaction.
func (r *run) hide(tx *engine.Tx, st *state.State, x *edit) (p board.Place, err error) {
	_, ok, err := x.at.Hide(tx)
	x.next = x.Record.Hide(st.Version, x.Place.Place, r.hash(x))
	if err := x.check(st, ok, err); err != nil {
		return p, err
	}
	return hiddenPlace(st, &x.Found), r.putMoved(tx, st, x, true)
}

// show shows the member in one closed period in the transaction.
func (r *run) show(tx *engine.Tx, st *state.State, x *edit) (p board.Place, err error) {
	_, ok, err := x.at.Show(tx)
	x.next = x.Record.Show(st.Version, x.Place.Place, r.hash(x))
	if err := x.check(st, ok, err); err != nil {
		return p, err
	}
	return shownPlace(st, &x.Found, x.place), r.putMoved(tx, st, x, false)
}

// putMoved stores the record of a closed period in which the member was hidden or shown, and its place in the index.
func (r *run) putMoved(tx *engine.Tx, st *state.State, x *edit, hidden bool) error {
	if err := x.putRecord(tx); err != nil {
		return err
	}
	place := x.Place
	place.Hidden = hidden
	return places.Put(tx, st.Name, string(r.j.Member), place)
}
