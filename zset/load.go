package zset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/zrankdb/zrank/zset/internal/members"
)

// LoadPages adds the entries of n pages that AppendPage wrote to an empty builder, with the given number of goroutines. Each goroutine
// calls pages for a few pages at a time; a page's bytes must stay valid until the next page is taken. If possible, the set keeps the
// members of page i on its own page i. Set then uses as many goroutines. Errors: those of pages, and ErrCorruptPage, wrapped with the
// reason. After an error the builder must not be used. O(members); it needs 16 extra bytes for each member while it runs.
func (b *BuilderOf[S]) LoadPages(n, workers int, pages func(from, to int) iter.Seq2[[]byte, error]) error {
	b.workers = min(workers, n/chunk+1)
	if n > 1 {
		return b.fill(n, pages)
	}
	for page, err := range pages(0, n) {
		switch {
		case err != nil:
			return err
		case b.core.isMany(page):
			return b.fill(1, func(int, int) iter.Seq2[[]byte, error] {
				return func(yield func([]byte, error) bool) { yield(page, nil) }
			})
		default:
			return b.LoadPage(page)
		}
	}
	return nil
}

// fill builds the table from all n pages.
func (b *BuilderOf[S]) fill(n int, pages func(from, to int) iter.Seq2[[]byte, error]) error {
	b.core.own().big, b.walk = b.core.newBig(), true
	bulk := b.core.big().table.Bulk(n, b.workers)
	l := pageLoader{core: &b.core, bulk: bulk, pages: pages, chunk: max(chunk, n/(8*b.workers)), rest: map[int][]byte{}}
	if err := l.load(n, b.workers); err != nil {
		return err
	}
	bulk.Finish()
	for i := range n {
		if page := l.rest[i]; page != nil {
			if err := b.LoadPage(page); err != nil {
				return err
			}
		}
	}
	return nil
}

// isMany reports whether a page has records of more entries than a listpack holds.
func (c *core) isMany(page []byte) bool {
	if len(page) < 2 || page[0] != c.pageKind(recordPage) {
		return false
	}
	count, _ := binary.Uvarint(page[2:])
	return count > uint64(c.limits().maxEntries)
}

// Remove takes a member out and reports whether it was there. O(1).
func (b *BuilderOf[S]) Remove(member []byte) bool {
	c := &b.core
	h, ok := c.find(member)
	if !ok {
		return false
	}
	if c.big() == nil {
		c.delete(h)
		return true
	}
	c.big().table.Remove(h.ref())
	b.refs, b.walk = nil, true
	return true
}

// chunk is the least number of pages that a goroutine takes at a time: fewer pages are not worth a goroutine.
const chunk = 32

var errNoRoom = errors.New("more than a page takes")

// pageLoader reads pages with several goroutines. Pages that it cannot place in the table as they are go into rest: those of a
// listpack, and those with too many records.
type pageLoader struct {
	core  *core
	bulk  *members.Bulk
	pages func(from, to int) iter.Seq2[[]byte, error]
	chunk int

	mu     sync.Mutex
	next   int
	rest   map[int][]byte
	failed error
}

// load reads all n pages.
func (l *pageLoader) load(n, workers int) error {
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { l.work(n) })
	}
	wg.Wait()
	return l.failed
}

// work reads pages until none is left or a goroutine has failed.
func (l *pageLoader) work(n int) {
	var slab members.Slab
	for {
		from, to := l.take(n)
		if from >= to {
			return
		}
		for page, err := range l.pages(from, to) {
			if err == nil {
				err = l.place(from, page, &slab)
			}
			if err != nil {
				l.fail(err)
				return
			}
			from++
		}
	}
}

// take returns the next pages [from, to) to read; the interval is empty if none is left or a goroutine has failed.
func (l *pageLoader) take(n int) (from, to int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed != nil {
		return n, n
	}
	from = l.next
	l.next = min(from+l.chunk, n)
	return from, l.next
}

func (l *pageLoader) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed == nil {
		l.failed = err
	}
}

// place decodes page i into slab and puts it on page i of the table. If that is not possible, it stores a copy of the page in rest.
func (l *pageLoader) place(i int, page []byte, slab *members.Slab) error {
	slab.Reset()
	err := l.core.readPage(page, func(key uint64, tie, member []byte) error {
		if len(member) > MaxMember {
			return ErrMemberTooLong
		}
		if !slab.Add(key, tie, member) {
			return errNoRoom
		}
		return nil
	})
	if errors.Is(err, errNoRoom) || err == nil && page[0] == l.core.pageKind(listpackPage) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.rest[i] = bytes.Clone(page)
		return nil
	}
	if err != nil {
		return fmt.Errorf("page %d: %w", i, err)
	}
	l.bulk.Place(i, slab)
	return nil
}
