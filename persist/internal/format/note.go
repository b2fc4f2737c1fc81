package format

import (
	"fmt"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/wal"
)

// Notes collects the notes of one commit, already encoded as they go to the log. The zero value is ready. It is for one goroutine.
type Notes struct {
	log []byte
	n   int
}

// Add adds a note, which is copied. Error: ErrTooLarge; then nothing is added. O(len).
func (n *Notes) Add(note []byte) error {
	if len(note) > MaxNote {
		return fmt.Errorf("%w: a note of %d bytes, the limit is %d", errs.ErrTooLarge, len(note), MaxNote)
	}
	n.log = AppendBytes(append(n.log, byte(wal.Note)), note)
	n.n++
	return nil
}

// Len returns the number of notes.
func (n *Notes) Len() int { return n.n }

// keptNotes is the number of bytes up to which Reset keeps the memory.
const keptNotes = 4 << 10

// Reset empties n, and keeps its memory unless that is large.
func (n *Notes) Reset() {
	if n.log, n.n = n.log[:0], 0; cap(n.log) > keptNotes {
		n.log = nil
	}
}

// EachNote calls fn with each note of a commit's body, and reads nothing behind them. A note shares the memory of the body. O(notes).
func EachNote(body []byte, fn func(note []byte) error) error {
	for r := (Reader{Buf: body}); !r.Done() && wal.Kind(body[r.Off]) == wal.Note; {
		r.Off++
		note, err := noteOf(&r)
		if err != nil {
			return err
		}
		if err := fn(note); err != nil {
			return err
		}
	}
	return nil
}
