package members

import (
	"encoding/binary"
	"iter"
)

const (
	slabBytes = 64 << 10
	slabBits  = 13 // a slab's records start at up to 1<<13 places, 8 bytes apart
	unit      = 8

	lengthAt = 8
	textAt   = 10

	maxText  = 8 << 10 // a longer text has a slab of its own
	freeFlag = 1 << 15 // in the length of a freed record
	large    = 1<<15 - 1
	nothing  = ^uint32(0) // end of a chain of free records

	maxSlabs = 1<<(32-slabBits) - 1 // so that no ref is nothing
)

// records keeps records in slabs that hold no pointers.
type records struct {
	slabs  [][]byte
	fill   int      // the slab that new records go to, -1 for none yet
	end    int      // where the next one goes in it
	free   []uint32 // first freed record by class; the next is in its key field
	unused []uint32 // slab numbers given back by large records
	bytes  int      // memory held by slabs
}

// at returns the slab and the offset of a record.
func (r *records) at(ref uint32) (slab []byte, off int) {
	return r.slabs[ref>>slabBits], int(ref&(1<<slabBits-1)) * unit
}

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
	slab, off := r.at(ref)
	binary.LittleEndian.PutUint64(slab[off:], key)
	binary.LittleEndian.PutUint16(slab[off+lengthAt:], length)
	copy(slab[off+textAt:], tie)
	copy(slab[off+textAt+len(tie):], member)
	return ref
}

// place finds room for a record of a class: a freed one, else the end of the slab being filled.
func (r *records) place(class int) uint32 {
	if class < len(r.free) && r.free[class] != nothing {
		ref := r.free[class]
		r.free[class] = uint32(r.key(ref))
		return ref
	}
	size := class * unit
	if r.fill < 0 || r.end+size > slabBytes {
		r.closeSlab()
		r.fill, r.end = r.newSlab(nil), 0
	}
	if slab := r.slabs[r.fill]; r.end+size > len(slab) {
		grown := make([]byte, min(max(2*len(slab), r.end+size, 1<<10), slabBytes))
		copy(grown, slab)
		r.bytes += len(grown) - len(slab)
		r.slabs[r.fill] = grown
	}
	ref := uint32(r.fill)<<slabBits | uint32(r.end/unit)
	r.end += size
	return ref
}

// addLarge gives a text of n bytes a slab of its own.
func (r *records) addLarge(n int) uint32 {
	return uint32(r.newSlab(make([]byte, textAt+n))) << slabBits
}

// newSlab returns the number of a slab.
func (r *records) newSlab(b []byte) int {
	r.bytes += len(b)
	if n := len(r.unused); n > 0 {
		i := r.unused[n-1]
		r.unused = r.unused[:n-1]
		r.slabs[i] = b
		return int(i)
	}
	r.slabs = append(r.slabs, b)
	return len(r.slabs) - 1
}

// isFull reports whether no further slab can be numbered: after 32 GiB of records or half a million large ones.
func (r *records) isFull() bool { return len(r.slabs) >= maxSlabs && len(r.unused) == 0 }

// closeSlab makes what is left at the end of the slab being filled a free record, if there is room for one.
func (r *records) closeSlab() {
	if r.fill < 0 {
		return
	}
	if rest := (len(r.slabs[r.fill]) - r.end) / unit; rest >= class(0) {
		ref := uint32(r.fill)<<slabBits | uint32(r.end/unit)
		slab, off := r.at(ref)
		binary.LittleEndian.PutUint16(slab[off+lengthAt:], uint16(rest*unit-textAt))
		r.remove(ref)
	}
}

// remove frees a record. Its bytes stay as they are until they are used again. O(1).
func (r *records) remove(ref uint32) {
	slab, off := r.at(ref)
	n := binary.LittleEndian.Uint16(slab[off+lengthAt:])
	if n == large {
		r.bytes -= len(slab)
		r.slabs[ref>>slabBits] = nil
		r.unused = append(r.unused, ref>>slabBits)
		return
	}
	c := class(int(n))
	for len(r.free) <= c {
		r.free = append(r.free, nothing)
	}
	binary.LittleEndian.PutUint16(slab[off+lengthAt:], n|freeFlag)
	r.setKey(ref, uint64(r.free[c]))
	r.free[c] = ref
}

// walk yields the refs of a slab's records and whether each is live.
func (r *records) walk(i int) iter.Seq2[uint32, bool] {
	return func(yield func(uint32, bool) bool) {
		slab := r.slabs[i]
		if len(slab) > textAt && binary.LittleEndian.Uint16(slab[lengthAt:]) == large {
			yield(uint32(i)<<slabBits, true)
			return
		}
		end := len(slab)
		if i == r.fill {
			end = r.end
		}
		for off := 0; end-off >= class(0)*unit; {
			n := binary.LittleEndian.Uint16(slab[off+lengthAt:])
			if !yield(uint32(i)<<slabBits|uint32(off/unit), n&freeFlag == 0) {
				return
			}
			off += class(int(n&^freeFlag)) * unit
		}
	}
}
