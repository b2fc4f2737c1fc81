package auditlog

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
)

// New returns an entry of an action.
func New(kind Kind, member string, a Action) Entry {
	return Entry{Kind: kind, Member: member, By: a.By, Reason: a.Reason, KeepRanks: a.KeepRanks}
}

// Add adds an entry to the log of a board in a transaction that may change reserved keys, gives it its number and its time, and returns the number.
// places are those that the same transaction changes. O(places).
func Add(tx *engine.Tx, board string, e Entry, places []Place) (number uint64, err error) {
	value, _, err := tx.Get(boardkey.AuditCount(board))
	if err != nil {
		return 0, err
	}
	last := uint64(0)
	if len(value) == 8 {
		last = binary.BigEndian.Uint64(value)
	}
	e.Number, e.At = last+1, tx.Now().UTC()
	if err := tx.Put(boardkey.AuditCount(board), binary.BigEndian.AppendUint64(nil, e.Number)); err != nil {
		return 0, err
	}
	return e.Number, addPlaces(tx, board, &e, places)
}

// Restore stores an entry of the log of a board that comes from another store, with its number and its time. O(places).
func Restore(tx *engine.Tx, board string, e Entry, places []Place) error {
	if err := tx.Put(boardkey.AuditCount(board), binary.BigEndian.AppendUint64(nil, e.Number)); err != nil {
		return err
	}
	e.Places, e.Parts = 0, 0
	return addPlaces(tx, board, &e, places)
}

// AddPlaces adds places to an entry, and says with done that the change is complete. O(places).
func AddPlaces(tx *engine.Tx, board string, number uint64, places []Place, done bool) error {
	e, err := Get(tx, board, number)
	if err != nil {
		return err
	}
	e.Done = e.Done || done
	return addPlaces(tx, board, &e, places)
}

// AddAwards adds a number of awards that were withheld to an entry. O(1).
func AddAwards(tx *engine.Tx, board string, number uint64, n int) error {
	e, err := Get(tx, board, number)
	if err != nil {
		return err
	}
	e.Awards += n
	return put(tx, board, &e)
}

// AddTraces adds traces to an entry. Those of one kind and name are added up. O(traces).
func AddTraces(tx *engine.Tx, board string, number uint64, traces []Trace) error {
	e, err := Get(tx, board, number)
	if err != nil {
		return err
	}
	for _, t := range traces {
		e.Traces = AddTrace(e.Traces, t)
	}
	return put(tx, board, &e)
}

// AddTrace adds a trace to a list. Those of one kind and name are added up. O(traces).
func AddTrace(list []Trace, t Trace) []Trace {
	i := slices.IndexFunc(list, func(x Trace) bool { return x.Kind == t.Kind && x.Name == t.Name })
	if i < 0 {
		return append(list, t)
	}
	list[i].Count += t.Count
	return list
}

// addPlaces stores an entry with further places.
func addPlaces(tx *engine.Tx, board string, e *Entry, places []Place) error {
	if len(places) > 0 {
		text, err := json.Marshal(places)
		if err != nil {
			return err
		}
		if err := tx.Put(boardkey.AuditPlaces(board, e.Number, e.Parts), text); err != nil {
			return err
		}
		e.Places, e.Parts = e.Places+len(places), e.Parts+1
	}
	return put(tx, board, e)
}

func put(tx *engine.Tx, board string, e *Entry) error {
	text, err := e.Encode()
	if err != nil {
		return err
	}
	return tx.Put(boardkey.Audit(board, e.Number), text)
}

// Get returns an entry. O(1). Errors: those of the engine, of an entry that is not there or damaged.
func Get(tx *engine.Tx, board string, number uint64) (e Entry, err error) {
	text, ok, err := tx.Get(boardkey.Audit(board, number))
	switch {
	case err != nil:
		return e, err
	case !ok:
		return e, fmt.Errorf("%w: the audit log of %q has no entry %d", errs.ErrAction, board, number)
	}
	return Decode(boardkey.Audit(board, number), text)
}

// Last returns the number of the last entry, 0 if there is none. O(1).
func Last(tx *engine.Tx, board string) (uint64, error) {
	value, _, err := tx.Get(boardkey.AuditCount(board))
	if err != nil || len(value) != 8 {
		return 0, err
	}
	return binary.BigEndian.Uint64(value), nil
}

// Places returns the places of an entry. O(places).
func Places(tx *engine.Tx, board string, e Entry) (all []Place, err error) {
	for part := range e.Parts {
		key := boardkey.AuditPlaces(board, e.Number, part)
		text, _, err := tx.Get(key)
		if err != nil {
			return nil, err
		}
		var some []Place
		if err := json.Unmarshal(text, &some); err != nil {
			return nil, fmt.Errorf("board: stored as %q: places of the audit log: %w", key, err)
		}
		all = append(all, some...)
		runtime.Gosched() // see package moderation
	}
	return all, nil
}
