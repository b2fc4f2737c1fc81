package workload

import "math/rand/v2"

const (
	// zipfExponent is the skew of hot members: the hottest of 1 M takes about 12 %.
	zipfExponent = 1.1
	// tailExponent is the skew of the scores of hottail: 53 % are 1.
	tailExponent, maxTail = 1.8, 1_000_000
	// incrSpan is where increments come from: integers in [1, 1000].
	incrSpan = 1000
	// started is the first score of append, maxGap the longest time between two.
	started, maxGap = 1_700_000_000_000, 20
	// Boards of small have from minSmall to maxSmall members.
	minSmall, maxSmall = 50, 100
)

func uniform(r *rand.Rand, n int) shape {
	member := func(int) int { return r.IntN(n) }
	score := func() float64 { return float64(r.Int64N(ScoreSpan)) }
	return shape{
		order: r.Perm(n), // so that hot members do not stand side by side in memory
		pick:  member, hot: hottest(r, n), churn: member, uniformMember: member,
		built: score, score: score, fraction: r.Float64,
		delta: func() float64 { return float64(1 + r.IntN(incrSpan)) },
	}
}

// hottest draws members by the zipf law, the first the hottest.
func hottest(r *rand.Rand, n int) func(int) int {
	z := rand.NewZipf(r, zipfExponent, 1, uint64(n-1))
	return func(int) int { return int(z.Uint64()) }
}

func zipf(r *rand.Rand, n int) shape {
	s := uniform(r, n)
	s.pick, s.churn = s.hot, s.hot
	return s
}

func hotTail(r *rand.Rand, n int) shape {
	s := uniform(r, n)
	z := rand.NewZipf(r, tailExponent, 1, maxTail)
	s.score = func() float64 { return float64(1 + z.Uint64()) }
	s.built, s.hot = s.score, s.pick
	s.delta = func() float64 { return 1 }
	return s
}

func newest(r *rand.Rand, n int) shape {
	s := uniform(r, n)
	for i := range s.order {
		s.order[i] = i
	}
	now := float64(started)
	s.score = func() float64 { now += float64(1 + r.IntN(maxGap)); return now }
	s.built = s.score
	s.churn = func(i int) int { return i % n }
	tick := 0.0
	s.fraction = func() float64 { tick++; return tick / (tick + 1_000_000) }
	return s
}

func small(r *rand.Rand, n int) shape {
	s := uniform(r, n)
	s.boards = make([]uint32, 0, n)
	for left := n; left > 0; {
		size := min(left, minSmall+r.IntN(maxSmall-minSmall+1))
		for range size {
			s.boards = append(s.boards, uint32(len(s.boardMembers)))
		}
		s.boardMembers = append(s.boardMembers, size)
		left -= size
	}
	return s
}
