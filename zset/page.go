package zset

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/zrankdb/zrank/listpack"
)

// A page is a part of a set as bytes, the unit of a snapshot: about 64 KiB of records, or a whole listpack.
//
//	listpack   1 | the listpack's own bytes
//	records    2 | tie width 1 | count uvarint | count times: key 8, big endian | text length uvarint | tie | member
const (
	listpackPage = 1
	recordPage   = 2
)

// Pages returns the number of pages that hold the set now. O(1).
func (v *View) Pages() int {
	if v.big == nil {
		return 1
	}
	return v.big.table.Pages()
}

// AppendPage appends page i to dst. Pages may be written at different times: a member stands on one page for as long as it
// is in the set, whatever its score. O(page).
func (v *View) AppendPage(dst []byte, i int) []byte {
	if v.big == nil {
		return v.small.AppendTo(append(dst, listpackPage))
	}
	t, count := v.big.table, 0
	if i < t.Pages() {
		for range t.Page(i) {
			count++
		}
	}
	dst = append(dst, recordPage, byte(v.TieWidth()))
	dst = binary.AppendUvarint(dst, uint64(count))
	if count == 0 {
		return dst
	}
	for ref := range t.Page(i) {
		text := t.Text(ref)
		dst = binary.BigEndian.AppendUint64(dst, t.Key(ref))
		dst = binary.AppendUvarint(dst, uint64(len(text)))
		dst = append(dst, text...)
	}
	return dst
}

// LoadPage adds the entries of a page to the set; the last score given to a member wins. Bytes that are no page give an
// error that wraps ErrCorruptPage; entries before the damage may have been added. O(page log n).
func (s *Set) LoadPage(page []byte) error {
	if len(page) == 0 {
		return fmt.Errorf("%w: empty", ErrCorruptPage)
	}
	switch kind, body := page[0], page[1:]; kind {
	case listpackPage:
		return s.loadListpack(body)
	case recordPage:
		return s.loadRecords(body)
	default:
		return fmt.Errorf("%w: unknown kind %d", ErrCorruptPage, kind)
	}
}

func (s *Set) loadListpack(body []byte) error {
	l, err := listpack.Decode(body)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCorruptPage, err)
	}
	if l.TieWidth() != s.TieWidth() {
		return fmt.Errorf("%w: tie width %d in a set of %d", ErrCorruptPage, l.TieWidth(), s.TieWidth())
	}
	for p := l.Begin(); p != l.End(); p = l.Next(p) {
		if err := s.load(l.Entry(p)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Set) loadRecords(body []byte) error {
	if len(body) == 0 || int(body[0]) != s.TieWidth() {
		return fmt.Errorf("%w: not of tie width %d", ErrCorruptPage, s.TieWidth())
	}
	tie := s.TieWidth()
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
		if err := s.load(key, text[:tie], text[tie:]); err != nil {
			return err
		}
		body = body[n+int(length):]
	}
	if len(body) != 0 {
		return fmt.Errorf("%w: %d bytes too many", ErrCorruptPage, len(body))
	}
	return nil
}

// load adds one entry of a page.
func (s *Set) load(key uint64, tie, member []byte) error {
	score := scoreOf(key)
	if math.IsNaN(score) || keyOf(score) != key {
		return fmt.Errorf("%w: no score has key %#x", ErrCorruptPage, key)
	}
	if _, err := s.AddTied(member, tie, score); err != nil {
		return fmt.Errorf("%w: %w", ErrCorruptPage, err)
	}
	return nil
}
