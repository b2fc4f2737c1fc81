package members

import "iter"

// A slab is a page of a snapshot. Each has a mark, so that a snapshot writes those only that have changed since the last one
// that was kept. Marks are set by what changes a record, not by what changes the chains of free ones, which no page has.

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

// PageChanged reports whether a page may have other members, keys or ties than when it was last taken by a snapshot that was
// kept, or loaded. A page that came into being since has changed. O(1).
func (t *Table) PageChanged(i int) bool { return t.records.marks[i]&changed != 0 }

// TakePage notes that a page is written as it is at this moment. O(1).
func (t *Table) TakePage(i int) { t.records.marks[i] = t.records.marks[i]&^changed | taken }

// SettlePages says what has become of the pages taken since the last call: kept, or lost, so that they count as changed
// again. O(pages).
func (t *Table) SettlePages(kept bool) {
	for i, m := range t.records.marks {
		if m&taken != 0 && !kept {
			m |= changed
		}
		t.records.marks[i] = m &^ taken
	}
}
