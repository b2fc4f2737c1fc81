package leagues

import (
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// timeline returns the window of the leagues of a board. Errors: ErrNoLeagues, ErrClosed, ErrNoBoard.
func timeline(b *catalog.Board) (*state.State, *state.Timeline, error) {
	st, err := b.Readable()
	if err != nil {
		return nil, nil, err
	}
	t, err := timelineOf(st)
	return st, t, err
}

// timelineOf is timeline of a board in a state.
func timelineOf(st *state.State) (*state.Timeline, error) {
	if st.Spec.Leagues == nil {
		return nil, fmt.Errorf("%w: %q", board.ErrNoLeagues, st.Name)
	}
	return st.Timeline(st.Spec.Leagues.Window)
}

// open opens the set with the cohorts of a period, or with the tiers, by its key.
func open(tx *engine.Tx, key string) (*engine.IntSet, error) { return tx.IntSet(key, engine.Form{}) }
