package periods

import (
	"github.com/zrankdb/zrank/board"

	"fmt"
	"strings"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/rules"
)

// RulesOf returns the rules of a set by its key: see Boards.RulesOf.
func RulesOf(c *catalog.Catalog, key string) (*rules.Rules, error) {
	k, ok := boardkey.Parse(key)
	if !ok {
		return nil, fmt.Errorf("%w: the key %q is none of a board's", board.ErrNoBoard, key)
	}
	b, err := c.Lookup(k.Board)
	if err != nil {
		return nil, err
	}
	if k.Kind == boardkey.OnceKind || k.Kind == boardkey.JournalKind || strings.HasPrefix(k.Kind, boardkey.BestKind) || k.IsRolling() || k.IsCohort() || k.IsTiers() {
		return nil, nil
	}
	st, err := b.Readable()
	if err != nil {
		return nil, err
	}
	if _, err := st.Timeline(k.WindowOf()); err != nil {
		return nil, err
	}
	if k.Version != st.Version {
		return nil, fmt.Errorf("%w: %q has version %d, not %d", board.ErrMigrating, k.Board, st.Version, k.Version)
	}
	if t, slot := st.SlotOf(k); slot == nil || t.IsClosed(slot) { // a baseline, or closed
		c.Idle.NoteRead(c.Engine.Now(), key)
	}
	return st.Rules, nil
}
