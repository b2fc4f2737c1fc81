package zset

import (
	"encoding/binary"
	"fmt"

	"github.com/zrankdb/zrank/listpack"
)

// A page is a part of a set as bytes, the unit of a snapshot: about 64 KiB of records, or a whole listpack.
//
//	listpack   1 | the listpack's own bytes
//	records    2 | tie width 1 | count uvarint | count times: key 8, big endian | text length uvarint | tie | member
//
// In a set of int64 scores the top bit of the first byte is set.
const (
	listpackPage = 1
	recordPage   = 2
	integerFlag  = 0x80
)

// pageKind returns the first byte of a page.
func (c *core) pageKind(kind byte) byte {
	if c.limits().integers {
		return kind | integerFlag
	}
	return kind
}

// Pages returns the number of pages that hold the set now. O(1).
func (v *ViewOf[S]) Pages() int {
	if v.big() == nil {
		return 1
	}
	return v.big().table.Pages()
}

// HoldPages keeps every member on its page until ReleasePages. So a caller may write pages one by one while the set changes: each
// member that stays in the set from the first page to the last is on one of the written pages. Without HoldPages a removal may move
// other members, to free memory. O(1).
func (s *SetOf[S]) HoldPages() { s.own().held = true }

// ReleasePages ends HoldPages, even if HoldPages was called several times. O(1).
func (s *SetOf[S]) ReleasePages() {
	s.own().held = false
	s.share()
}

// AppendPage appends page i to dst. O(page).
func (v *ViewOf[S]) AppendPage(dst []byte, i int) []byte { return v.appendPage(dst, i) }

// PageChanged reports whether page i may have changed since TakePage last returned it or LoadPages loaded it. It is true for a page
// that was neither taken nor loaded, and for a page that SettlePages has called lost or TouchPages changed. i must be less than Pages. O(1).
func (v *ViewOf[S]) PageChanged(i int) bool { return v.big() == nil || v.big().table.PageChanged(i) }

// TakePage is AppendPage for a snapshot: PageChanged is false for page i from then on, until the page changes. The only page of a
// listpack always counts as changed. O(page).
func (s *SetOf[S]) TakePage(dst []byte, i int) []byte {
	if s.big() != nil && i < s.Pages() {
		s.big().table.TakePage(i)
	}
	return s.appendPage(dst, i)
}

// TouchPages makes PageChanged true for all pages, so that the next snapshot writes the whole set: no earlier one has it. O(pages).
func (s *SetOf[S]) TouchPages() {
	if s.big() != nil {
		s.big().table.TouchPages()
	}
}

// SettlePages says whether the snapshot kept the pages taken since the last call. If not, they count as changed again. O(pages).
func (s *SetOf[S]) SettlePages(kept bool) {
	if s.big() != nil {
		s.big().table.SettlePages(kept)
	}
}

func (c *core) appendPage(dst []byte, i int) []byte {
	switch {
	case c.image() != nil:
		return c.appendImage(dst)
	case c.big() == nil:
		var l listpack.List
		c.small(&l)
		return l.AppendTo(append(dst, c.pageKind(listpackPage)))
	}
	t, count := c.big().table, 0
	if i < t.Pages() {
		for range t.Page(i) {
			count++
		}
	}
	dst = append(dst, c.pageKind(recordPage), c.limits().tieWidth)
	dst = binary.AppendUvarint(dst, uint64(count))
	if count == 0 {
		return dst
	}
	for ref := range t.Page(i) {
		dst = appendEntry(dst, t.Key(ref), t.Tie(ref), t.Member(ref))
	}
	return dst
}

// appendImage appends all of a before-image as one page.
func (c *core) appendImage(dst []byte) []byte {
	dst = append(dst, c.pageKind(recordPage), c.limits().tieWidth)
	dst = binary.AppendUvarint(dst, uint64(c.len()))
	var w walk
	for w.ascend(c, 0, c.len()); w.next(); {
		key, tie, member := w.entry()
		dst = appendEntry(dst, key, tie, member)
	}
	return dst
}

// AppendMembers appends to dst a page with those of the given members that the set holds. O(members).
func (v *ViewOf[S]) AppendMembers(dst []byte, members []string) []byte {
	var entries []byte
	count := uint64(0)
	for _, member := range members {
		h, ok := v.find([]byte(member))
		if !ok {
			continue
		}
		key, tie := v.record(h)
		entries = appendEntry(entries, key, tie, []byte(member))
		count++
	}
	dst = append(dst, v.pageKind(recordPage), v.limits().tieWidth)
	return append(binary.AppendUvarint(dst, count), entries...)
}

// appendEntry appends an entry of a page of records.
func appendEntry(dst []byte, key uint64, tie, member []byte) []byte {
	dst = binary.BigEndian.AppendUint64(dst, key)
	dst = binary.AppendUvarint(dst, uint64(len(tie)+len(member)))
	return append(append(dst, tie...), member...)
}

// readPage calls add for each entry of a page. If the bytes are not a page of a set of this kind, it returns an error that wraps
// ErrCorruptPage; add may have been called for entries before the damage.
func (c *core) readPage(page []byte, add func(key uint64, tie, member []byte) error) error {
	if len(page) == 0 {
		return fmt.Errorf("%w: empty", ErrCorruptPage)
	}
	checked := func(key uint64, tie, member []byte) error {
		if !c.validKey(key) {
			return fmt.Errorf("%w: no score has key %#x", ErrCorruptPage, key)
		}
		if err := add(key, tie, member); err != nil {
			return fmt.Errorf("%w: %w", ErrCorruptPage, err)
		}
		return nil
	}
	switch kind, body := page[0], page[1:]; kind {
	case c.pageKind(listpackPage):
		return c.readListpack(body, checked)
	case c.pageKind(recordPage):
		return c.readRecords(body, checked)
	default:
		return fmt.Errorf("%w: unknown kind %#x", ErrCorruptPage, kind)
	}
}

// readListpack calls add for each entry of a page with a listpack, after the first byte.
func (c *core) readListpack(body []byte, add func(key uint64, tie, member []byte) error) error {
	l, err := listpack.Decode(body)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCorruptPage, err)
	}
	if l.TieWidth() != int(c.limits().tieWidth) {
		return fmt.Errorf("%w: tie width %d in a set of %d", ErrCorruptPage, l.TieWidth(), c.limits().tieWidth)
	}
	for p := l.Begin(); p != l.End(); p = l.Next(p) {
		if err := add(l.Entry(p)); err != nil {
			return err
		}
	}
	return nil
}

// readRecords calls add for each entry of a page of records, after the first byte.
func (c *core) readRecords(body []byte, add func(key uint64, tie, member []byte) error) error {
	tie := int(c.limits().tieWidth)
	if len(body) == 0 || int(body[0]) != tie {
		return fmt.Errorf("%w: not of tie width %d", ErrCorruptPage, tie)
	}
	count, n := binary.Uvarint(body[1:])
	if n <= 0 {
		return fmt.Errorf("%w: no count", ErrCorruptPage)
	}
	for body = body[1+n:]; count > 0; count-- {
		if len(body) < 9 {
			return fmt.Errorf("%w: %d entries missing", ErrCorruptPage, count)
		}
		key := binary.BigEndian.Uint64(body)
		length, n := binary.Uvarint(body[8:])
		body = body[8:]
		if n <= 0 || length < uint64(tie) || length > uint64(len(body)-n) {
			return fmt.Errorf("%w: a text of %d bytes where %d are left", ErrCorruptPage, length, len(body))
		}
		text := body[n : n+int(length)]
		if err := add(key, text[:tie], text[tie:]); err != nil {
			return err
		}
		body = body[n+int(length):]
	}
	if len(body) != 0 {
		return fmt.Errorf("%w: %d bytes too many", ErrCorruptPage, len(body))
	}
	return nil
}
