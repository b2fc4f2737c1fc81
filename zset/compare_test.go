package zset

import (
	"fmt"
	"math"
	integers "math/big"
	"math/rand/v2"
	"slices"

	"github.com/zrankdb/zrank/internal/model"
)

// compare returns the first difference that any reading method shows.
func (p *pair[S]) compare() error {
	if number, found := p.set.verify(); number != "" {
		return fmt.Errorf("violates %s: %s", number, found)
	}
	all := p.want.All()
	if p.set.Len() != len(all) {
		return fmt.Errorf("len %d, want %d", p.set.Len(), len(all))
	}
	for _, part := range []func([]model.EntryOf[S]) error{
		p.compareMembers, p.compareAbsent, p.compareRanges, p.compareScores, p.compareMemberRanges, p.compareDistinct, p.compareCopies, p.compareBest,
	} {
		if err := part(all); err != nil {
			return err
		}
	}
	return nil
}

// equals is the run of entries that share a score and columns: its first and last rank, and the number of runs before it.
type equals struct{ first, last, distinct int }

// runs returns the run of each entry.
func (p *pair[S]) runs(all []model.EntryOf[S]) []equals {
	columns := p.set.limits().scoreTie
	list := make([]equals, len(all))
	for i, e := range all {
		list[i].first = i
		if i > 0 && all[i-1].Score == e.Score && all[i-1].Tie[:columns] == e.Tie[:columns] {
			list[i] = list[i-1]
		} else if i > 0 {
			list[i].distinct = list[i-1].distinct + 1
		}
		for j := list[i].first; j <= i; j++ {
			list[j].last = i
		}
	}
	return list
}

// ranks returns a member's rank and reverse rank under each Mode.
func (e equals) ranks(rank, n, distinct int) (forward, reverse [4]int) {
	return [4]int{rank, e.first, e.last, e.distinct},
		[4]int{n - 1 - rank, n - 1 - e.last, n - 1 - e.first, distinct - 1 - e.distinct}
}

// compareMembers compares the results of all methods that take a member, for each member.
func (p *pair[S]) compareMembers(all []model.EntryOf[S]) error {
	equal, n, distinct := p.runs(all), len(all), 0
	if n > 0 {
		distinct = equal[n-1].distinct + 1
	}
	for rank, e := range all {
		m := []byte(e.Member)
		if score, tie, ok := p.set.Get(m); !ok || score != e.Score || string(tie) != e.Tie {
			return fmt.Errorf("get of %q: %v %x %v, want %v %x", m, score, tie, ok, e.Score, e.Tie)
		}
		if got, score, tie, ok := p.set.RankGet(m); !ok || score != e.Score || got != rank || string(tie) != string(e.Tie) {
			return fmt.Errorf("rank and score of %q: %d %v %v, want %d %v", m, got, score, ok, rank, e.Score)
		}
		forward, reverse := equal[rank].ranks(rank, n, distinct)
		if err := p.compareModes(m, forward, reverse); err != nil {
			return err
		}
		percent, ok := p.set.Percentile(m)
		if want := percentage(equal[rank].first, n); !ok || percent != want {
			return fmt.Errorf("percentile of %q: %v %v, want %v", m, percent, ok, want)
		}
		if at, ok := p.set.AtPercentile(percent); !ok || n > 1 && at != equal[rank].first {
			return fmt.Errorf("at percentile %v: %d %v, want %d", percent, at, ok, equal[rank].first)
		}
		if err := p.compareGaps(all, rank); err != nil {
			return err
		}
	}
	return nil
}

// percentage returns the percentage of the other entries that are before an entry.
func percentage(before, n int) float64 {
	if n == 1 {
		return 100
	}
	return 100 * float64(before) / float64(n-1)
}

func (p *pair[S]) compareModes(m []byte, forward, reverse [4]int) error {
	for how := Ordinal; how <= Dense; how++ {
		if got, ok := p.set.RankBy(how, m); !ok || got != forward[how] {
			return fmt.Errorf("rank of %q by %d: %d %v, want %d", m, how, got, ok, forward[how])
		}
		if got, ok := p.set.RevRankBy(how, m); !ok || got != reverse[how] {
			return fmt.Errorf("reverse rank of %q by %d: %d %v, want %d", m, how, got, ok, reverse[how])
		}
	}
	return nil
}

// minus is the difference of two scores, cut to the range of the integers.
func minus[S Score](a, b S) S {
	if !isInt[S]() {
		if a == b {
			return 0
		}
		return a - b
	}
	d := new(integers.Int).Sub(integers.NewInt(int64(a)), integers.NewInt(int64(b)))
	switch {
	case d.IsInt64():
		return S(d.Int64())
	case d.Sign() > 0:
		return S(any(int64(math.MaxInt64)).(S))
	}
	return S(any(int64(math.MinInt64)).(S))
}

func (p *pair[S]) compareGaps(all []model.EntryOf[S], rank int) error {
	n := len(all)
	for _, places := range []int{0, 1, -1, 3, n - 1 - rank, n - rank, -rank, -rank - 1, math.MaxInt, math.MinInt} {
		gap, other, ok := p.set.Gap([]byte(all[rank].Member), places)
		if places >= n-rank || places < -rank {
			if ok {
				return fmt.Errorf("gap of rank %d of %d to %d above is %v", rank, n, places, gap)
			}
			continue
		}
		to := all[rank+places]
		if want := minus(to.Score, all[rank].Score); !ok || gap != want || string(other) != to.Member {
			return fmt.Errorf("gap of rank %d to %d above: %v %q %v, want %v %q", rank, places, gap, other, ok, want, to.Member)
		}
	}
	return nil
}

// compareAbsent calls the methods with a member that no script adds.
func (p *pair[S]) compareAbsent([]model.EntryOf[S]) error {
	m := []byte("nobody")
	_, score := p.set.Score(m)
	_, rank := p.set.Rank(m)
	_, rev := p.set.RevRank(m)
	_, _, both := p.set.RankScore(m)
	_, _, get := p.set.Get(m)
	_, percent := p.set.Percentile(m)
	_, _, gap := p.set.Gap(m, 0)
	_, by := p.set.RankBy(Dense, m)
	_, revBy := p.set.RevRankBy(Modified, m)
	if score || rank || rev || both || get || percent || gap || by || revBy || p.set.Remove(m) {
		return fmt.Errorf("found somebody who is not there")
	}
	return nil
}

// compareRanges walks pieces of the set in both directions.
func (p *pair[S]) compareRanges(all []model.EntryOf[S]) error {
	n := len(all)
	for _, r := range [][2]int{{0, n}, {-5, n + 5}, {n / 3, n / 2}, {n / 2, n / 3}, {n, n + 1}, {-3, -1}, {n - 1, n}} {
		want := p.want.Range(r[0], r[1])
		if err := sameEntries(p.set.Append(nil, r[0], r[1]), want); err != nil {
			return fmt.Errorf("append %v: %w", r, err)
		}
		i := 0
		for member, score := range p.set.Range(r[0], r[1]) {
			if i >= len(want) || string(member) != want[i].Member || score != want[i].Score {
				return fmt.Errorf("range %v at %d: %q %v", r, i, member, score)
			}
			i++
		}
		lo, hi := p.set.Reverse(r[0], r[1])
		for member, score := range p.set.RevRange(lo, hi) {
			i--
			if i < 0 || string(member) != want[i].Member || score != want[i].Score {
				return fmt.Errorf("reverse range %v at %d: %q %v", r, i, member, score)
			}
		}
		if i != 0 {
			return fmt.Errorf("range %v: directions differ by %d", r, i)
		}
		slices.Reverse(want)
		if err := sameEntries(p.set.AppendRev(nil, lo, hi), want); err != nil {
			return fmt.Errorf("append reversed %v: %w", r, err)
		}
	}
	return nil
}

// compareScores asks about scores, held and not: how many lie between two, and which rank one has.
func (p *pair[S]) compareScores(all []model.EntryOf[S]) error {
	bounds := append(pool[S](), 7)
	equal := p.runs(all)
	for i, a := range bounds {
		for j := i % 3; j < len(bounds); j += 3 {
			for open := range 4 {
				if err := p.compareInterval(BoundOf[S]{a, open&1 != 0}, BoundOf[S]{bounds[j], open&2 != 0}); err != nil {
					return err
				}
			}
		}
		if err := p.compareScoreRanks(all, equal, a); err != nil {
			return err
		}
	}
	return nil
}

// compareInterval counts what the oracle holds between two bounds.
func (p *pair[S]) compareInterval(a, b BoundOf[S]) error {
	below := func(bound BoundOf[S], equal bool) int {
		return p.want.CountBefore(func(e model.EntryOf[S]) bool {
			return e.Score < bound.Score || equal && e.Score == bound.Score
		})
	}
	from, to := below(a, a.Exclusive), below(b, !b.Exclusive)
	if lo, hi := p.set.ScoreInterval(a, b); lo != from || hi != max(from, to) {
		return fmt.Errorf("scores %v..%v: ranks %d..%d, want %d..%d", a, b, lo, hi, from, to)
	}
	return nil
}

// compareScoreRanks counts the entries, and the distinct scores, on either side of a score.
func (p *pair[S]) compareScoreRanks(all []model.EntryOf[S], equal []equals, score S) error {
	var below, above, distinctBelow, distinctAbove int
	for i, e := range all {
		first := equal[i].first == i
		switch {
		case e.Score < score:
			if below++; first {
				distinctBelow++
			}
		case e.Score > score:
			if above++; first {
				distinctAbove++
			}
		}
	}
	others := max(len(all)-below-above-1, 0) // other members with the same score
	forward := [4]int{below, below, below + others, distinctBelow}
	reverse := [4]int{above, above, above + others, distinctAbove}
	for how := Ordinal; how <= Dense; how++ {
		if got := p.set.ScoreRank(how, score); got != forward[how] {
			return fmt.Errorf("rank of score %v by %d: %d, want %d", score, how, got, forward[how])
		}
		if got := p.set.RevScoreRank(how, score); got != reverse[how] {
			return fmt.Errorf("reverse rank of score %v by %d: %d, want %d", score, how, got, reverse[how])
		}
	}
	if got, other := p.set.Below(score), p.set.Above(score); got != below || other != above {
		return fmt.Errorf("%v has %d below and %d above, want %d and %d", score, got, other, below, above)
	}
	return nil
}

// compareDistinct compares Distinct with the number of runs before each rank, and Seek with the oracle for whole texts, longer texts and
// prefixes.
func (p *pair[S]) compareDistinct(all []model.EntryOf[S]) error {
	distinct := 0
	step := 1
	if !p.set.limits().dense { // Distinct is slow without DenseRanks
		step = 5
	}
	for rank, e := range p.runs(all) {
		if rank%step == 0 {
			if got := p.set.Distinct(rank); got != distinct {
				return fmt.Errorf("%d distinct before rank %d, want %d", got, rank, distinct)
			}
		}
		distinct = e.distinct + 1
	}
	for _, rank := range []int{len(all), len(all) + 1, math.MaxInt} {
		if got := p.set.Distinct(rank); got != distinct {
			return fmt.Errorf("%d distinct before rank %d, want all %d", got, rank, distinct)
		}
	}
	if got := p.set.Distinct(-1); got != 0 {
		return fmt.Errorf("%d distinct before rank -1", got)
	}
	for rank, e := range all {
		for beyond, text := range []string{e.Tie + e.Member, e.Tie + e.Member + "\x00"} {
			if got := p.set.Seek(e.Score, []byte(text)); got != rank+beyond {
				return fmt.Errorf("seek of %q: %d, want %d", text, got, rank+beyond)
			}
		}
		if rank%7 != 3 {
			continue
		}
		part := e.Tie + e.Member
		part = part[:len(part)/2]
		want := p.want.CountBefore(func(o model.EntryOf[S]) bool {
			return o.Score < e.Score || o.Score == e.Score && o.Tie+o.Member < part
		})
		if got := p.set.Seek(e.Score, []byte(part)); got != want {
			return fmt.Errorf("seek of a part, %q: %d, want %d", part, got, want)
		}
		if err := p.compareAfter(e); err != nil {
			return err
		}
	}
	return nil
}

// compareAfter compares SeekAfter with all columns of an entry, with its whole tie, and without.
func (p *pair[S]) compareAfter(e model.EntryOf[S]) error {
	width := p.set.Options().ScoreTie
	for _, tie := range []string{e.Tie[:width], e.Tie, ""} {
		used := min(len(tie), width)
		want := p.want.CountBefore(func(o model.EntryOf[S]) bool {
			return o.Score < e.Score || o.Score == e.Score && o.Tie[:used] <= tie[:used]
		})
		if got := p.set.SeekAfter(e.Score, []byte(tie)); got != want {
			return fmt.Errorf("seek after %v %x: %d, want %d", e.Score, tie, got, want)
		}
	}
	return nil
}

// compareCopies compares the methods that return copies: CopyRange, MultiScore, AppendScan and AppendRandom.
func (p *pair[S]) compareCopies(all []model.EntryOf[S]) error {
	n := len(all)
	if err := sameEntries(p.set.CopyRange(n/4, n-n/4).Append(nil, 0, n), p.want.Range(n/4, n-n/4)); err != nil {
		return fmt.Errorf("copy: %w", err)
	}
	members := [][]byte{[]byte("nobody")}
	for _, e := range all {
		members = append(members, []byte(e.Member))
	}
	scores := p.set.MultiScore(nil, members...)
	for i, e := range all {
		if scores[0].OK || !scores[i+1].OK || scores[i+1].Score != e.Score {
			return fmt.Errorf("scores of many: %v at %d, want %v", scores[i+1], i, e.Score)
		}
	}
	var scan []EntryOf[S]
	for cursor, more := uint64(0), true; more; more = cursor != 0 {
		scan, cursor = p.set.AppendScan(scan, cursor, 10)
	}
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	for _, got := range [][]EntryOf[S]{scan, p.set.AppendRandom(nil, rng, n), p.set.AppendRandom(nil, rng, n/2+1),
		p.set.AppendRandom(nil, rng, n/8+1)} {
		seen := map[string]bool{}
		for _, e := range got {
			want, _ := p.want.Get(string(e.Member))
			if err := same(e, want); err != nil || seen[want.Member] {
				return fmt.Errorf("handed out %v, seen before: %v", err, seen[want.Member])
			}
			seen[want.Member] = true
		}
	}
	if len(scan) != n {
		return fmt.Errorf("a scan saw %d of %d", len(scan), n)
	}
	return nil
}

// compareBest compares Best with the oracle without the entries in reserve.
func (p *pair[S]) compareBest(all []model.EntryOf[S]) error {
	from, to := 0, len(all)
	if r := p.set.limits().rare; r != nil && r.cap > 0 {
		for to-from > r.cap {
			if r.lowest {
				to--
			} else {
				from++
			}
		}
	}
	if lo, hi := p.set.Best(); lo != from || hi != to {
		return fmt.Errorf("best are %d..%d, want %d..%d", lo, hi, from, to)
	}
	return nil
}
