package measure

import (
	"fmt"

	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// boards are those of a load.
type boards []peers.Board

// ordered returns boards that know order, as ones that do.
func (b boards) ordered() []peers.Ordered {
	list := make([]peers.Ordered, len(b))
	for i := range b {
		list[i] = b[i].(peers.Ordered)
	}
	return list
}

// bytes returns what a peer whose members are not in this process's heap holds; and false if it cannot tell, or they are.
func (b boards) bytes() (float64, bool, error) {
	w, ok := b[0].(peers.Weigher)
	if !ok {
		return 0, false, nil
	}
	v, err := w.Bytes()
	return v, err == nil, err
}

// empty makes the boards of a load.
func (r *run) empty(l *workload.Load) boards {
	list := make(boards, l.Boards)
	for i := range list {
		list[i] = r.running.New()
	}
	return list
}

// fill inserts a stream.
func fill(set boards, s *workload.Stream) {
	for i := range s.Len() {
		set[s.Board(i)].Insert(s.Key(i), s.Score(i))
	}
}

// queue inserts a stream without waiting for each answer, and returns false if the peer cannot.
func queue(set boards, s *workload.Stream) bool {
	if _, ok := set[0].(peers.Queuer); !ok {
		return false
	}
	for i := range s.Len() {
		set[s.Board(i)].(peers.Queuer).Queue(s.Key(i), s.Score(i))
	}
	set[0].(peers.Queuer).Drain()
	return true
}

// replay makes the changes of a file on fresh boards, in the order of the file, and returns the boards. All members then have the
// scores that they have in the build.
func (r *run) replay(l *workload.Load) (boards, error) {
	set := r.empty(l)
	ordered, e := set.ordered(), &l.Events
	start := r.now()
	for i := range e.Len() {
		switch b := ordered[e.Board(i)]; {
		case e.Fresh[i]:
			b.Insert(e.Key(i), e.Score(i))
		case e.Adds:
			b.Incr(e.Key(i), e.Score(i))
		default:
			b.Set(e.Key(i), e.Score(i))
		}
	}
	r.got[Replay] = float64(r.now()-start) / float64(e.Len())
	for i := range l.Build.Len() {
		k, want := l.Build.Key(i), l.Build.Score(i)
		if got, ok := set[l.Build.Board(i)].Score(k); !ok || got != want {
			return nil, fmt.Errorf("%s: after the replay %q has %v %v, want %v", r.peer.Name, k.Name, got, ok, want)
		}
	}
	return set, nil
}
