package skiplist

// slab holds values by index in pages that hold no pointers, so that the garbage collector never looks inside. Only the
// last page grows and shrinks, by a factor of two: that costs at most one page of copying, and a small list stays small.
type slab[T any] struct {
	pages [][]T
	bits  uint8 // a full page holds 1<<bits values
}

// reserve makes indexes below n usable.
func (s *slab[T]) reserve(n uint32) {
	page, used := int((n-1)>>s.bits), int((n-1)&(1<<s.bits-1))+1
	if page == len(s.pages) {
		s.pages = append(s.pages, nil)
	}
	old := s.pages[page]
	if used <= len(old) {
		return
	}
	size := max(2*len(old), 4)
	for size < used {
		size *= 2
	}
	grown := make([]T, min(size, 1<<s.bits))
	copy(grown, old)
	s.pages[page] = grown
}

// release frees memory that values below index n do not need. It keeps an extra quarter of a page, and halves the last page when that
// is less than a quarter full, so that a slab that grows and shrinks in turn does not copy each time.
func (s *slab[T]) release(n uint32) {
	page := uint32(1) << s.bits
	keep := min(int((n+page/4+page-1)>>s.bits), len(s.pages))
	clear(s.pages[keep:])
	s.pages = s.pages[:keep]
	last := s.pages[keep-1]
	if used := int(n) - (keep-1)<<s.bits; len(last) > 8 && used < len(last)/4 {
		half := make([]T, len(last)/2)
		copy(half, last)
		s.pages[keep-1] = half
	}
}

// cap returns how many values the pages hold.
func (s *slab[T]) cap() int {
	if len(s.pages) == 0 {
		return 0
	}
	last := len(s.pages) - 1
	return last<<s.bits + len(s.pages[last])
}
