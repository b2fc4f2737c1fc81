package zset

import "github.com/zrankdb/zrank/skiplist"

// Sought is one of the searches of SeekAll.
type Sought struct {
	View  *IntView // the set
	Score int64    // that is sought
	Text  []byte   // that is sought: tie and member
	Rank  int      // the result
}

// together is the number of searches that SeekAll makes at a time: about as many cache misses as a processor overlaps.
const together = 8

// SeekAll sets the Rank of each search to the result of View.Seek(Score, Text). Searches in large sets take less time together than one after the
// other. O(log n) for each.
func SeekAll(all []Sought) {
	var list [together]skiplist.Sought
	var of [together]*Sought
	n := 0
	flush := func() {
		skiplist.SeekAll(list[:n])
		for i := range n {
			of[i].Rank = list[i].Rank
		}
		n = 0
	}
	for i := range all {
		x := &all[i]
		b := x.View.big()
		if b == nil {
			x.Rank = x.View.Seek(x.Score, x.Text)
			continue
		}
		s := &list[n]
		s.List, s.Key, s.Text = b.index, keyOf(x.Score), x.Text
		of[n] = x
		if n++; n == together {
			flush()
		}
	}
	flush()
}
