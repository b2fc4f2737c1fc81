package members

import "iter"

// A slab is a page of a snapshot. Each has a mark, so that a snapshot writes only the pages that have changed since the last snapshot
// that was kept. A change of a record sets the mark. A change of the chains of free records does not, since pages do not contain them.

// Pages returns the number of pages that Page knows. A page is a slab: about 64 KiB, or one long member. A member stays on
// its page until it is removed or Shrink moves it. O(1).
func (t *Table) Pages() int { return len(t.records.list) }

// Page yields the refs of one page's members, in no order that matters. O(page).
func (t *Table) Page(i int) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		if i >= t.Pages() || t.records.list[i] == nil {
			return
		}
		for ref, live := range t.records.walk(i) {
			if live && !yield(ref) {
				return
			}
		}
	}
}

// PageChanged reports whether the members, keys or ties of a page may have changed since it was loaded, or since the last snapshot that
// was kept took it. A newer page counts as changed. O(1).
func (t *Table) PageChanged(i int) bool { return t.records.marks[i]&changed != 0 }

// TakePage notes that a page is written as it is at this moment. O(1).
func (t *Table) TakePage(i int) { t.records.marks[i] = t.records.marks[i]&^changed | taken }

// TouchPages makes all pages count as changed. O(pages).
func (t *Table) TouchPages() {
	for i := range t.records.marks {
		t.records.marks[i] = changed
	}
}

// SettlePages says whether the snapshot kept the pages taken since the last call. If not, they count as changed again. O(pages).
func (t *Table) SettlePages(kept bool) {
	for i, m := range t.records.marks {
		if m&taken != 0 && !kept {
			m |= changed
		}
		t.records.marks[i] = m &^ taken
	}
}
