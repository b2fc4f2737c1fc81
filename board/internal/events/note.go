package events

import (
	"sync"

	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// buffers reuses the memory of encoded events.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// Has reports whether a board writes events.
func Has(st *state.State) bool { return st.Spec.Feed != nil }

// Note writes an event of a board into a transaction's commit, if the board's spec has Feed. It sets Board, and At to the transaction's time. Errors: those
// of engine.Owner.Note.
func Note(o engine.Owner, tx *engine.Tx, st *state.State, e *feed.Event) error {
	if !Has(st) {
		return nil
	}
	e.Board, e.At = st.Name, tx.Now()
	b := buffers.Get().(*[]byte)
	defer buffers.Put(b)
	*b = appendEvent((*b)[:0], e)
	return o.Note(tx, *b)
}
