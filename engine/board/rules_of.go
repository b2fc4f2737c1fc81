package board

import (
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/engine/board/rules"
)

// RulesOf returns how the entries of a set of boards are read, for callers that read a board's set directly: its key is one of a
// period or of a baseline, and rules.Decode takes its scores and ties apart. The rules are nil for Once keys and best ranks, whose scores
// are plain numbers: milliseconds after 1970, and ranks from 1. A closed period whose rules were asked for leaves memory when nobody has read
// it for a while. O(length of the key + windows). Errors: ErrClosed; ErrNoBoard, also for a key that is none of a board's; ErrNoWindow;
// ErrMigrating for a version that the board does not have.
func (bs *Boards) RulesOf(key string) (*rules.Rules, error) {
	k, ok := ParseKey(key)
	if !ok {
		return nil, fmt.Errorf("%w: the key %q is none of a board's", ErrNoBoard, key)
	}
	b, err := bs.Board(k.Board)
	if err != nil {
		return nil, err
	}
	if k.Kind == onceKind || strings.HasPrefix(k.Kind, bestKind) {
		return nil, nil
	}
	st, err := b.now()
	if err != nil {
		return nil, err
	}
	if _, err := st.span(strings.TrimPrefix(k.Kind, baseKind)); err != nil {
		return nil, err
	}
	if k.Version != st.version {
		return nil, fmt.Errorf("%w: %q has version %d, not %d", ErrMigrating, k.Board, st.version, k.Version)
	}
	if s, x := st.slotOf(k); x == nil || s.isClosed(x) { // a baseline, or closed
		bs.ticker.note(key, bs.e.Now())
	}
	return st.rules, nil
}
