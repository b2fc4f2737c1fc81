package peers

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/sstable/block"

	"github.com/zrankdb/zrank/bench/internal/workload"
)

// pebbleCache is the block cache. It holds a million members, as a user who reads them would have it; that of persist is 1 MB.
const pebbleCache = 256 << 20

// pebbleBoard is Pebble alone as a sorted set, as one builds it on any ordered store of keys: two keys a member, one to find its
// score and one to stand in the order, both with NoSync. It has no ranks: they are counted, and so are the entries before a page.
//
//	+----------------+---+--------+            +---------+
//	| board, 4 bytes | m | member |  ------->  | score 8 |
//	+----------------+---+--------+            +---------+
//	+----------------+---+---------+--------+
//	| board, 4 bytes | s | score 8 | member |   no value; the score's bits so that bytes order as numbers do
//	+----------------+---+---------+--------+
type pebbleBoard struct {
	db               *pebble.DB
	id               [4]byte
	n                int
	member, from, to []byte // keys, reused
	page             []row
}

// OpenPebble opens a database with the options that persist gives it, but for the cache.
func OpenPebble(dir string, cache int64) (*pebble.DB, error) {
	o := &pebble.Options{
		FormatMajorVersion: pebble.FormatTableFormatV6, Logger: silent{}, CacheSize: cache, MaxOpenFiles: 64,
		MemTableSize: 4 << 20, MemTableStopWritesThreshold: 4,
	}
	o.Experimental.FileCacheShards = 1
	for i := range o.Levels {
		o.Levels[i].Compression = func() *sstable.CompressionProfile { return block.FastestCompression }
	}
	return pebble.Open(dir, o)
}

func startPebble(dir string) (*Running, error) {
	db, err := OpenPebble(dir, pebbleCache)
	if err != nil {
		return nil, err
	}
	boards := uint32(0)
	return &Running{Close: db.Close, New: func() Board {
		b := &pebbleBoard{db: db}
		binary.BigEndian.PutUint32(b.id[:], boards)
		boards++
		return b
	}}, nil
}

// silent discards Pebble's log.
type silent struct{}

func (silent) Infof(string, ...any)  {}
func (silent) Errorf(string, ...any) {}
func (silent) Fatalf(format string, args ...any) {
	panic("pebble: " + fmt.Sprintf(format, args...))
}

// must ends the measurement if the disk or the server fails.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

func (b *pebbleBoard) memberKey(k workload.Key) []byte {
	b.member = append(append(append(b.member[:0], b.id[:]...), 'm'), k.Raw...)
	return b.member
}

// orderKey writes into dst the key of an entry.
func (b *pebbleBoard) orderKey(dst []byte, score float64, member []byte) []byte {
	dst = append(append(dst[:0], b.id[:]...), 's')
	dst = binary.BigEndian.AppendUint64(dst, sortable(score))
	return append(dst, member...)
}

// sortable turns the bits of a score so that they order as scores do; whole turns them back.
func sortable(score float64) uint64 {
	bits := math.Float64bits(score)
	if bits>>63 != 0 {
		return ^bits
	}
	return bits | 1<<63
}

func whole(bits uint64) float64 {
	if bits>>63 == 0 {
		return math.Float64frombits(^bits)
	}
	return math.Float64frombits(bits &^ (1 << 63))
}

func (b *pebbleBoard) Insert(k workload.Key, score float64) {
	b.change(k, func(float64, bool) (float64, bool) { return score, true })
}

func (b *pebbleBoard) Set(k workload.Key, score float64) {
	b.change(k, func(_ float64, had bool) (float64, bool) { return score, had })
}

func (b *pebbleBoard) Incr(k workload.Key, delta float64) {
	b.change(k, func(old float64, had bool) (float64, bool) { return old + delta, had })
}

func (b *pebbleBoard) Remove(k workload.Key) {
	b.change(k, func(float64, bool) (float64, bool) { return 0, false })
}

// change replaces the score of a member in one batch. to gets the old score, and returns whether the member is there afterwards.
func (b *pebbleBoard) change(k workload.Key, to func(old float64, had bool) (score float64, has bool)) {
	old, had := b.Score(k)
	score, has := to(old, had)
	if had == has && (!had || score == old) {
		return
	}
	batch := b.db.NewBatch()
	if had {
		b.n--
		b.from = b.orderKey(b.from, old, k.Raw)
		must(batch.Delete(b.from, nil))
	}
	if has {
		b.n++
		var bits [8]byte
		binary.BigEndian.PutUint64(bits[:], math.Float64bits(score))
		b.to = b.orderKey(b.to, score, k.Raw)
		must(batch.Set(b.to, nil, nil))
		must(batch.Set(b.memberKey(k), bits[:], nil))
	} else {
		must(batch.Delete(b.memberKey(k), nil))
	}
	must(batch.Commit(pebble.NoSync))
}

func (b *pebbleBoard) Score(k workload.Key) (float64, bool) {
	value, closer, err := b.db.Get(b.memberKey(k))
	if errors.Is(err, pebble.ErrNotFound) {
		return 0, false
	}
	must(err)
	score := math.Float64frombits(binary.BigEndian.Uint64(value))
	must(closer.Close())
	return score, true
}

func (b *pebbleBoard) Len() int { return b.n }

// entries visits the entries in order, below a key or all, as long as visit returns true.
func (b *pebbleBoard) entries(below []byte, visit func(score float64, member []byte) bool) {
	first := append(b.id[:4:4], 's')
	if below == nil {
		below = append(b.id[:4:4], 's'+1)
	}
	it, err := b.db.NewIter(&pebble.IterOptions{LowerBound: first, UpperBound: below})
	must(err)
	for ok := it.First(); ok; ok = it.Next() {
		rest := it.Key()[len(first):]
		if !visit(whole(binary.BigEndian.Uint64(rest)), rest[8:]) {
			break
		}
	}
	must(it.Close())
}

// Rank counts the entries before the member.
func (b *pebbleBoard) Rank(k workload.Key) (int, bool) {
	score, had := b.Score(k)
	if !had {
		return 0, false
	}
	rank := 0
	b.to = b.orderKey(b.to, score, k.Raw)
	b.entries(b.to, func(float64, []byte) bool { rank++; return true })
	return rank, true
}

// between skips lo entries and visits the next hi-lo.
func (b *pebbleBoard) between(lo, hi int, visit func(score float64, member []byte)) {
	i := 0
	b.entries(nil, func(score float64, member []byte) bool {
		if i >= lo {
			visit(score, member)
		}
		i++
		return i < hi
	})
}

func (b *pebbleBoard) Page(lo, hi int) int {
	b.page = b.page[:0]
	b.between(lo, hi, func(score float64, member []byte) { b.page = append(b.page, row{score, string(member)}) })
	return len(b.page)
}

func (b *pebbleBoard) Row(i int) (string, float64) { return b.page[i].member, b.page[i].score }

func (b *pebbleBoard) Walk(lo, hi int) (sum uint64) {
	b.between(lo, hi, func(score float64, member []byte) { sum = fold(sum, score, member) })
	return sum
}

func (b *pebbleBoard) Encode(dst []byte, lo, hi int, f Format) []byte {
	dst = f.begin(dst, hi-lo)
	b.between(lo, hi, func(score float64, member []byte) { dst = appendEntry(dst, f, member, score) })
	return f.end(dst)
}
