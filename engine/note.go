package engine

import "github.com/zrankdb/zrank/persist"

// MaxNote is the largest note, in bytes.
const maxNote = persist.MaxNote

// Note writes a note into the transaction's commit, also if the transaction changes nothing else. It is copied. Errors: ErrReadOnly, ErrTxDone,
// ErrTooLarge.
func noteIn(tx *Tx, note []byte) error {
	switch {
	case tx.done:
		return ErrTxDone
	case !tx.write:
		return ErrReadOnly
	}
	return tx.notes.Add(note)
}
