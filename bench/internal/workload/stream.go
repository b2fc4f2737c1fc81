package workload

// MemberLen is the length in bytes of every member that is not from a file.
const MemberLen = 20

// Key is a member as a caller holds it: each peer takes the form that it wants.
type Key struct {
	Name string
	Raw  []byte
}

// Stream is a sequence of (member, score), to be read front to back.
type Stream struct {
	text   string
	raw    []byte
	scores []float64
	ends   []uint32 // where each member's text ends; nil: all have MemberLen bytes
	boards []uint32 // of each member; nil: there is one
}

// Len returns the number of operations in the stream.
func (s *Stream) Len() int { return len(s.scores) }

// Key returns the member of operation i. Name and Raw are separate copies and stay valid as long as the stream.
func (s *Stream) Key(i int) Key {
	lo, hi := i*MemberLen, (i+1)*MemberLen
	if s.ends != nil {
		lo, hi = s.bounds(i)
	}
	return Key{Name: s.text[lo:hi], Raw: s.raw[lo:hi:hi]}
}

func (s *Stream) bounds(i int) (lo, hi int) {
	if i > 0 {
		lo = int(s.ends[i-1])
	}
	return lo, int(s.ends[i])
}

// Board returns which board operation i is on, from 0.
func (s *Stream) Board(i int) int {
	if s.boards == nil {
		return 0
	}
	return int(s.boards[i])
}

// Score returns the score, or the increment, of operation i.
func (s *Stream) Score(i int) float64 { return s.scores[i] }

// NewStream draws count operations on one board: pick says which member, score says which score.
func NewStream(count int, pick func(i int) int, score func() float64) Stream {
	raw := make([]byte, 0, count*MemberLen)
	scores := make([]float64, count)
	for i := range scores {
		raw = AppendMember(raw, pick(i))
		scores[i] = score()
	}
	return Stream{text: string(raw), raw: raw, scores: scores}
}

// with returns a stream of the same members with other scores. It shares the text.
func (s *Stream) with(score func() float64) Stream {
	other := *s
	other.scores = make([]float64, s.Len())
	for i := range other.scores {
		other.scores[i] = score()
	}
	return other
}

// AppendMember appends the name of member i: "player:" and i in decimal with zeros before it up to MemberLen.
func AppendMember(dst []byte, i int) []byte {
	dst = append(dst, "player:0000000000000"...)
	for at := len(dst) - 1; i > 0; at-- {
		dst[at] = byte('0' + i%10)
		i /= 10
	}
	return dst
}

// names are the members of a file, one after the other.
type names struct {
	text []byte
	ends []uint32
}

func (n *names) add(name string) {
	n.text = append(n.text, name...)
	n.ends = append(n.ends, uint32(len(n.text)))
}

func (n *names) at(i int) []byte {
	lo := uint32(0)
	if i > 0 {
		lo = n.ends[i-1]
	}
	return n.text[lo:n.ends[i]]
}

// stream is NewStream with these members.
func (n *names) stream(count int, pick func(i int) int, score func() float64) Stream {
	var drawn names
	scores := make([]float64, count)
	for i := range scores {
		drawn.add(string(n.at(pick(i))))
		scores[i] = score()
	}
	return Stream{text: string(drawn.text), raw: drawn.text, scores: scores, ends: drawn.ends}
}

// ScoreSpan is where whole scores come from: [0, 2^40), so that adding a small number makes another score.
const ScoreSpan = 1 << 40

// Apart draws the members [lo, hi) of n in the order of Spread.
func Apart(lo, hi, n int, score func() float64) Stream {
	return NewStream(hi-lo, func(i int) int { return Spread(lo+i, n) }, score)
}

// Spread permutes [0, n), so that neighbours come to stand far apart.
func Spread(i, n int) int { return int(uint64(i) * spread % uint64(n)) }

// spread is a prime above every n.
const spread = 2_654_435_761

// Cursor is the position of one caller in a stream that several callers read in a cycle.
type Cursor struct {
	at, end int
	size    int
	pass    int
	id, of  int
	_       [64]byte // no two callers share a cache line
}

// NewCursor returns the cursor of caller id, of so many, who takes size operations at a time. Each begins at another place.
func NewCursor(s *Stream, id, of, size int) Cursor {
	return Cursor{at: s.Len() / of * id, end: s.Len(), size: size, id: id, of: of}
}

// Next returns the index of the next operations, and a shift for their scores. The shift makes the score of every visit to an operation
// different.
func (c *Cursor) Next() (lo int, shift float64) {
	if c.at+c.size > c.end {
		c.at = 0
		c.pass++
	}
	lo = c.at
	c.at += c.size
	return lo, float64(c.pass*c.of + c.id)
}

// Endless returns operations one after the other, each as a stream and its place there. It draws 2,000 at a time.
func Endless(pick func(int) int, score func() float64) func() (s *Stream, at int) {
	const drawn = 2000
	var s Stream
	i := -1
	return func() (*Stream, int) {
		if i++; i%drawn == 0 {
			s = NewStream(drawn, pick, score)
		}
		return &s, i % drawn
	}
}
