package budget

import "sync"

const (
	// BlockBytes is the memory of a block, as accounts count it. It is Go's largest size class: one more byte would take another 8 KiB.
	BlockBytes = 32 << 10
	// BlockSize is how many bytes a block stores.
	BlockSize = BlockBytes - 40
)

// A Block stores bytes: they are appended at its end and read from its front.
type Block struct {
	next     *Block
	account  *Account // nil: no account counts it
	from, to int
	mem      [BlockSize]byte
}

var pool = sync.Pool{New: func() any { return new(Block) }}

// NewBlock returns an empty block, which no account counts yet.
func NewBlock() *Block {
	b := pool.Get().(*Block)
	b.next, b.account, b.from, b.to = nil, nil, 0, 0
	return b
}

// Charge takes the block's memory from an account, until Free or Uncharge. It returns false as Take does.
func (b *Block) Charge(a *Account) bool {
	if !a.Take(BlockBytes) {
		return false
	}
	b.account = a
	return true
}

// Uncharge gives the block's memory back to its account, and keeps the block.
func (b *Block) Uncharge() {
	b.account.Give(BlockBytes)
	b.account = nil
}

// Free gives the block's memory back to its account and to the pool. The block must not be used afterwards.
func (b *Block) Free() {
	b.Uncharge()
	pool.Put(b)
}

// Release is Free, but leaves the block's memory counted: it returns the bytes that the caller must give back to the account.
func (b *Block) Release() (counted int) {
	if b.account != nil {
		counted = BlockBytes
	}
	b.account = nil
	b.Free()
	return counted
}

// Len returns how many bytes the block stores.
func (b *Block) Len() int { return b.to - b.from }

// Bytes returns the bytes that the block stores. The capacity after them is the free space of the block.
func (b *Block) Bytes() []byte { return b.mem[b.from:b.to] }

// Extend makes the block store its first n bytes, which the caller has written into the capacity of Bytes. The caller must not have called Skip.
func (b *Block) Extend(n int) { b.to = n }

// Skip takes n bytes from the front.
func (b *Block) Skip(n int) { b.from += n }

// append appends as much of p as fits, and returns the rest.
func (b *Block) append(p []byte) (rest []byte) {
	n := copy(b.mem[b.to:], p)
	b.to += n
	return p[n:]
}

// A List stores bytes in blocks, first in, first out. The zero List is empty.
type List struct {
	first, last *Block
	bytes       int
	blocks      int
}

// Len returns how many bytes the list stores. O(1).
func (l *List) Len() int { return l.bytes }

// Held returns the bytes of memory that the list takes. O(1).
func (l *List) Held() int { return l.blocks * BlockBytes }

// Append appends bytes, in blocks that an account counts, and returns those that the account could not take. wait chooses TakeWait.
func (l *List) Append(p []byte, a *Account, wait bool) (rest []byte) {
	for len(p) > 0 {
		if l.last == nil || l.last.to == BlockSize {
			if !a.take(BlockBytes, wait) {
				return p
			}
			b := NewBlock()
			b.account = a
			l.link(b)
		}
		rest := l.last.append(p)
		l.bytes += len(p) - len(rest)
		p = rest
	}
	return nil
}

// Push appends a block, which belongs to the list then. If its bytes fit into the last block they are moved there, so that of two neighbouring
// blocks at least one half is in use.
func (l *List) Push(b *Block) {
	l.bytes += b.Len()
	if l.last != nil && b.Len() <= BlockSize-l.last.to {
		l.last.append(b.Bytes())
		b.Free()
		return
	}
	l.link(b)
}

func (l *List) link(b *Block) {
	if l.last == nil {
		l.first = b
	} else {
		l.last.next = b
	}
	l.last = b
	l.blocks++
}

// Pop removes the first block and returns it; nil if there is none.
func (l *List) Pop() *Block {
	b := l.first
	if b == nil {
		return nil
	}
	if l.first = b.next; l.first == nil {
		l.last = nil
	}
	b.next = nil
	l.bytes -= b.Len()
	l.blocks--
	return b
}

// Free gives up all blocks.
func (l *List) Free() {
	for b := l.Pop(); b != nil; b = l.Pop() {
		b.Free()
	}
}
