package workload

import "math/rand/v2"

const (
	// PageLen is the number of entries on a page.
	PageLen = 100
	// scoreSpan is where scores come from: integers in [0, 2^40).
	scoreSpan = 1 << 40
	// zipfExponent is the skew of the increments: the hottest of 1 M members takes about 12 % of them.
	zipfExponent = 1.1
	// incrSpan is where increments come from: integers in [1, 1000].
	incrSpan = 1000
)

// Load is everything that is done to one peer in one repetition.
type Load struct {
	N      int
	Build  Stream // every member once, in random order, with a random score
	Lookup Stream // uniform members; scores unused
	Rank   Stream // uniform members; scores unused
	Update Stream // uniform members, new random scores
	Incr   Stream // zipf members, increments
	Churn  Stream // uniform members, to be removed and added with these scores
	Pages  []uint32

	// The same members again with scores in [0, 1), which use every bit of a float64.
	FractionBuild, FractionUpdate Stream

	// Gone and Rest part Build's indices at random: nine of ten are Gone.
	Gone, Rest []uint32
}

// New draws a load of n members and ops operations of each kind. n is at least 2*PageLen.
func New(n, ops int, seed uint64) *Load {
	r := rand.New(rand.NewPCG(seed, 0x7a72616e6b))
	uniform := func(int) int { return r.IntN(n) }
	score := func() float64 { return float64(r.Int64N(scoreSpan)) }
	none := func() float64 { return 0 }
	zipf := rand.NewZipf(r, zipfExponent, 1, uint64(n-1))

	l := &Load{N: n}
	order := r.Perm(n) // so that hot members do not stand side by side in memory
	l.Build = NewStream(n, func(i int) int { return order[i] }, score)
	l.Lookup = NewStream(ops, uniform, none)
	l.Rank = NewStream(ops, uniform, none)
	l.Update = NewStream(ops, uniform, score)
	l.Incr = NewStream(ops, func(int) int { return int(zipf.Uint64()) },
		func() float64 { return float64(1 + r.IntN(incrSpan)) })
	l.Churn = NewStream(ops, uniform, score)
	l.Pages = middle(r, n, ops)
	l.FractionBuild = l.Build.with(r.Float64)
	l.FractionUpdate = l.Update.with(r.Float64)
	l.Gone, l.Rest = part(r, n)
	return l
}

// part draws nine tenths of [0, n), and returns them and the others in random order.
func part(r *rand.Rand, n int) (gone, rest []uint32) {
	all := make([]uint32, n)
	for i := range all {
		all[i] = uint32(i)
	}
	r.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:n/10*9], all[n/10*9:]
}

// middle draws where pages begin: in the middle half of the ranks.
func middle(r *rand.Rand, n, ops int) []uint32 {
	pages := make([]uint32, ops)
	for i := range pages {
		pages[i] = uint32(min(n/4+r.IntN(n/2), n-PageLen))
	}
	return pages
}
