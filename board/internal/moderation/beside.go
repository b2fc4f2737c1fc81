package moderation

import (
	"encoding/binary"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/combine"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// keptVersion is the length of the board's version before stored times.
const keptVersion = 8

// readKept reads what is kept beside the entry of a member.
func readKept(tx *engine.Tx, st *state.State, s *combine.Entry, window, period, member string) (err error) {
	if st.Rules.K() == 0 && st.Rules.Timed() == 0 || !s.OK {
		return nil
	}
	if s.Kept, _, err = tx.Get(boardkey.Kept(st.Name, window, period, member)); err != nil || st.Rules.K() > 0 {
		return err
	}
	if len(s.Kept) < keptVersion || binary.BigEndian.Uint64(s.Kept) != uint64(st.Version) {
		s.Kept = nil
		return nil
	}
	s.Kept = s.Kept[keptVersion:]
	return nil
}

// putKept stores what is kept beside the entry of a member.
func putKept(tx *engine.Tx, st *state.State, s combine.Entry, t *state.Timeline, period, member string) error {
	if st.Rules.K() == 0 && st.Rules.Timed() == 0 {
		return nil
	}
	key := boardkey.Kept(st.Name, t.Window.Name, period, member)
	if len(s.Kept) == 0 {
		return tx.Delete(key)
	}
	t.Times.Store(state.SomeTimes)
	if st.Rules.K() > 0 {
		return tx.Put(key, s.Kept)
	}
	return tx.Put(key, append(binary.BigEndian.AppendUint64(nil, uint64(st.Version)), s.Kept...))
}

// rankAt returns the rank of an entry of a closed period by the rank that it would have if others had closed up; 0 stays 0, as in parts.
func rankAt(st *state.State, r *state.Record, closedUp int, s combine.Entry) int {
	if closedUp == 0 {
		return 0
	}
	return closedUp + r.VacantBefore(st.Version, s.Score, s.Tie)
}

// deleteBeside deletes what is stored beside a member's entry in a period.
func deleteBeside(tx *engine.Tx, st *state.State, window, period, member string) error {
	if err := tx.Delete(boardkey.Kept(st.Name, window, period, member)); err != nil {
		return err
	}
	return tx.Delete(boardkey.Meta(st.Name, window, period, member))
}
