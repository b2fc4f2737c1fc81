package zset

import "encoding/binary"

// distinct counts the distinct keys of a set, in order: a sorted set of its own, whose members are keys of 8 bytes, big
// endian, ordered by themselves, each with the number of its holders as the tie.
type distinct struct {
	keys core
}

const holdersWidth = 8

var holders = rest{limits: Options{TieWidth: holdersWidth, MaxListpackEntries: -1}.limits()}

func newDistinct() *distinct { return &distinct{keys: core{rest: &holders}} }

// count adds delta to the number of entries that have the key. O(log distinct).
func (d *distinct) count(key uint64, delta int) {
	var member, tie [8]byte
	binary.BigEndian.PutUint64(member[:], key)
	h, ok := d.keys.find(member[:])
	if !ok {
		binary.BigEndian.PutUint64(tie[:], uint64(delta))
		_ = d.keys.insert(key, tie[:], member[:]) // it is never full before the set itself is
		return
	}
	_, held := d.keys.record(h)
	n := binary.BigEndian.Uint64(held) + uint64(delta)
	if n == 0 {
		d.keys.delete(h)
		return
	}
	binary.BigEndian.PutUint64(tie[:], n)
	d.keys.move(h, key, tie[:])
}

// before returns the number of distinct keys below key. O(log distinct).
func (d *distinct) before(key uint64) int { return d.keys.seek(key, nil) }

func (d *distinct) size() int { return d.keys.size() }
