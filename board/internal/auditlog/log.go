package auditlog

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine"
)

// New returns an entry of an action.
func New(kind audit.Kind, member string, a board.Action) audit.Entry {
	return audit.Entry{Kind: kind, Member: member, By: a.By, Reason: a.Reason, KeepRanks: a.KeepRanks}
}

// Add adds an entry to the log of a board in a transaction that may change reserved keys, gives it its number and its time, and returns the number.
// places are those that the same transaction changes. O(places).
func Add(tx *engine.Tx, boardName string, e audit.Entry, places []board.Place) (number uint64, err error) {
	value, _, err := tx.Get(boardkey.AuditCount(boardName))
	if err != nil {
		return 0, err
	}
	last := uint64(0)
	if len(value) == 8 {
		last = binary.BigEndian.Uint64(value)
	}
	e.Number, e.At = last+1, tx.Now().UTC()
	if err := tx.Put(boardkey.AuditCount(boardName), binary.BigEndian.AppendUint64(nil, e.Number)); err != nil {
		return 0, err
	}
	return e.Number, addPlaces(tx, boardName, &e, places)
}

// Restore stores an entry of the log of a board that comes from another store, with its number and its time. O(places).
func Restore(tx *engine.Tx, boardName string, e audit.Entry, places []board.Place) error {
	if err := tx.Put(boardkey.AuditCount(boardName), binary.BigEndian.AppendUint64(nil, e.Number)); err != nil {
		return err
	}
	e.Places, e.Parts = 0, 0
	return addPlaces(tx, boardName, &e, places)
}

// AddPlaces adds places to an entry, and says with done that the change is complete. O(places).
func AddPlaces(tx *engine.Tx, boardName string, number uint64, places []board.Place, done bool) error {
	e, err := Get(tx, boardName, number)
	if err != nil {
		return err
	}
	e.Done = e.Done || done
	return addPlaces(tx, boardName, &e, places)
}

// AddAwards adds a number of awards that were withheld to an entry. O(1).
func AddAwards(tx *engine.Tx, boardName string, number uint64, n int) error {
	e, err := Get(tx, boardName, number)
	if err != nil {
		return err
	}
	e.Awards += n
	return put(tx, boardName, &e)
}

// AddTraces adds traces to an entry. Those of one kind and name are added up. O(traces).
func AddTraces(tx *engine.Tx, boardName string, number uint64, traces []audit.Trace) error {
	e, err := Get(tx, boardName, number)
	if err != nil {
		return err
	}
	for _, t := range traces {
		e.Traces = AddTrace(e.Traces, t)
	}
	return put(tx, boardName, &e)
}

// AddTrace adds a trace to a list. Those of one kind and name are added up. O(traces).
func AddTrace(list []audit.Trace, t audit.Trace) []audit.Trace {
	i := slices.IndexFunc(list, func(x audit.Trace) bool { return x.Kind == t.Kind && x.Name == t.Name })
	if i < 0 {
		return append(list, t)
	}
	list[i].Count += t.Count
	return list
}

// addPlaces stores an entry with further places.
func addPlaces(tx *engine.Tx, boardName string, e *audit.Entry, places []board.Place) error {
	if len(places) > 0 {
		text, err := json.Marshal(places)
		if err != nil {
			return err
		}
		if err := tx.Put(boardkey.AuditPlaces(boardName, e.Number, e.Parts), text); err != nil {
			return err
		}
		e.Places, e.Parts = e.Places+len(places), e.Parts+1
	}
	return put(tx, boardName, e)
}

func put(tx *engine.Tx, boardName string, e *audit.Entry) error {
	text, err := Encode(e)
	if err != nil {
		return err
	}
	return tx.Put(boardkey.Audit(boardName, e.Number), text)
}

// Get returns an entry. O(1). Errors: those of the engine, of an entry that is not there or damaged.
func Get(tx *engine.Tx, boardName string, number uint64) (e audit.Entry, err error) {
	text, ok, err := tx.Get(boardkey.Audit(boardName, number))
	switch {
	case err != nil:
		return e, err
	case !ok:
		return e, fmt.Errorf("%w: the audit log of %q has no entry %d", board.ErrAction, boardName, number)
	}
	return Decode(boardkey.Audit(boardName, number), text)
}

// Last returns the number of the last entry, 0 if there is none. O(1).
func Last(tx *engine.Tx, boardName string) (uint64, error) {
	value, _, err := tx.Get(boardkey.AuditCount(boardName))
	if err != nil || len(value) != 8 {
		return 0, err
	}
	return binary.BigEndian.Uint64(value), nil
}

// Places returns the places of an entry. O(places).
func Places(tx *engine.Tx, boardName string, e audit.Entry) (all []board.Place, err error) {
	for part := range e.Parts {
		key := boardkey.AuditPlaces(boardName, e.Number, part)
		text, _, err := tx.Get(key)
		if err != nil {
			return nil, err
		}
		var some []board.Place
		if err := json.Unmarshal(text, &some); err != nil {
			return nil, fmt.Errorf("board: stored as %q: places of the audit log: %w", key, err)
		}
		all = append(all, some...)
		runtime.Gosched() // see package moderation
	}
	return all, nil
}
