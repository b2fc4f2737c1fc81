package boards

import (
	"time"

	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// zrank is a board. It is its own client, one for every caller, unless submissions are made together.
type zrank struct {
	atOnce
	inside
	*Arena
	disk  bool
	calls int                          // in a transaction
	modes map[board.Mode]board.Ranking // of all time
}

func openZrank(o Options, l Level) (system, error) {
	dir := o.Dir
	if !l.disk {
		dir = ""
	}
	a, err := Open(dir, l.zrank, NewClock(), Windows...)
	if err != nil {
		return nil, err
	}
	z := zrank{Arena: a, disk: l.disk, calls: calls(o.System), modes: map[board.Mode]board.Ranking{}}
	all, err := a.Live("all")
	for _, k := range Kinds {
		if err == nil && k.Card {
			z.modes[k.mode] = all.By(k.mode)
		}
	}
	return z, err
}

func (z zrank) put(s *workload.Stream) error { return z.Apply(s) }

func (z zrank) settle() error {
	if !z.disk {
		return nil
	}
	return z.Engine.Snapshot()
}

func (z zrank) caller() (client, error) {
	if z.calls > 1 {
		return &applied{Arena: z.Arena}, nil
	}
	return z, nil
}

func (z zrank) submit(k workload.Key, points float64) error {
	_, err := z.Submit(board.Submission{Member: k.Name, Score: board.Ints(int64(points))})
	return err
}

func (z zrank) card(k workload.Key, mode board.Mode) error {
	c, err := z.modes[mode].Card(k.Name, top, each)
	if err == nil && !c.Ranked {
		err = absent(k)
	}
	return err
}

func (z zrank) players() (list []int, err error) {
	for _, w := range z.Spec().Windows {
		r, err := z.Live(w.Name)
		if err != nil {
			return nil, err
		}
		n, err := r.Len()
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}

// applied makes submissions in one transaction, and does not ask what became of them.
type applied struct {
	noCards
	*Arena
	collected
	names []string // of the sets
}

func (a *applied) answered() error {
	at := a.Boards.Now()
	var err error
	if a.names, err = a.Keys(a.names[:0], a.submission(0, at)); err != nil {
		return err
	}
	err = a.Engine.Update(a.names, func(tx *engine.Tx) error {
		in := a.In(tx)
		for i := range a.keys {
			if _, err := in.Apply(a.submission(i, at)); err != nil {
				return err
			}
		}
		return nil
	})
	a.clear()
	return err
}

func (a *applied) submission(i int, at time.Time) board.Submission {
	return board.Submission{Member: a.keys[i].Name, Score: board.Ints(int64(a.points[i])), At: at}
}
