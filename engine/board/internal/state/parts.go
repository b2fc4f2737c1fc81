package state

import (
	"slices"

	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/parts"
)

// Parts is the sets of the ranking of one period of a board in parts. It does not change.
type Parts struct {
	Keys   []string // by part; the first is the key that the ranking would have as one set
	Sorted []string // the same in the order of keys
}

// KeyOf returns the key of the part that a member is in.
func (p *Parts) KeyOf(member []byte) string { return p.Keys[parts.Of(member, len(p.Keys))] }

// newParts returns the n parts of a period; nil for 0: the ranking is one set.
func newParts(board, window, period string, version, n int) *Parts {
	if n == 0 {
		return nil
	}
	p := &Parts{Keys: make([]string, n)}
	for i := range p.Keys {
		p.Keys[i] = boardkey.Key{Board: board, Kind: boardkey.PartKind(window, i), Period: period, Version: version}.String()
	}
	p.Sorted = slices.Sorted(slices.Values(p.Keys))
	return p
}
