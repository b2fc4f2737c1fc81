package state

import "time"

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
