package boards

import (
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
)

// keys are those of the three sets by hand.
var keys = []string{"arena:all", "arena:day:2026-11-18", "arena:week:2026-W47"}

// sets is three plain sets of an engine. It is its own client, one for every caller, unless submissions are made together.
type sets struct {
	atOnce
	inside
	noCards
	*engine.Engine
	disk  bool
	calls int // in a transaction
}

func openSets(o Options, l Level) (system, error) {
	s := sets{disk: l.disk, calls: calls(o.System)}
	var err error
	if s.disk {
		s.Engine, err = engine.Open(o.Dir, l.zrank)
	} else {
		s.Engine, err = engine.New(l.zrank)
	}
	return s, err
}

func (s sets) put(players *workload.Stream) error {
	return s.increase(players.Len(), func(i int) ([]byte, float64) { return players.Key(i).Raw, players.Score(i) })
}

// increase adds points in every set, in one transaction.
func (s sets) increase(n int, of func(i int) (member []byte, points float64)) error {
	return s.Update(keys, func(tx *engine.Tx) error {
		for _, key := range keys {
			x, err := tx.Set(key)
			for i := 0; i < n && err == nil; i++ {
				member, points := of(i)
				_, err = x.IncrBy(member, points)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (s sets) settle() error {
	if !s.disk {
		return nil
	}
	return s.Snapshot()
}

func (s sets) caller() (client, error) {
	if s.calls > 1 {
		return &increments{sets: s}, nil
	}
	return s, nil
}

func (s sets) submit(k workload.Key, points float64) error {
	return s.Update(keys, func(tx *engine.Tx) error {
		for _, key := range keys {
			x, err := tx.Set(key)
			if err != nil {
				return err
			}
			if _, err := x.IncrBy(k.Raw, points); err != nil {
				return err
			}
			if _, ok := x.Rank(k.Raw); !ok {
				return absent(k)
			}
		}
		return nil
	})
}

func (s sets) players() (list []int, err error) {
	return list, s.View(keys, func(tx *engine.Tx) error {
		for _, key := range keys {
			x, err := tx.Set(key)
			if err != nil {
				return err
			}
			list = append(list, x.Len())
		}
		return nil
	})
}

// increments makes submissions in one transaction, and asks for no ranks.
type increments struct {
	sets
	own collected
}

func (c *increments) depth() int                                  { return c.own.depth() }
func (c *increments) submit(k workload.Key, points float64) error { return c.own.submit(k, points) }

func (c *increments) answered() error {
	err := c.increase(len(c.own.keys), func(i int) ([]byte, float64) { return c.own.keys[i].Raw, c.own.points[i] })
	c.own.clear()
	return err
}
