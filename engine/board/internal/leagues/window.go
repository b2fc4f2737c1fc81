package leagues

import (
	"fmt"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/state"
)

// timeline returns the window of the leagues of a board. Errors: ErrNoLeagues, ErrClosed, ErrNoBoard.
func timeline(b *catalog.Board) (*state.State, *state.Timeline, error) {
	st, err := b.Readable()
	if err != nil {
		return nil, nil, err
	}
	if st.Spec.Leagues == nil {
		return nil, nil, fmt.Errorf("%w: %q", errs.ErrNoLeagues, st.Name)
	}
	t, err := st.Timeline(st.Spec.Leagues.Window)
	return st, t, err
}

// open opens the set with the cohorts of a period by its key, which the transaction has named.
func open(tx *engine.Tx, key string) (*engine.IntSet, error) { return tx.IntSet(key, engine.Form{}) }
