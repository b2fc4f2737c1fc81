package engine

import (
	"slices"

	"github.com/zrankdb/zrank/zset"
)

// Remove is zset.Set.Remove. O(log n). Errors: ErrReadOnly, ErrReserved, ErrTxDone, ErrKind.
func (w writer[S]) Remove(member []byte) (removed bool, err error) {
	err = w.change(member, func(z *zset.SetOf[S]) error { removed = z.Remove(member); return nil })
	return removed, err
}

// RemoveRange is zset.Set.RemoveRange: it deletes the entries with ranks in [lo, hi), from 0 and without hi, those of
// RankInterval, ScoreInterval or MemberInterval, and returns their number. The undo log has each of them, about 100 bytes and the
// member, and so has the commit: clear a big set in several transactions. O(log n + hi - lo). Errors: ErrReadOnly, ErrReserved,
// ErrTxDone, ErrKind.
func (w writer[S]) RemoveRange(lo, hi int) (removed int, err error) {
	if err := w.writable(); err != nil {
		return 0, err
	}
	var batch []zset.IntEntry
	for at := max(lo, 0); at < min(hi, w.h.view.Len()); at += len(batch) {
		batch = w.h.view.Append(batch[:0], at, min(hi, at+rememberStep))
		w.h.undo.RecordAll(batch)
	}
	return w.h.take(lo, hi), nil
}

// take removes entries that the undo log has.
func (h *handle) take(lo, hi int) (removed int) {
	removed = h.S.Entries.RemoveRange(lo, hi)
	h.S.Version += uint64(removed)
	return removed
}

// rememberStep is the number of entries that RemoveRange copies to the undo log at a time.
const rememberStep = 1024

// PopMin removes up to n entries with the lowest scores and returns copies of them, lowest first: zset.Set.PopMin.
// O(log Len + n). Errors: ErrReadOnly, ErrReserved, ErrTxDone, ErrKind.
func (w writer[S]) PopMin(n int) ([]zset.EntryOf[S], error) {
	if err := w.writable(); err != nil {
		return nil, err
	}
	popped := w.h.view.Append(nil, 0, n)
	w.h.undo.RecordAll(popped)
	w.h.take(0, len(popped))
	return entries[S](popped), nil
}

// PopMax removes up to n entries with the highest scores and returns copies of them, highest first: zset.Set.PopMax.
// O(log Len + n). Errors: ErrReadOnly, ErrReserved, ErrTxDone, ErrKind.
func (w writer[S]) PopMax(n int) ([]zset.EntryOf[S], error) {
	if err := w.writable(); err != nil {
		return nil, err
	}
	popped := w.h.view.AppendRev(nil, 0, n)
	w.h.undo.RecordAll(popped)
	w.h.take(w.h.view.Len()-len(popped), w.h.view.Len())
	return entries[S](popped), nil
}

// entries converts entries to the kind of scores that the caller has asked for.
func entries[S zset.Score](of []zset.IntEntry) []zset.EntryOf[S] {
	if same, ok := any(of).([]zset.EntryOf[S]); ok {
		return same
	}
	list := slices.Grow([]zset.EntryOf[S](nil), len(of))
	for _, e := range of {
		list = append(list, zset.EntryOf[S]{Member: e.Member, Score: S(zset.FloatOf(e.Score)), Tie: e.Tie})
	}
	return list
}
