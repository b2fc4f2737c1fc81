package settlement

import (
	"fmt"
	"strconv"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// PutFirst stores the first state of a settlement, in a transaction that may change reserved keys.
func PutFirst(tx *engine.Tx, boardName, window, period string, s *state.Settling) error {
	text, err := s.Encode()
	if err != nil {
		return err
	}
	return tx.Put(boardkey.Settlement(boardName, window, period), text)
}

// putEntry stores the award of a member.
func putEntry(set *engine.IntSet, s *state.Settling, member string, e entry) error {
	var tie [maxTie]byte
	_, err := set.Put([]byte(member), e.appendTie(tie[:0], s), e.place)
	return err
}

// putGranted stores that what is due of an award is granted, in a transaction that may change reserved keys.
func putGranted(tx *engine.Tx, set *engine.IntSet, boardName string, t *state.Settlement, s *state.Settling, member string, e entry) error {
	if e.flag != plain {
		if err := tx.Delete(boardkey.Note(boardName, t.Window, t.Period, member)); err != nil {
			return err
		}
	}
	e.granted, e.flag = e.granted|e.due, plain
	return putEntry(set, s, member, e)
}

// addWaiting adds to the number of awards that wait, in a transaction that may change reserved keys.
func addWaiting(b *catalog.Board, tx *engine.Tx, t *state.Settlement, delta int) error {
	boardName := b.State().Name
	n, err := storedWaiting(tx, boardName, t)
	if err != nil {
		return err
	}
	b.Owner().NoteEnd(tx, catalog.OnCommit(func() { t.Waiting.Add(int64(delta)) }))
	return putWaiting(tx, boardName, t, n+delta)
}

// putWaiting stores the number of awards that wait.
func putWaiting(tx *engine.Tx, boardName string, s *state.Settlement, n int) error {
	return tx.Put(boardkey.Waiting(boardName, s.Window, s.Period), strconv.AppendInt(nil, int64(n), 10))
}

// storedWaiting returns the stored number of awards that wait.
func storedWaiting(tx *engine.Tx, boardName string, s *state.Settlement) (int, error) {
	text, ok, err := tx.Get(boardkey.Waiting(boardName, s.Window, s.Period))
	if err != nil || !ok {
		return 0, err
	}
	return strconv.Atoi(string(text))
}

// notWaiting returns the error of an award that does not wait, or that does.
func notWaiting(e entry, s *state.Settling, text string) error {
	switch {
	case e.flag == withheld:
		return fmt.Errorf("%w: %s", awards.ErrWithheld, text)
	case e.toGrant(s) == 0:
		return fmt.Errorf("%w: %s", awards.ErrGranted, text)
	}
	return fmt.Errorf("%w: %s waits already", awards.ErrNoAward, text)
}
