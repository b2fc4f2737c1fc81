package place

import (
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Entries looks up the entry of a member in a ranking. The tie is valid until a set changes. O(1).
type Entries func(member []byte) (score int64, tie []byte, ok bool, err error)

// Lookup returns what looks up entries in a transaction that has all sets of the ranking of a
// period: Timeline.RankingKeys. Errors: those of Open.
func Lookup(tx *engine.Tx, b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot) (Entries, error) {
	if t.Top == nil && slot.Parts == nil {
		set, err := tx.IntSet(slot.Key, st.Form)
		return func(member []byte) (score int64, tie []byte, ok bool, err error) {
			score, tie, ok = set.Get(member)
			return score, tie, ok, nil
		}, err
	}
	memory, p := new(Memory), new(Place)
	return func(member []byte) (score int64, tie []byte, ok bool, err error) {
		*p = Place{Memory: memory}
		p.Begin(b, st, t, slot, "", member)
		if err := p.Open(tx); err != nil {
			return 0, nil, false, err
		}
		score, tie, ok = p.Get()
		return score, tie, ok, nil
	}, nil
}
