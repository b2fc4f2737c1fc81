package events

import (
	"bytes"
	"hash/maphash"

	"github.com/zrankdb/zrank/engine"
)

// A block ends with the commit that reaches one of these.
const (
	blockCommits = 256
	blockEvents  = 512
)

// block holds the events of consecutive commits. It is not changed once it is made. It may say that it has a text or a kind that it does not have; not the
// other way round.
type block struct {
	first, end uint64 // the commits [first, end)
	events     []stored
	kinds      uint64 // bits
	texts      [64]uint64
}

// stored is an event whose head was read.
type stored struct {
	head
	seq   uint64
	index int  // among the events of the commit
	last  bool // of the commit
}

// makeBlock reads the next commits, which begin with number from; nil if there is none yet.
func makeBlock(source *engine.NoteReader, from uint64) (*block, error) {
	b := &block{first: from, end: from}
	for b.end-from < blockCommits && len(b.events) < blockEvents {
		before := len(b.events)
		seq, err := source.Next(func(note []byte) error {
			h, err := cutHead(note)
			b.events = append(b.events, stored{head: h, seq: b.end, index: len(b.events) - before})
			return err
		})
		if seq == 0 || err != nil {
			b.events = b.events[:before]
			if b.end == from {
				return nil, err
			}
			break // the next call will find the error again
		}
		if n := len(b.events); n > before {
			b.events[n-1].last = true
		}
		b.end++
	}
	b.summarize()
	return b, nil
}

// summarize notes which kinds and texts the events have.
func (b *block) summarize() {
	var last [len(seeds)][]byte
	for i := range b.events {
		h := &b.events[i].head
		b.kinds |= 1 << h.kind
		texts := [len(seeds)][]byte{h.board, h.window, h.member}
		for j, text := range texts {
			if i == 0 || !bytes.Equal(text, last[j]) {
				b.set(maphash.Bytes(seeds[j], text))
			}
		}
		last = texts
	}
}

// seeds are of the hashes of boards, windows and members. A block has two bits for each hash.
var seeds = [...]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed(), maphash.MakeSeed()}

func (b *block) set(hash uint64) {
	b.texts[hash>>6&63] |= 1 << (hash & 63)
	b.texts[hash>>18&63] |= 1 << (hash >> 12 & 63)
}

func (b *block) has(hash uint64) bool {
	return b.texts[hash>>6&63]>>(hash&63)&1 != 0 && b.texts[hash>>18&63]>>(hash>>12&63)&1 != 0
}
