package settlement

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Load reads the settlements of the boards, how many of their awards wait, and which have failed.
func Load(ctx context.Context, c *catalog.Catalog) error {
	return c.Engine.View(ctx, func(tx *engine.Tx) error {
		err := catalog.EachKey(tx, boardkey.SettlementPrefix(), func(rest string, value []byte) error {
			name, rest, _ := strings.Cut(rest, "\x00")
			window, period, _ := strings.Cut(rest, "\x00")
			return load(c, tx, name, window, period, value)
		})
		if err != nil {
			return err
		}
		return loadNotes(c, tx)
	})
}

// load reads one settlement. A settlement of a board or a window that does not exist any more is left out: it is being deleted.
func load(c *catalog.Catalog, tx *engine.Tx, name, window, period string, text []byte) error {
	b, t := windowOf(c, name, window)
	if t == nil {
		return nil
	}
	s, err := state.DecodeSettling(text)
	if err != nil {
		return fmt.Errorf("board: stored settlement of %s of %q, window %s: %w", period, name, window, err)
	}
	if all := t.Settlements(); len(all) > 0 {
		s.Share(all[len(all)-1].Now())
	}
	of := state.NewSettlement(b.State().Name, window, period, s)
	n, err := storedWaiting(tx, name, of)
	if err != nil {
		return fmt.Errorf("board: stored number of awards that wait, %s of %q, window %s: %w", period, name, window, err)
	}
	of.Waiting.Store(int64(n))
	t.AddSettlement(of)
	return nil
}

// windowOf returns a board and a window of it, nil if there is none.
func windowOf(c *catalog.Catalog, name, window string) (*catalog.Board, *state.Timeline) {
	b, err := c.Lookup(name)
	if err != nil {
		return nil, nil
	}
	t, _ := b.State().Timeline(window) // nil if there is an error
	return b, t
}

// loadNotes reads which awards have failed.
func loadNotes(c *catalog.Catalog, tx *engine.Tx) error {
	return catalog.EachKey(tx, boardkey.NotePrefix(), func(rest string, value []byte) error {
		part := strings.SplitN(rest, "\x00", 4)
		var n note
		if err := json.Unmarshal(value, &n); err != nil || len(part) != 4 {
			return fmt.Errorf("board: stored note of an award, %q: %v", rest, err)
		}
		_, t := windowOf(c, part[0], part[1])
		if t == nil || n.Failures == 0 {
			return nil
		}
		if s := t.SettlementOf(part[2]); s != nil {
			s.SetRetry(part[3], state.Retry{Failures: n.Failures, At: n.Next})
		}
		return nil
	})
}
