package buckets

import (
	"bytes"
	"cmp"
)

// Entry is an entry of a set in the order of its ranking: the score, and the tie with the member behind it.
type Entry struct {
	Score int64
	Text  []byte
}

// NewEntry returns an entry. It copies the tie and the member.
func NewEntry(score int64, tie, member []byte) Entry {
	return Entry{Score: score, Text: bytes.Join([][]byte{tie, member}, nil)}
}

// Compare returns a negative number if e comes before other.
func (e Entry) Compare(other Entry) int {
	if c := cmp.Compare(e.Score, other.Score); c != 0 {
		return c
	}
	return bytes.Compare(e.Text, other.Text)
}

// Key is a place in the order of a tail: an entry, or the place before or behind all entries whose score and tie begin so.
type Key struct {
	Score       int64
	Tie, Member []byte
	After       bool // behind the entries that begin so

	found   int    // the segment that segments.find has found
	foundIn uint64 // the generation of these segments; 0: none
}

// compare returns a negative number if the key comes before an entry, and 0 if it is that of the entry.
func (k *Key) compare(e Entry) int {
	if c := cmp.Compare(k.Score, e.Score); c != 0 {
		return c
	}
	n := min(len(k.Tie), len(e.Text))
	if c := bytes.Compare(k.Tie, e.Text[:n]); c != 0 {
		return c
	}
	if k.After {
		return 1
	}
	return bytes.Compare(k.Member, e.Text[n:])
}

// set makes an entry that of a key, in the memory that it has.
func (e *Entry) set(k *Key) {
	e.Score, e.Text = k.Score, append(append(e.Text[:0], k.Tie...), k.Member...)
}

// entry returns a copy of the key as an entry.
func (k *Key) entry() Entry { return NewEntry(k.Score, k.Tie, k.Member) }
