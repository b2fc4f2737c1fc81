package members

import (
	"encoding/binary"
	"iter"
	"slices"
)

const (
	slabBytes = 64 << 10
	slabBits  = 13 // a slab's records start at up to 1<<13 places, 8 bytes apart
	unit      = 8

	lengthAt = 8
	textAt   = 10
	prevAt   = 4 // in a free record, whose next stands at 0

	maxText  = 8 << 10 // a longer text has a slab of its own
	freeFlag = 1 << 15 // in the length of a freed record
	large    = 1<<15 - 1
	nothing  = ^uint32(0) // end of a chain of free records

	maxSlabs = 1<<(32-slabBits) - 1 // so that no ref is nothing
)

// records keeps records in slabs that hold no pointers.
type records struct {
	slabs  [][]byte
	lives  []uint16 // by slab: units of live records; not counted in large ones
	fill   int      // the slab that new records go to, -1 for none yet
	end    int      // where the next one goes in it
	free   []uint32 // first freed record by class; the chain goes on in their key fields, both ways
	unused []uint32 // slab numbers given back

	bytes int // memory held by slabs
	small int // the part of it held by slabs of many records
	units int // in live records there

	victim int // the slab that is being evacuated, -1 for none
	moved  int // how far
	hand   int // where the search for the next one goes on
}

func newRecords() records { return records{fill: -1, victim: -1} }

// at returns the slab and the offset of a record.
func (r *records) at(ref uint32) (slab []byte, off int) {
	return r.slabs[ref>>slabBits], int(ref&(1<<slabBits-1)) * unit
}

// refAt is the inverse of at.
func refAt(slab, off int) uint32 { return uint32(slab)<<slabBits | uint32(off/unit) }

// length returns the length field of a record.
func length(slab []byte, off int) int { return int(binary.LittleEndian.Uint16(slab[off+lengthAt:])) }

func setLength(slab []byte, off, n int) {
	binary.LittleEndian.PutUint16(slab[off+lengthAt:], uint16(n))
}

// text returns tie and member of a record.
func (r *records) text(ref uint32) []byte {
	slab, off := r.at(ref)
	n := length(slab, off)
	if n == large {
		return slab[textAt:]
	}
	return slab[off+textAt : off+textAt+n : off+textAt+n]
}

// holds reports whether a record's text is skip bytes of tie and then the member.
func (r *records) holds(ref uint32, skip int, member []byte) bool {
	slab, off := r.at(ref)
	n := length(slab, off)
	if n == len(member)+skip {
		return string(slab[off+textAt+skip:off+textAt+n]) == string(member)
	}
	return n == large && string(slab[textAt+skip:]) == string(member)
}

func (r *records) key(ref uint32) uint64 {
	slab, off := r.at(ref)
	return binary.LittleEndian.Uint64(slab[off:])
}

func (r *records) setKey(ref uint32, key uint64) {
	slab, off := r.at(ref)
	binary.LittleEndian.PutUint64(slab[off:], key)
}

// class returns how many units a record with a text of n bytes takes. The first 16 bytes are the least, so that a freed
// record has room for its chain and its flag.
func class(n int) int { return (textAt + n + unit - 1) / unit }

// add writes a record. O(1) but for a new slab.
func (r *records) add(key uint64, tie, member []byte) uint32 {
	n := len(tie) + len(member)
	if n > maxText {
		ref := r.addLarge(n)
		r.write(ref, key, large, tie, member)
		return ref
	}
	ref := r.place(class(n))
	r.count(ref, class(n))
	r.write(ref, key, n, tie, member)
	return ref
}

func (r *records) write(ref uint32, key uint64, length int, tie, member []byte) {
	slab, off := r.at(ref)
	binary.LittleEndian.PutUint64(slab[off:], key)
	setLength(slab, off, length)
	copy(slab[off+textAt:], tie)
	copy(slab[off+textAt+len(tie):], member)
}

// count adds units to what is live in a record's slab.
func (r *records) count(ref uint32, units int) {
	r.lives[ref>>slabBits] += uint16(units)
	r.units += units
}

// place finds room for a record of a class: a freed one, else the end of the slab being filled.
func (r *records) place(class int) uint32 {
	if class < len(r.free) && r.free[class] != nothing {
		ref := r.free[class]
		r.unchain(ref, class)
		return ref
	}
	size := class * unit
	if r.fill < 0 || r.end+size > slabBytes {
		r.closeSlab()
		r.fill, r.end = r.newSlab(nil), 0
	}
	if slab := r.slabs[r.fill]; r.end+size > len(slab) {
		grown := make([]byte, blockFor(max(2*len(slab), r.end+size)))
		copy(grown, slab)
		r.bytes += len(grown) - len(slab)
		r.small += len(grown) - len(slab)
		r.slabs[r.fill] = grown
	}
	ref := refAt(r.fill, r.end)
	r.end += size
	return ref
}

// blockFor returns the size of a slab that is to hold n bytes: a power of two, which is a block of the allocator.
func blockFor(n int) int {
	size := 1 << 10
	for size < n {
		size *= 2
	}
	return min(size, slabBytes)
}

// addLarge gives a text of n bytes a slab of its own. Its capacity is the allocator's block.
func (r *records) addLarge(n int) uint32 {
	return refAt(r.newSlab(slices.Grow([]byte(nil), textAt+n)[:textAt+n]), 0)
}

// newSlab returns the number of a slab.
func (r *records) newSlab(b []byte) int {
	r.bytes += cap(b)
	if n := len(r.unused); n > 0 {
		i := r.unused[n-1]
		r.unused = r.unused[:n-1]
		r.slabs[i] = b
		return int(i)
	}
	r.slabs, r.lives = append(r.slabs, b), append(r.lives, 0)
	return len(r.slabs) - 1
}

// dropSlab gives a slab back.
func (r *records) dropSlab(i int) {
	r.bytes -= cap(r.slabs[i])
	r.slabs[i] = nil
	r.unused = append(r.unused, uint32(i))
}

// isFull reports whether no further slab can be numbered: after 32 GiB of records or half a million large ones.
func (r *records) isFull() bool { return len(r.slabs) >= maxSlabs && len(r.unused) == 0 }

// closeSlab makes what is left at the end of the slab being filled a free record, if there is room for one.
func (r *records) closeSlab() {
	if r.fill < 0 {
		return
	}
	if slab := r.slabs[r.fill]; len(slab)-r.end >= class(0)*unit {
		n := (len(slab)-r.end)/unit*unit - textAt
		setLength(slab, r.end, n)
		r.chain(refAt(r.fill, r.end), class(n))
	}
}

// remove frees a record. O(1).
func (r *records) remove(ref uint32) {
	slab, off := r.at(ref)
	n := length(slab, off)
	if n == large {
		r.dropSlab(int(ref >> slabBits))
		return
	}
	r.count(ref, -class(n))
	if int(ref>>slabBits) == r.victim {
		setLength(slab, off, n|freeFlag)
		return
	}
	r.chain(ref, class(n))
}

// chain marks a record free and puts it in front of its class's chain.
func (r *records) chain(ref uint32, class int) {
	for len(r.free) <= class {
		r.free = append(r.free, nothing)
	}
	slab, off := r.at(ref)
	next := r.free[class]
	setLength(slab, off, length(slab, off)|freeFlag)
	r.setLinks(ref, next, nothing)
	if next != nothing {
		slab, off := r.at(next)
		binary.LittleEndian.PutUint32(slab[off+prevAt:], ref)
	}
	r.free[class] = ref
}

// unchain takes a free record out of its class's chain.
func (r *records) unchain(ref uint32, class int) {
	next, prev := r.links(ref)
	if next != nothing {
		slab, off := r.at(next)
		binary.LittleEndian.PutUint32(slab[off+prevAt:], prev)
	}
	if prev == nothing {
		r.free[class] = next
		return
	}
	slab, off := r.at(prev)
	binary.LittleEndian.PutUint32(slab[off:], next)
}

// links returns the free records after and before a free one.
func (r *records) links(ref uint32) (next, prev uint32) {
	slab, off := r.at(ref)
	return binary.LittleEndian.Uint32(slab[off:]), binary.LittleEndian.Uint32(slab[off+prevAt:])
}

func (r *records) setLinks(ref, next, prev uint32) {
	slab, off := r.at(ref)
	binary.LittleEndian.PutUint32(slab[off:], next)
	binary.LittleEndian.PutUint32(slab[off+prevAt:], prev)
}

// walk yields the refs of a slab's records from an offset on, and whether each is live.
func (r *records) walk(i, off int) iter.Seq2[uint32, bool] {
	return func(yield func(uint32, bool) bool) {
		slab := r.slabs[i]
		if len(slab) > textAt && length(slab, 0) == large {
			yield(refAt(i, 0), true)
			return
		}
		end := len(slab)
		if i == r.fill {
			end = r.end
		}
		for end-off >= class(0)*unit {
			n := length(slab, off)
			if !yield(refAt(i, off), n&freeFlag == 0) {
				return
			}
			off += class(n&^freeFlag) * unit
		}
	}
}
