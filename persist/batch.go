package persist

import "github.com/zrankdb/zrank/persist/internal/format"

const (
	// MaxCommit is the largest commit that Append takes, in bytes as encoded.
	MaxCommit = format.MaxCommit
	// MaxNote is the largest note, in bytes.
	MaxNote = format.MaxNote
)

// Batch collects the effects of one commit, already encoded as they go to the log. The zero value is ready. A batch is
// for one goroutine at a time; every argument is copied.
type Batch struct{ b format.Batch }

// Create says that the set exists from now on, with this opaque metadata. O(len).
func (b *Batch) Create(set string, meta []byte) { b.b.Create(set, meta) }

// Put says that the member has this opaque value now, whatever it had before. O(len).
func (b *Batch) Put(set string, member, value []byte) { b.b.Put(set, member, value) }

// Remove says that the member is gone. O(len).
func (b *Batch) Remove(set string, member []byte) { b.b.Remove(set, member) }

// Drop says that the set is gone, members and all. O(len).
func (b *Batch) Drop(set string) { b.b.Drop(set) }

// Note adds notes to an empty batch: they come before the effects. O(len).
func (b *Batch) Note(n *Notes) { b.b.Note(&n.n) }

// PutPrivate writes a key of the caller's own, in the same commit. O(len).
func (b *Batch) PutPrivate(key, value []byte) { b.b.PutPrivate(key, value) }

// DeletePrivate deletes a key of the caller's own, in the same commit. O(len).
func (b *Batch) DeletePrivate(key []byte) { b.b.DeletePrivate(key) }

// Len returns the number of effects, private keys included; 0 means that there is nothing to commit.
func (b *Batch) Len() int { return b.b.Len() }

// Reset empties the batch and keeps its memory.
func (b *Batch) Reset() { b.b.Reset() }

// Notes collects the notes of one commit, already encoded as they go to the log. The zero value is ready. It is for one goroutine.
type Notes struct{ n format.Notes }

// Add adds a note, which is copied. Error: ErrTooLarge, beyond MaxNote; then nothing is added. O(len).
func (n *Notes) Add(note []byte) error { return n.n.Add(note) }

// Len returns the number of notes.
func (n *Notes) Len() int { return n.n.Len() }

// Reset empties n, and keeps its memory unless that is large.
func (n *Notes) Reset() { n.n.Reset() }
