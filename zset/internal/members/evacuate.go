package members

// A table from which members are removed at random keeps all its slabs, each with a few records. To give memory back, one
// slab with much free room at a time is the victim: its live records move to other slabs, a few at a call, and it goes.
//
// When a slab becomes the victim, its free records leave their chains, and those that become free in it later join none, so
// that nothing moves in while others move out.

const (
	// Slabs are evacuated as long as live records fill less than 3/4 of all.
	denseOver, denseUnder = 3, 4
	// fewSlabs is how many slabs are not worth the trouble.
	fewSlabs = 4
	// lookAt is how many slabs a call looks at in search of a victim.
	lookAt = 8
	// walkOver is how many records a call passes on its way to those that it moves.
	walkOver = 32
)

// isSparse reports whether there is something to gain.
func (r *records) isSparse() bool {
	return r.units*unit*denseUnder < (r.small-fewSlabs*slabBytes)*denseOver
}

// evacuate moves up to n records out of the victim, choosing one first if there is none. move copies a record and tells
// everybody who knows its ref. O(n), and once for each victim O(slab).
func (r *records) evacuate(n int, move func(ref uint32)) {
	if r.victim < 0 && !r.choose() {
		return
	}
	victim, passed := r.victim, 0
	for ref, live := range r.walk(victim, r.moved) {
		if n == 0 || passed == walkOver {
			return
		}
		passed++
		if live {
			move(ref)
			n--
		}
		_, off := r.at(ref)
		r.moved = off + class(length(r.slabs[victim], off)&^freeFlag)*unit
	}
	r.small -= len(r.slabs[victim])
	r.dropSlab(victim)
	r.victim = -1
}

// choose makes a slab the victim, if it finds one that is sparse.
func (r *records) choose() bool {
	for range lookAt {
		if r.hand++; r.hand >= len(r.slabs) {
			r.hand = 0
		}
		slab := r.slabs[r.hand]
		if r.hand == r.fill || len(slab) != slabBytes || length(slab, 0) == large {
			continue
		}
		if int(r.lives[r.hand])*unit*denseUnder < slabBytes*denseOver {
			for ref, live := range r.walk(r.hand, 0) {
				if !live {
					_, off := r.at(ref)
					r.unchain(ref, class(length(slab, off)&^freeFlag))
				}
			}
			r.victim, r.moved = r.hand, 0
			return true
		}
	}
	return false
}
