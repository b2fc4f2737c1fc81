package workload

import "math/rand/v2"

const (
	// PageLen is the number of entries on a page, or all of a board that has fewer.
	PageLen = 100
	// stream is the second half of every seed.
	stream = 0x7a72616e6b
)

// Load holds all operations on one peer in one repetition.
type Load struct {
	N      int
	Boards int    // that the members are on: Stream.Board is below it
	Build  Stream // every member once, with its first score
	Lookup Stream // scores unused
	Rank   Stream // scores unused
	Update Stream // new scores
	Incr   Stream // increments
	Churn  Stream // members to be removed and added with these scores
	Pages  []Page

	// The same members again with scores in [0, 1), which use every bit of a float64.
	FractionBuild, FractionUpdate Stream

	// Gone and Rest split the indices of Build at random: nine of ten are Gone.
	Gone, Rest []uint32

	// Events are those of a replay in the order of the file, and empty otherwise. At the end every member has the score that it
	// has in Build.
	Events Events
}

// Page is ranks [Lo, Hi) of a board.
type Page struct{ Board, Lo, Hi uint32 }

// Events are changes of scores in their order.
type Events struct {
	Stream        // members, with what is added or set
	Fresh  []bool // the member was not there
	Adds   bool   // to the score, if there is one; otherwise the score is set
}

// shape draws the members and scores of a workload.
type shape struct {
	order         []int           // of the build, every member once
	boards        []uint32        // of each member; nil: one for all
	names         *names          // of the members; nil: those of AppendMember
	pick          func(i int) int // the member of a look-up, a rank, an update
	hot, churn    func(i int) int // of an increment, of a removal
	built, score  func() float64  // of the build, of updates and of what is added again
	delta         func() float64
	fraction      func() float64
	events        func(*shape) Events // of a replay
	boardMembers  []int               // of each board; nil: n in one
	uniformMember func(i int) int
}

// load draws all operations, always in this order.
func (s shape) load(r *rand.Rand, n, ops int) *Load {
	none := func() float64 { return 0 }
	if s.boardMembers == nil {
		s.boardMembers = []int{n}
	}
	l := &Load{N: n, Boards: len(s.boardMembers)}
	l.Build = s.stream(n, func(i int) int { return s.order[i] }, s.built)
	l.Lookup = s.stream(ops, s.pick, none)
	l.Rank = s.stream(ops, s.pick, none)
	l.Update = s.stream(ops, s.pick, s.score)
	l.Incr = s.stream(ops, s.hot, s.delta)
	l.Churn = s.stream(ops, s.churn, s.score)
	l.Pages = s.pages(r, ops)
	l.FractionBuild = l.Build.with(s.fraction)
	l.FractionUpdate = l.Update.with(s.fraction)
	l.Gone, l.Rest = part(r, n)
	if s.events != nil {
		l.Events = s.events(&s)
	}
	return l
}

// stream draws operations.
func (s *shape) stream(count int, pick func(int) int, score func() float64) Stream {
	var boards []uint32
	if s.boards != nil {
		boards = make([]uint32, 0, count)
		plain := pick
		pick = func(i int) int {
			m := plain(i)
			boards = append(boards, s.boards[m])
			return m
		}
	}
	var drawn Stream
	if s.names == nil {
		drawn = NewStream(count, pick, score)
	} else {
		drawn = s.names.stream(count, pick, score)
	}
	drawn.boards = boards
	return drawn
}

// pages draws pages in the middle half of a board's ranks, of the boards of random members.
func (s *shape) pages(r *rand.Rand, ops int) []Page {
	pages := make([]Page, ops)
	for i := range pages {
		p := &pages[i]
		if s.boards != nil {
			p.Board = s.boards[s.uniformMember(i)]
		}
		n := s.boardMembers[p.Board]
		p.Lo = uint32(max(0, min(n/4+r.IntN(max(1, n/2)), n-PageLen)))
		p.Hi = min(p.Lo+PageLen, uint32(n))
	}
	return pages
}

// part splits [0, n) at random: nine tenths, and the rest, both in random order.
func part(r *rand.Rand, n int) (gone, rest []uint32) {
	all := make([]uint32, n)
	for i := range all {
		all[i] = uint32(i)
	}
	r.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:n/10*9], all[n/10*9:]
}
