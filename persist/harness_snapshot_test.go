package persist

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/snapshot"
	"github.com/zrankdb/zrank/persist/wal"
)

// tidy checks that Pebble holds no leftovers, that is pages that no record names and groups before the pointer's start. It also checks
// that all named pages exist.
func tidy(s *Store) error {
	named := map[string]bool{}
	for r, err := range s.Sets() {
		if err != nil {
			return err
		}
		for _, key := range format.PageKeys(&r.stored) {
			named[string(key)] = true
		}
	}
	left, bytes := 0, 0
	from := []byte(format.PrefixPages)
	err := s.log.DB.Scan(from, format.KeyAfter(from), format.NameOf(from), func(key, value []byte) (bool, error) {
		if !named[string(key)] {
			left, bytes = left+1, bytes+len(value)
		}
		delete(named, string(key))
		return true, nil
	})
	if err != nil {
		return err
	}
	if left > 0 || len(named) > 0 {
		return fmt.Errorf("%d pages of %d bytes are left over, %d are missing", left, bytes, len(named))
	}
	err = s.log.DB.Scan([]byte(format.PrefixLog), format.KeyLog(s.log.Pointer().Start), format.NameOf([]byte(format.PrefixLog)), func(_, _ []byte) (bool, error) {
		left++
		return true, nil
	})
	if err != nil || left > 0 {
		return fmt.Errorf("%d groups are left before the log: %w", left, err)
	}
	return nil
}

// snapshot writes the dirty sets, with random commits between their pages, and publishes or aborts the snapshot.
func (d *driver) snapshot(publish bool) error {
	upto := d.s.LastSeq()
	if d.rng.IntN(3) == 0 && upto > d.s.log.Pointer().Upto {
		upto-- // may cut through a group; the sets' pages are then newer than upto
	}
	dirty := d.dirtySets
	if upto == d.s.LastSeq() {
		d.dirtySets = map[string]bool{}
	} else { // any set may have changes of the last commit, which the snapshot may lack
		d.dirtySets = maps.Clone(dirty)
	}
	sn, err := d.s.Snapshot(upto)
	if err != nil {
		return err
	}
	for _, set := range slices.Sorted(maps.Keys(dirty)) {
		err := d.writeSet(sn, set)
		if err == nil && d.rng.IntN(3) == 0 { // small sets do not fill a batch by themselves
			err = snapshot.HandOver(sn.sn)
		}
		if err != nil {
			return errors.Join(err, sn.Abort())
		}
	}
	if !publish {
		maps.Copy(d.dirtySets, dirty)
		clear(d.runningPages)
		return sn.Abort()
	}
	if d.beforePublish != nil {
		if err := d.beforePublish(sn); err != nil {
			return errors.Join(err, sn.Abort())
		}
	}
	if err := sn.Publish(); err != nil {
		maps.Copy(d.dirtySets, dirty)
		clear(d.runningPages)
		return errors.Join(err, sn.Abort())
	}
	for set := range dirty {
		d.publishedPages[set] = d.runningPages[set]
	}
	clear(d.runningPages)
	return nil
}

// writeOut writes out some of the sets, clean ones too, with random commits between their pages, and publishes or aborts the write-out. A set
// that no commit has changed meanwhile is clean then: the next snapshot does not write it.
func (d *driver) writeOut(publish bool) error {
	sn, err := d.s.WriteOut(nil)
	if err != nil {
		return err
	}
	was := maps.Clone(d.dirtySets)
	for _, set := range slices.Sorted(maps.Keys(d.w.sets)) {
		if d.rng.IntN(2) == 0 || d.w.sets[set] == nil { // a commit between two pages may have dropped it
			continue
		}
		delete(d.dirtySets, set)
		if err = d.writeSet(sn, set); err != nil {
			break
		}
	}
	if err == nil && publish {
		err = sn.Publish()
	}
	if err != nil || !publish {
		maps.Copy(d.dirtySets, was)
		clear(d.runningPages)
		return errors.Join(err, sn.Abort())
	}
	maps.Copy(d.publishedPages, d.runningPages)
	clear(d.runningPages)
	return nil
}

// writeSet writes a set into the snapshot, or drops it. It keeps pages that have not changed, and makes random commits between pages.
func (d *driver) writeSet(sn *Snapshot, set string) error {
	if d.w.sets[set] == nil {
		sn.DropSet(set)
		return nil
	}
	var failed error
	taken := pageSet{}
	d.runningPages[set] = taken
	pages := func(yield func([]byte) bool) {
		for i := range pagesIn(set, d.w.sets[set]) {
			page := []byte(nil)
			if d.publishedPages[set][i] {
				d.kept++
			} else {
				page = encodeTestPage(pageMembers(set, i), d.w.sets[set])
			}
			taken[i] = true
			if !yield(page) {
				return
			}
			switch d.rng.IntN(5) {
			case 0:
				failed = d.commit(1 + d.rng.IntN(2))
			case 1: // later pages hold effects that are not flushed yet
				_, failed = d.append(1 + d.rng.IntN(2))
			}
			if failed != nil {
				return
			}
		}
	}
	err := sn.WriteSet(set, []byte(d.w.meta[set]), d.s.LastSeq(), len(d.w.sets[set]), pages)
	return errors.Join(err, failed)
}

// pageSet is a set of pages.
type pageSet map[int]bool

// driverMembers is the largest number of members of a driver's set. They are distributed over its pages in order.
const driverMembers = 40

// perPage returns how many members a page of the set holds at most.
func perPage(set string) int { return []int{40, 20, 10, 4, 3}[set[len(set)-1]-'0'] }

func pageMembers(set string, page int) (members []string) {
	for i := page * perPage(set); i < min((page+1)*perPage(set), driverMembers); i++ {
		members = append(members, fmt.Sprintf("m%d", i))
	}
	return members
}

// pagesIn returns how many pages the members need.
func pagesIn(set string, live map[string]string) (pages int) {
	for m := range live {
		pages = max(pages, memberNumber(m)/perPage(set)+1)
	}
	return pages
}

func memberNumber(m string) (n int) {
	_, _ = fmt.Sscanf(m, "m%d", &n)
	return n
}

// touch notes the pages that an effect changes.
func (d *driver) touch(e wal.Effect) {
	if e.Kind == wal.Drop {
		delete(d.publishedPages, e.Set)
		clear(d.runningPages[e.Set])
		return
	}
	if e.Kind != wal.Create {
		page := memberNumber(string(e.Member)) / perPage(e.Set)
		delete(d.publishedPages[e.Set], page)
		delete(d.runningPages[e.Set], page)
	}
}
