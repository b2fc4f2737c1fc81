package check

import (
	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/zset"
)

// noteEdge notes the edge of a set of a board with Top. O(members) for a bucket, else O(log
// members).
func (s *set) noteEdge(entries *zset.IntView) {
	if s.t.Top == nil || entries.Len() == 0 {
		return
	}
	if _, _, isBucket := s.k.Bucket(); !isBucket {
		for last := range entries.Entries(entries.Len()-1, entries.Len()) {
			s.entry = buckets.NewEntry(last.Score, last.Tie, last.Member)
		}
		return
	}
	s.edge = edge{all: ^uint64(0)}
	first := true
	for x := range entries.Entries(0, entries.Len()) {
		if first {
			s.entry, first = buckets.NewEntry(x.Score, x.Tie, x.Member), false
		}
		hash := buckets.Hash(x.Member)
		s.all, s.any = s.all&hash, s.any|hash
	}
}

// behindHead compares a bucket, which has members, with its number and with the head, which is not
// too small for a tail and comes before it: see TL1 to TL3 in package tail. It does not find a
// member that is in the head and in its bucket.
func (a *audit) behindHead(s *set) {
	number, _, isBucket := s.k.Bucket()
	if !isBucket || s.t.Top == nil || s.Doubtful || s.Members == 0 {
		return
	}
	_, bit, _ := s.t.TailOf(s.k.Period).Child(number)
	if s.all&(bit-1) != uint64(number) || s.any&(bit-1) != uint64(number) {
		a.fault(s.path, "bucket %q has a member that belongs to another bucket", s.key)
	}
	switch head := a.have(s.t.Key(s.k.Period)); {
	case head.Doubtful: // the engine's report has the reason
	case head.Members < s.t.Top.N:
		const problem = "has %d of the best %d members in order, and bucket %q has %d others"
		a.fault(s.path, problem, head.Members, s.t.Top.N, s.key, s.Members)
	case head.entry.Compare(s.entry) >= 0:
		const problem = "the last of the best %d members comes behind the first of bucket %q"
		a.fault(s.path, problem, head.Members, s.key)
	}
}
