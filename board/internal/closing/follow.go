package closing

import (
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
)

// A period of a derived board closes after that of its source. If that was closed by hand, its followers have to close before their time.

// sourceOf returns the window that a window of a derived board follows, nil for a board that is not derived.
func sourceOf(b *catalog.Board, t *state.Timeline) *state.Timeline {
	f := b.Following()
	if f == nil {
		return nil
	}
	of, _ := f.Source.State().Timeline(t.Window.Name) // nil if there is none
	return of
}

// isSourceClosed reports whether a period may close as far as the board is concerned that its own follows.
func isSourceClosed(b *catalog.Board, t *state.Timeline, slot *state.Slot) bool {
	of := sourceOf(b, t)
	return of == nil || of.IsClosed(slot)
}

// behind returns the open periods of a window of a derived board whose sources are closed.
func behind(b *catalog.Board, t *state.Timeline) (list []*state.Slot) {
	of := sourceOf(b, t)
	if of == nil {
		return nil
	}
	for _, slot := range t.OpenSlots() {
		if of.IsClosed(slot) {
			list = append(list, slot)
		}
	}
	return list
}
