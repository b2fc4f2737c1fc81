package workload

// MemberLen is the length of every member in bytes.
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
}

// Len returns the number of operations in the stream.
func (s *Stream) Len() int { return len(s.scores) }

// Key returns the member of operation i. Name and Raw are separate copies and stay valid as long as the stream.
func (s *Stream) Key(i int) Key {
	lo, hi := i*MemberLen, (i+1)*MemberLen
	return Key{Name: s.text[lo:hi], Raw: s.raw[lo:hi:hi]}
}

// Score returns the score, or the increment, of operation i.
func (s *Stream) Score(i int) float64 { return s.scores[i] }

// NewStream draws count operations: pick says which member, score says which score.
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
	scores := make([]float64, s.Len())
	for i := range scores {
		scores[i] = score()
	}
	return Stream{text: s.text, raw: s.raw, scores: scores}
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
