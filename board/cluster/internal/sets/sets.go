package sets

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/cluster/internal/servers"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/zset"
)

// Ranking says where the entries of a ranking are.
type Ranking struct {
	Servers  *servers.Servers
	Keys     layout.Keys
	Sorted   func(k int) string           // the key of the sorted set of a partition
	Values   func(k int) string           // the key of the hash beside it
	New      func() (*zset.IntSet, error) // an empty set for the entries
	TieWidth int
	HasMeta  bool
}

// Sets is the partitions of a ranking, read as one set: it implements ranking.Sets. Each method is one round trip or a few, whatever the number of partitions. After the
// first error it reads nothing more.
type Sets struct {
	Ranking
	ctx context.Context
	err error

	place int   // at holds for this place how many of the entries before it are in each partition; -1: none
	at    []int // see place

	walk      []zset.IntEntry
	from      int // place of the first entry in walk
	next, end int // in walk: what Next has not returned
	meta      map[string][]byte
}

var _ ranking.Sets = (*Sets)(nil)

// Of returns a ranking to read.
func Of(ctx context.Context, r Ranking) *Sets {
	return &Sets{Ranking: r, ctx: ctx, place: -1, at: make([]int, r.Keys.Partitions())}
}

// Err implements ranking.Sets.
func (s *Sets) Err() error { return s.err }

// keep keeps the first error; it reports whether there is none.
func (s *Sets) keep(err error) bool {
	if s.err == nil && err != nil && !errors.Is(err, redis.Nil) {
		s.err = err
	}
	return s.err == nil
}

// each asks all partitions by one pipeline.
func (s *Sets) each(ask func(pipe redis.Pipeliner, k int, ranking string)) bool {
	if s.err != nil {
		return false
	}
	return s.keep(s.Servers.Ask(s.ctx, func(pipe redis.Pipeliner) {
		for k := range s.at {
			ask(pipe, k, s.Sorted(k))
		}
	}))
}

// Len implements ranking.Sets.
func (s *Sets) Len() (n int) {
	for _, size := range s.sizes() {
		n += size
	}
	return n
}

// sizes returns the number of entries in each partition.
func (s *Sets) sizes() []int {
	cards, sizes := make(Sums, len(s.at)), make([]int, len(s.at))
	s.each(func(pipe redis.Pipeliner, k int, ranking string) { cards[k] = pipe.ZCard(s.ctx, ranking) })
	for k, card := range cards {
		if card != nil {
			sizes[k] = int(card.Val())
		}
	}
	return sizes
}

// Get implements ranking.Sets.
func (s *Sets) Get(member []byte) (score int64, tie []byte, ok bool) {
	if s.err != nil {
		return 0, nil, false
	}
	k := s.Keys.PartitionOf(member)
	var stored string
	err := s.Servers.Repeat(s.ctx, func() (err error) {
		stored, err = s.Servers.Client.HGet(s.ctx, s.Ranking.Values(k), string(member)).Result()
		return err
	})
	if !s.keep(err) {
		return 0, nil, false
	}
	v, err := layout.DecodeValue(stored, s.TieWidth)
	if !s.keep(err) {
		return 0, nil, false
	}
	s.noteMeta(string(member), v.Meta)
	return v.Score, v.Tie, v.IsRanked()
}

// RankGet implements ranking.Sets.
func (s *Sets) RankGet(member []byte) (rank int, score int64, tie []byte, ok bool) {
	if score, tie, ok = s.Get(member); !ok {
		return 0, 0, nil, false
	}
	return s.Seek(append(layout.AppendEntry(nil, score, tie), member...)), score, tie, true
}

// Seek returns the number of texts before one.
func (s *Sets) Seek(text []byte) int {
	counts := make(Sums, len(s.at))
	if !s.each(func(pipe redis.Pipeliner, k int, ranking string) {
		counts[k] = pipe.ZLexCount(s.ctx, ranking, "-", "("+string(text))
	}) {
		return 0
	}
	s.place = counts.Val()
	for k, n := range counts {
		s.at[k] = int(n.Val())
	}
	return s.place
}

// SeekBefore implements ranking.Sets.
func (s *Sets) SeekBefore(score int64, text []byte) int {
	return s.Seek(layout.AppendEntry(nil, score, text))
}

// SeekAfter implements ranking.Sets.
func (s *Sets) SeekAfter(score int64, columns []byte) int {
	after := layout.AppendEntry(nil, score, columns)
	for i := len(after) - 1; i >= 0; i-- { // the least text that is greater than all that begin so
		if after[i]++; after[i] != 0 {
			return s.Seek(after[:i+1])
		}
	}
	return s.Len()
}

// Next implements ranking.Sets.
func (s *Sets) Next() *zset.IntEntry {
	if s.next >= s.end {
		return nil
	}
	s.next++
	return &s.walk[s.next-1]
}

// page is how many entries of a partition Copy reads at once.
const page = 5000

// Copy implements ranking.Sets.
func (s *Sets) Copy() *zset.IntSet {
	z, err := s.New()
	for k := range s.at {
		for from := 0; err == nil && s.err == nil; from += page {
			var texts []string
			texts, err = s.texts(k, from, from+page)
			for _, text := range texts {
				e, bad := layout.DecodeText(text, s.TieWidth)
				if err = bad; err == nil {
					_, err = z.AddTied(e.Member, e.Tie, e.Score)
				}
			}
			if len(texts) < page {
				break
			}
		}
	}
	s.keep(err)
	return z
}

// texts returns the texts of a partition with ranks [lo, hi) there.
func (s *Sets) texts(k, lo, hi int) (texts []string, err error) {
	err = s.Servers.Repeat(s.ctx, func() (err error) {
		texts, err = s.Servers.Client.ZRange(s.ctx, s.Sorted(k), int64(lo), int64(hi-1)).Result()
		return err
	})
	return texts, err
}

// read reads the entries of each partition with ranks [lo, hi) there, and merges them.
func (s *Sets) read(lo, hi func(k int) int) (merged []zset.IntEntry) {
	texts := make([]*redis.StringSliceCmd, len(s.at))
	ok := s.each(func(pipe redis.Pipeliner, k int, ranking string) {
		if from, to := lo(k), hi(k); from < to {
			texts[k] = pipe.ZRange(s.ctx, ranking, int64(from), int64(to-1))
		}
	})
	for k := 0; k < len(texts) && ok; k++ {
		if texts[k] == nil {
			continue
		}
		for _, text := range texts[k].Val() {
			e, err := layout.DecodeText(text, s.TieWidth)
			if !s.keep(err) {
				return nil
			}
			merged = append(merged, e)
		}
	}
	slices.SortFunc(merged, compareEntries)
	return merged
}

func compareEntries(a, b zset.IntEntry) int {
	switch {
	case a.Score != b.Score && a.Score < b.Score:
		return -1
	case a.Score != b.Score:
		return 1
	}
	if c := bytes.Compare(a.Tie, b.Tie); c != 0 {
		return c
	}
	return bytes.Compare(a.Member, b.Member)
}

// MetaOf returns the metadata of a member that a walk or Get has read, or reads it.
func (s *Sets) MetaOf(member string) ([]byte, error) {
	meta, ok := s.meta[member]
	if !ok {
		s.Get([]byte(member))
		meta = s.meta[member]
	}
	return meta, s.err
}

func (s *Sets) noteMeta(member string, meta []byte) {
	if s.meta == nil {
		s.meta = map[string][]byte{}
	}
	s.meta[member] = meta
}

// readMeta reads the metadata of the members of the walk by one pipeline.
func (s *Sets) readMeta() {
	if !s.HasMeta || len(s.walk) == 0 || s.err != nil {
		return
	}
	members := make([][]string, len(s.at))
	for _, e := range s.walk {
		k := s.Keys.PartitionOf(e.Member)
		members[k] = append(members[k], string(e.Member))
	}
	found := make([]*redis.SliceCmd, len(s.at))
	s.each(func(pipe redis.Pipeliner, k int, _ string) {
		if len(members[k]) > 0 {
			found[k] = pipe.HMGet(s.ctx, s.Ranking.Values(k), members[k]...)
		}
	})
	for k, cmd := range found {
		if cmd == nil || s.err != nil {
			continue
		}
		for i, stored := range cmd.Val() {
			text, _ := stored.(string)
			v, err := layout.DecodeValue(text, s.TieWidth)
			if s.keep(err) {
				s.noteMeta(members[k][i], v.Meta)
			}
		}
	}
}
