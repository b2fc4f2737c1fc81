package format

import (
	"encoding/binary"
	"slices"

	"github.com/zrankdb/zrank/persist/wal"
)

// Batch collects the effects of one commit, already encoded as they go to the log. The zero value is ready. A batch is
// for one goroutine at a time; every argument is copied.
type Batch struct {
	log     []byte // the body of the commit, see doc.go
	private []byte // the private keys that the commit writes: for each, privatePut or privateDelete, key [, value]
	names   []string
	index   map[string]int // names[index[s]] == s; filled only beyond manyNames
	effects int
	notes   int // of effects
	puts    int // the effects that give a member or a private key a value
}

// MaxCommit is the largest commit, in bytes as encoded.
const MaxCommit = 16 << 20

// manyNames is the number of sets above which a batch finds a set's number in a map instead of comparing names.
const manyNames = 8

const (
	privatePut    = 1
	privateDelete = 2
)

// Create says that the set exists from now on, with this opaque metadata. O(len).
func (b *Batch) Create(set string, meta []byte) {
	b.effect(wal.Create, set)
	b.log = AppendBytes(b.log, meta)
}

// Put says that the member has this opaque value now, whatever it had before. O(len).
func (b *Batch) Put(set string, member, value []byte) {
	b.puts++
	b.effect(wal.Put, set)
	b.log = AppendBytes(b.log, member)
	b.log = AppendBytes(b.log, value)
}

// Remove says that the member is gone. O(len).
func (b *Batch) Remove(set string, member []byte) {
	b.effect(wal.Remove, set)
	b.log = AppendBytes(b.log, member)
}

// Drop says that the set is gone, members and all. O(len).
func (b *Batch) Drop(set string) { b.effect(wal.Drop, set) }

// Note adds notes to an empty batch: they come before the effects. O(len).
func (b *Batch) Note(n *Notes) {
	b.log = append(b.log, n.log...)
	b.effects += n.n
	b.notes += n.n
}

// PutPrivate writes a key of the caller's own, in the same commit. O(len).
func (b *Batch) PutPrivate(key, value []byte) {
	b.effects++
	b.puts++
	b.private = append(b.private, privatePut)
	b.private = AppendBytes(b.private, key)
	b.private = AppendBytes(b.private, value)
}

// DeletePrivate deletes a key of the caller's own, in the same commit. O(len).
func (b *Batch) DeletePrivate(key []byte) {
	b.effects++
	b.private = append(b.private, privateDelete)
	b.private = AppendBytes(b.private, key)
}

// Len returns the number of effects, private keys included; 0 means that there is nothing to commit.
func (b *Batch) Len() int { return b.effects }

// Reset empties the batch and keeps its memory.
func (b *Batch) Reset() {
	b.log, b.private = b.log[:0], b.private[:0]
	clear(b.names)
	b.names = b.names[:0]
	clear(b.index)
	b.effects, b.notes, b.puts = 0, 0, 0
}

// effect writes the start of an effect: its kind and its set.
func (b *Batch) effect(k wal.Kind, set string) {
	b.effects++
	b.log = append(b.log, byte(k))
	if i, ok := b.number(set); ok {
		b.log = binary.AppendUvarint(b.log, uint64(i)+1)
		return
	}
	b.names = append(b.names, set)
	if len(b.names) > manyNames {
		b.indexNames()
	}
	b.log = append(b.log, 0)
	b.log = binary.AppendUvarint(b.log, uint64(len(set)))
	b.log = append(b.log, set...)
}

// number returns the index of the set among those that the commit has named. It tries the last one first, as the most likely.
func (b *Batch) number(set string) (int, bool) {
	if n := len(b.names); n > 0 && b.names[n-1] == set {
		return n - 1, true
	}
	if len(b.names) > manyNames {
		i, ok := b.index[set]
		return i, ok
	}
	i := slices.Index(b.names, set)
	return i, i >= 0
}

// indexNames enters the names that the map does not have yet.
func (b *Batch) indexNames() {
	if b.index == nil {
		b.index = make(map[string]int)
	}
	for i := len(b.index); i < len(b.names); i++ {
		b.index[b.names[i]] = i
	}
}

// SizeOfBatch is what the commit adds to the queue, in bytes.
func SizeOfBatch(b *Batch) int { return len(b.log) + len(b.private) }

// OnlyRemoves reports whether the commit gives no member and no private key a value, and does more than to note something.
func OnlyRemoves(b *Batch) bool { return b.puts == 0 && b.notes < b.effects }

// CommitBody returns the commit as a group holds it, without its length. The result shares the memory of the batch.
func CommitBody(b *Batch) []byte { return b.log }

// AppendPrivate appends the private keys that the commit writes, in the encoding that EachPrivate reads.
func AppendPrivate(dst []byte, b *Batch) []byte { return append(dst, b.private...) }

// BatchOfBody returns a batch with the body of a commit that was read from a group.
func BatchOfBody(body []byte) *Batch { return &Batch{log: body, effects: 1} }

// EachPrivate calls put or del for each private key in a list that AppendPrivate wrote.
func EachPrivate(list []byte, put func(key, value []byte), del func(key []byte)) error {
	r := Reader{Buf: list}
	for !r.Done() {
		op, _ := r.byte()
		key, err := r.Bytes()
		if err != nil {
			return err
		}
		if op == privateDelete {
			del(key)
			continue
		}
		value, err := r.Bytes()
		if err != nil {
			return err
		}
		put(key, value)
	}
	return nil
}
