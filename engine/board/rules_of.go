package board

import (
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/engine/board/rules"
)

// rulesOfKey returns the rules of a set of a board: see Boards.RulesOf.
func rulesOfKey(c *catalog, key string) (*rules.Rules, error) {
	k, ok := ParseKey(key)
	if !ok {
		return nil, fmt.Errorf("%w: the key %q is none of a board's", ErrNoBoard, key)
	}
	b, err := c.lookup(k.Board)
	if err != nil {
		return nil, err
	}
	if k.Kind == onceKind || strings.HasPrefix(k.Kind, bestKind) {
		return nil, nil
	}
	st, err := b.readable()
	if err != nil {
		return nil, err
	}
	if _, err := st.timeline(strings.TrimPrefix(k.Kind, baselineKind)); err != nil {
		return nil, err
	}
	if k.Version != st.version {
		return nil, fmt.Errorf("%w: %q has version %d, not %d", ErrMigrating, k.Board, st.version, k.Version)
	}
	if t, x := st.slotOf(k); x == nil || t.isClosed(x) { // a baseline, or closed
		c.idle.noteRead(key, c.engine.Now())
	}
	return st.rules, nil
}
