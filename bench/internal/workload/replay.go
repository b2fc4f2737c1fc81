package workload

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
)

// minReplay is the fewest members a file may have.
const minReplay = 100

// replay is a file that was read.
type replay struct {
	file    *file
	members names
	boards  []uint32 // of each member
	sizes   []int    // of each board
	final   []float64
	event   []uint32 // the member of each event
	fresh   []bool
}

// Replay reads a file of events and returns the workload that replays it: the events in the order of the file, and then operations
// on its members, each member as often as it is in the file. name is that of the file, with columns of other names behind it if
// they have any, as "events.csv.gz?delta=delta_solved&member=team".
//
// The file is CSV, compressed if its name ends in ".gz". Its first line names the columns: "member"; either "delta", which is added to
// the score, or "score", which replaces it; "board" if there are several. All others are ignored. Errors name the line: a column
// that is not there, a member that is empty, what is no finite number; and fewer than 100 members.
func Replay(name string) (*Workload, error) {
	f, err := readFile(name)
	if err != nil {
		return nil, fmt.Errorf("workload %w", err)
	}
	p := &replay{file: f}
	if err := p.index(); err != nil {
		return nil, fmt.Errorf("workload %s: %w", f.path, err)
	}
	n := len(p.boards)
	if n < minReplay {
		return nil, fmt.Errorf("workload %s: it has %d members; %d or more are needed", f.path, n, minReplay)
	}
	return &Workload{
		Name: name, N: n, MemberBytes: (len(p.members.text) + n/2) / n,
		What: fmt.Sprintf("replay of %s: %d events of %d members on %d boards", filepath.Base(f.path), len(p.event), n, len(p.sizes)),
		Draw: func(_, ops int, seed uint64) *Load {
			r := rand.New(rand.NewPCG(seed, stream))
			return p.shape(r).load(r, n, ops)
		},
	}, nil
}

// index gives members numbers, in the order in which they come, and works out their scores.
func (p *replay) index() error {
	type place struct{ board, member string }
	members, boards := map[place]uint32{}, map[string]uint32{}
	for i, e := range p.file.events {
		at := place{e.board, e.member}
		m, there := members[at]
		if !there {
			b, known := boards[e.board]
			if !known {
				b = uint32(len(boards))
				boards[e.board] = b
				p.sizes = append(p.sizes, 0)
			}
			p.sizes[b]++
			m = uint32(len(members))
			members[at] = m
			p.members.add(e.member)
			p.boards, p.final = append(p.boards, b), append(p.final, 0)
		}
		if !p.file.adds {
			p.final[m] = 0
		}
		if p.final[m] += e.value; p.final[m]-p.final[m] != 0 {
			return fmt.Errorf("line %d: the score of %q grows beyond every number", p.file.lines[i], e.member)
		}
		p.event, p.fresh = append(p.event, m), append(p.fresh, !there)
	}
	if len(p.event) == 0 {
		return errors.New("it has no events")
	}
	return nil
}

// shape draws from the file: members as often as they are in it, scores of random members, and increments of random events.
func (p *replay) shape(r *rand.Rand) shape {
	anyEvent := func() int { return r.IntN(len(p.event)) }
	member := func(int) int { return int(p.event[anyEvent()]) }
	s := uniform(r, len(p.boards))
	s.names, s.boards, s.boardMembers = &p.members, p.boards, p.sizes
	s.pick, s.hot, s.churn = member, member, member
	next := 0
	s.built = func() float64 { next++; return p.final[next-1] }
	s.score = func() float64 { return p.final[r.IntN(len(p.final))] }
	if p.file.adds {
		s.delta = func() float64 { return p.file.events[anyEvent()].value }
	}
	for i := range s.order {
		s.order[i] = i
	}
	s.events = p.events
	return s
}

// events is the file again.
func (p *replay) events(s *shape) Events {
	next := 0
	return Events{Fresh: p.fresh, Adds: p.file.adds,
		Stream: s.stream(len(p.event), func(i int) int { return int(p.event[i]) },
			func() float64 { next++; return p.file.events[next-1].value })}
}
