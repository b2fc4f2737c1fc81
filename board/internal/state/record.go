package state

import (
	"maps"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board/internal/ranking"
)

// Record describes a closed period that had members. A migration adds a digest to it.
type Record struct {
	Period   string
	Start    time.Time
	End      time.Time
	ClosedAt time.Time // to the microsecond
	Members  int
	// Digests has the digests of the period's set, in order of versions. It is nil if a version of this package without digests closed the
	// period. The list is never modified, only replaced.
	Digests []Digest
	// Indexed: the index of members has the place of every member of the period (see package places), as it was before the places in Removed left
	// the ranking.
	Indexed bool
	Removed []int // the places, from 0 and as they are indexed, that have been removed since, in order. It is never modified, only replaced
	Hidden  int   // how many members more are hidden: their entries are beside the ranking
	// Vacancies has for versions of the board the vacancies in the ranks that removed entries have left. It is never modified, only replaced.
	Vacancies map[int]ranking.Vacancies
}

// IsEmpty reports whether the period has no members, hidden or not.
func (r *Record) IsEmpty() bool { return r.Members == 0 && r.Hidden == 0 }

// Without returns the record after an entry with a hash has left the ranking under a version of the board. place is that of the index, from 0;
// -1 if the period is not indexed, or the place stays in its count.
func (r *Record) Without(version, place int, hash uint64) *Record {
	next := r.with(version, -1, -hash)
	if place >= 0 {
		i, _ := slices.BinarySearch(r.Removed, place)
		next.Removed = slices.Insert(slices.Clone(r.Removed), i, place)
	}
	return next
}

// WithVacancy returns the record after an entry that has left the ranking under a version has kept its rank.
func (r *Record) WithVacancy(version int, score int64, tie []byte) *Record {
	next := *r
	next.Vacancies = maps.Clone(r.Vacancies)
	if next.Vacancies == nil {
		next.Vacancies = map[int]ranking.Vacancies{}
	}
	next.Vacancies[version] = r.Vacancies[version].With(score, tie)
	return &next
}

// VacantBefore returns how many ranks before an entry nobody has. O(log vacancies).
func (r *Record) VacantBefore(version int, score int64, tie []byte) int {
	return r.Vacancies[version].Before(score, tie)
}

// Changed returns the record after a change under a version that has given the ranking so many members more, and its digest a sum. Places of others may
// have changed, so the period is to be indexed again.
func (r *Record) Changed(version, members int, sum uint64) *Record {
	next := r.with(version, members, sum)
	next.Indexed, next.Removed = false, nil
	return next
}

// ChangedHidden returns the record after a change of an entry beside the ranking, which has so many hidden members more. The period is to be indexed again.
func (r *Record) ChangedHidden(members int) *Record {
	next := *r
	next.Hidden += members
	next.Indexed, next.Removed = false, nil
	return &next
}

// Hide returns the record after a member was hidden, as Without.
func (r *Record) Hide(version, place int, hash uint64) *Record {
	next := r.Without(version, place, hash)
	next.Hidden++
	return next
}

// Show returns the record after the entry of a hidden member, with a hash, has come back into the ranking. place is that of the index, from 0; -1 if the
// index does not have it: then the period is to be indexed again.
func (r *Record) Show(version, place int, hash uint64) *Record {
	next := r.with(version, 1, hash)
	next.Hidden--
	i, found := slices.BinarySearch(r.Removed, place)
	if found {
		next.Removed = slices.Delete(slices.Clone(r.Removed), i, i+1)
	} else {
		next.Indexed, next.Removed = false, nil
	}
	return next
}

// WithoutHidden returns the record after the entry of a hidden member was removed.
func (r *Record) WithoutHidden() *Record {
	next := *r
	next.Hidden--
	return &next
}

// with returns the record with so many members more under a version, whose digest rises by sum.
func (r *Record) with(version, members int, sum uint64) *Record {
	next := *r
	next.Members += members
	next.Digests = slices.Clone(r.Digests)
	for i := range next.Digests {
		if next.Digests[i].Version == version {
			next.Digests[i].Sum += sum
		}
	}
	return &next
}

// Place returns the present place of a member of the period, from 0, by the one that the index has.
func (r *Record) Place(indexed int) int {
	before, _ := slices.BinarySearch(r.Removed, indexed)
	return indexed - before
}

// Digest is the digest of a period's set, see engine.Owner, under one version of the board in the set's key.
type Digest struct {
	Version int
	Sum     uint64
}

// Digest returns the digest of the period's set under a version of the board; ok is false if there is none.
func (r *Record) Digest(version int) (sum uint64, ok bool) {
	for _, d := range r.Digests {
		if d.Version == version {
			return d.Sum, true
		}
	}
	return 0, false
}

// newRecord returns a record without digests. Times are microseconds after 1970.
func newRecord(period string, start, end, closedAt int64, members int) *Record {
	utc := func(micro int64) time.Time { return time.UnixMicro(micro).UTC() }
	return &Record{Period: period, Start: utc(start), End: utc(end), ClosedAt: utc(closedAt), Members: members}
}
