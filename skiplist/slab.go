package skiplist

// slab holds values by index in pages that hold no pointers, so that the garbage collector never looks inside. Only the
// last page grows, by doubling up to a full page: growing costs at most one page of copying and a small list stays small.
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

// release gives back the pages above index n.
func (s *slab[T]) release(n uint32) {
	keep := int((n + 1<<s.bits - 1) >> s.bits)
	clear(s.pages[keep:])
	s.pages = s.pages[:keep]
}

// cap returns how many values the pages hold.
func (s *slab[T]) cap() int {
	if len(s.pages) == 0 {
		return 0
	}
	last := len(s.pages) - 1
	return last<<s.bits + len(s.pages[last])
}
