package members

import (
	"encoding/binary"
	"iter"
)

const (
	unit = 8 // bytes

	lengthAt = 8
	textAt   = 10

	maxText  = 8 << 10 // a longer text has a slab of its own
	freeFlag = 1 << 15 // in the length of a freed record
	large    = 1<<15 - 1
	nothing  = ^uint32(0) // end of a chain of free records
)

// records keeps records in slabs.
type records struct {
	slabs
	fill   int      // the slab that new records go to, -1 for none
	end    int      // where the next one goes in it
	limit  int      // memory it holds
	free   []uint32 // first freed record by class
	live   int      // bytes of live records; a large one's slab counts in full
	victim int      // the slab that is evacuated, -1 for none
	passed int      // where its evacuation has come to
	hand   int      // where the search for the next victim has come to
}

// at returns the slab and the offset of a record.
func (r *records) at(ref uint32) (slab []byte, off int) {
	return r.list[ref>>slabBits], int(ref&(1<<slabBits-1)) * unit
}

// refOf returns the ref of the record at an offset of a slab.
func refOf(slab, off int) uint32 { return uint32(slab)<<slabBits | uint32(off/unit) }

// text returns tie and member of a record.
func (r *records) text(ref uint32) []byte {
	slab, off := r.at(ref)
	n := int(binary.LittleEndian.Uint16(slab[off+lengthAt:]))
	if n == large {
		return slab[textAt:]
	}
	return slab[off+textAt : off+textAt+n : off+textAt+n]
}

func (r *records) key(ref uint32) uint64 {
	slab, off := r.at(ref)
	return binary.LittleEndian.Uint64(slab[off:])
}

func (r *records) setKey(ref uint32, key uint64) {
	slab, off := r.at(ref)
	binary.LittleEndian.PutUint64(slab[off:], key)
}

// length returns what a record's length field says, and whether it says that the record is free.
func (r *records) length(ref uint32) (n int, free bool) {
	slab, off := r.at(ref)
	v := binary.LittleEndian.Uint16(slab[off+lengthAt:])
	return int(v &^ freeFlag), v&freeFlag != 0
}

func (r *records) setLength(ref uint32, n uint16) {
	slab, off := r.at(ref)
	binary.LittleEndian.PutUint16(slab[off+lengthAt:], n)
}

// class returns how many units a record with a text of n bytes takes. The first 16 bytes are the least, so that a freed
// record has room for its flag.
func class(n int) int { return (textAt + n + unit - 1) / unit }

// add writes a record. O(1) but for a new slab.
func (r *records) add(key uint64, tie, member []byte) uint32 {
	n := len(tie) + len(member)
	var ref uint32
	length := uint16(large)
	if n > maxText {
		ref = r.addLarge(n)
	} else {
		ref, length = r.place(class(n)), uint16(n)
	}
	r.touch(ref)
	slab, off := r.at(ref)
	putRecord(slab[off:], key, length, tie, member)
	return ref
}

// place allocates a record of a class: it reuses a free one, or appends to the slab being filled.
func (r *records) place(class int) uint32 {
	var ref uint32
	if class < len(r.free) && r.free[class] != nothing {
		ref = r.free[class]
		r.unlink(ref, class)
	} else {
		ref = r.append(class * unit)
	}
	r.used[ref>>slabBits] += uint16(class)
	r.live += class * unit
	return ref
}

// append allocates size bytes at the end of the slab being filled. It grows the slab, or starts a new one if the slab is full.
func (r *records) append(size int) uint32 {
	if r.fill < 0 || r.end+size > slabBytes {
		r.closeSlab()
		r.fill, r.end, r.limit = r.newSlab(nil), 0, 0
	}
	if slab := r.list[r.fill]; r.end+size > len(slab) {
		// In a big table a slab starts big: that wastes at most a sixteenth of the memory, and copies less.
		grown := newBytes(min(max(2*len(slab), r.end+size, 1<<10, r.bytes/16), slabBytes))
		copy(grown, slab[:r.end])
		r.bytes += cap(grown) - cap(slab)
		r.limit = cap(grown)
		r.list[r.fill] = grown[:len(grown)&^(unit-1)]
	}
	ref := refOf(r.fill, r.end)
	r.end += size
	return ref
}

// addLarge gives a text of n bytes a slab of its own.
func (r *records) addLarge(n int) uint32 {
	slab := newBytes(textAt + n)
	i := r.newSlab(slab[:textAt+n])
	r.used[i] = isLarge
	r.live += cap(slab)
	return refOf(i, 0)
}

// closeSlab makes the rest of the slab being filled a free record, if the rest is large enough.
func (r *records) closeSlab() {
	if r.fill < 0 {
		return
	}
	r.freeRest(r.fill, r.end)
	r.fill, r.end, r.limit = -1, 0, 0
}

// remove frees a record. O(1).
func (r *records) remove(ref uint32) {
	n, _ := r.length(ref)
	if n == large {
		slab, _ := r.at(ref)
		r.live -= cap(slab)
		r.freeSlab(int(ref >> slabBits))
		return
	}
	r.retire(ref)
	r.link(ref, class(n))
}

// retire marks a record, which is not large, as free. It is in no chain yet.
func (r *records) retire(ref uint32) {
	r.touch(ref)
	n, _ := r.length(ref)
	r.setLength(ref, uint16(n)|freeFlag)
	r.used[ref>>slabBits] -= uint16(class(n))
	r.live -= class(n) * unit
}

// link adds a free record at the head of its class's chain. The key field of a free record holds the next record of the chain in the
// lower half and the previous one in the upper half, so that any record can be removed from the chain.
func (r *records) link(ref uint32, class int) {
	for len(r.free) <= class {
		r.free = append(r.free, nothing)
	}
	next := r.free[class]
	r.setKey(ref, uint64(next)|uint64(nothing)<<32)
	if next != nothing {
		r.setKey(next, r.key(next)&^(uint64(nothing)<<32)|uint64(ref)<<32)
	}
	r.free[class] = ref
}

// unlink takes a free record out of its class's chain.
func (r *records) unlink(ref uint32, class int) {
	links := r.key(ref)
	next, prev := uint32(links), uint32(links>>32)
	if next != nothing {
		r.setKey(next, r.key(next)&^(uint64(nothing)<<32)|uint64(prev)<<32)
	}
	if prev != nothing {
		r.setKey(prev, r.key(prev)&^uint64(nothing)|uint64(next))
	} else {
		r.free[class] = next
	}
}

// endOf returns the offset at which the records of an ordinary slab end, but for less than the smallest record.
func (r *records) endOf(i int) int {
	if i == r.fill {
		return r.end
	}
	return len(r.list[i])
}

// walk yields the refs of a slab's records and whether each is live.
func (r *records) walk(i int) iter.Seq2[uint32, bool] {
	return func(yield func(uint32, bool) bool) {
		if r.used[i] == isLarge {
			yield(refOf(i, 0), true)
			return
		}
		slab := r.list[i]
		for off, end := 0, r.endOf(i); end-off >= class(0)*unit; {
			n := binary.LittleEndian.Uint16(slab[off+lengthAt:])
			if !yield(refOf(i, off), n&freeFlag == 0) {
				return
			}
			off += class(int(n&^freeFlag)) * unit
		}
	}
}

// freeRest makes the rest of a slab, from an offset on, a free record, if the rest is large enough.
func (r *records) freeRest(i, off int) {
	if rest := (len(r.list[i]) - off) / unit; rest >= class(0) {
		ref := refOf(i, off)
		r.setLength(ref, uint16(rest*unit-textAt)|freeFlag)
		r.link(ref, rest)
	}
}

// putRecord writes a record whose length field is given.
func putRecord(to []byte, key uint64, length uint16, tie, member []byte) {
	binary.LittleEndian.PutUint64(to, key)
	binary.LittleEndian.PutUint16(to[lengthAt:], length)
	copy(to[textAt:], tie)
	copy(to[textAt+len(tie):], member)
}
