package events

import (
	"slices"
	"sort"
	"sync"

	"github.com/zrankdb/zrank/engine"
)

// sharedBlocks is how many blocks are kept.
const sharedBlocks = 16

// Blocks are the newest events, for all readers of an engine's feeds: the first reader that comes to the end of the last block makes the next one. A
// reader that is before the first block makes blocks of its own. Nothing is kept without readers. It is safe for concurrent use.
type Blocks struct {
	owner engine.Owner

	mu      sync.Mutex
	readers int
	edge    cursor   // behind the last block
	list    []*block // they follow each other without a gap
}

// NewBlocks returns the blocks of an engine.
func NewBlocks(o engine.Owner) *Blocks { return &Blocks{owner: o} }

// enter and leave count readers.
func (b *Blocks) enter() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.readers++
}

func (b *Blocks) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.readers--; b.readers == 0 {
		b.list, b.edge = nil, cursor{}
	}
}

// next returns the block that holds a commit, for a reader with a cursor of its own; nil if there is no such commit yet.
func (b *Blocks) next(commit uint64, own *cursor) (*block, error) {
	if found, ok, err := b.shared(commit); ok {
		return found, err
	}
	return own.next(b.owner, commit)
}

// shared is next unless the commit is before the first block: then ok is false.
func (b *Blocks) shared(commit uint64) (found *block, ok bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n := len(b.list); n > 0 {
		switch {
		case commit < b.list[0].first:
			return nil, false, nil
		case commit < b.list[n-1].end:
			i := sort.Search(n, func(i int) bool { return commit < b.list[i].end })
			return b.list[i], true, nil
		case commit > b.list[n-1].end:
			b.list = nil
		}
	}
	if found, err = b.edge.next(b.owner, commit); found != nil {
		drop := max(len(b.list)+1-sharedBlocks, 0)
		b.list = append(slices.Delete(b.list, 0, drop), found)
	}
	return found, true, err
}

// cursor makes one block after the other.
type cursor struct {
	source *engine.NoteReader
	at     uint64 // the commit that source reads next
}

// next makes the block that begins with a commit; nil if there is no such commit yet.
func (c *cursor) next(o engine.Owner, commit uint64) (b *block, err error) {
	if c.source == nil || c.at != commit {
		if c.source, err = o.Notes(commit - 1); err != nil {
			return nil, err
		}
		c.at = commit
	}
	if b, err = makeBlock(c.source, commit); b != nil {
		c.at = b.end
	}
	return b, err
}
