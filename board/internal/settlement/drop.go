package settlement

import (
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// AreClaimed reports whether no award of a period can be claimed any more. It is true if they are not claimed, but delivered.
func AreClaimed(b *catalog.Board, s *state.Settlement) bool {
	now := s.Now()
	if at, ok := now.Expires(); !now.Plan.Claim || ok && !b.Engine().Now().Before(at) {
		return true
	}
	return now.Settled && s.Waiting.Load() == 0
}

// DeleteIn deletes what is stored of a settlement beside its set and its notes, in a transaction that may change reserved keys.
func DeleteIn(tx *engine.Tx, board string, s *state.Settlement) error {
	if err := tx.Delete(boardkey.Settlement(board, s.Window, s.Period)); err != nil {
		return err
	}
	return tx.Delete(boardkey.Waiting(board, s.Window, s.Period))
}
