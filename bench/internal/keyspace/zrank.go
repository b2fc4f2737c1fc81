package keyspace

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/latency"
	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/engine"
)

// touches is how many sets are touched after an open.
const touches = 1000

// zrank is the engine, with a disk or without.
type zrank struct {
	e    *engine.Engine
	disk bool
}

func newZrank(o Options) (z zrank, err error) {
	if z.disk = o.System == Zrank; z.disk {
		z.e, err = engine.Open(o.Dir, engine.Options{Durability: engine.Interval})
	} else {
		z.e, err = engine.New(engine.Options{})
	}
	return z, err
}

func (z zrank) put(s *sample) error {
	return z.e.Update([]string{s.key}, func(tx *engine.Tx) error {
		x, err := tx.Set(s.key)
		for m := 0; m < Members && err == nil; m++ {
			_, err = x.Add(s.members[m], s.scores[m])
		}
		return err
	})
}

func (z zrank) flush() error { return z.e.Flush() }

func (z zrank) bytes() (float64, error) { return heap(z) }

func (z zrank) sets() (int, error) {
	st, err := z.e.Stats()
	return st.Sets, err
}

func (z zrank) close() error {
	if !z.disk {
		return z.e.Close()
	}
	return errors.Join(z.e.Snapshot(), z.e.Close())
}

// openZrank opens a directory and touches some sets.
func openZrank(o Options) (figure.Figures, error) {
	f := figure.Figures{}
	before := measure.LiveHeap()
	begin := time.Now()
	e, err := engine.Open(o.Dir, engine.Options{Durability: engine.Interval})
	if err != nil {
		return nil, err
	}
	f[figure.Open] = milliseconds(time.Since(begin))
	f[figure.SetCold] = (float64(measure.LiveHeap()) - float64(before)) / float64(o.N)
	st, err := e.Stats()
	switch {
	case err != nil:
	case st.Sets != o.N:
		err = fmt.Errorf("%d sets of %d are there", st.Sets, o.N)
	case st.Loaded > 0:
		err = fmt.Errorf("opening has touched %d sets", st.Loaded)
	default:
		err = touch(e, o, f)
	}
	return f, errors.Join(err, e.Close())
}

// touch asks for a rank in sets at random, in most of them for the first time.
func touch(e *engine.Engine, o Options, f figure.Figures) error {
	r := rand.New(rand.NewPCG(o.Seed, 0x746f756368))
	times := latency.New()
	var x sample
	for range touches {
		x.draw(o.Seed, r.IntN(o.N))
		begin := time.Now()
		err := e.View([]string{x.key}, func(tx *engine.Tx) error {
			s, err := tx.Set(x.key)
			if err != nil {
				return err
			}
			if _, ok := s.Rank(x.members[0]); !ok || s.Len() != Members {
				return fmt.Errorf("%s has %d members of %d", x.key, s.Len(), Members)
			}
			return nil
		})
		if err != nil {
			return err
		}
		times.Record(time.Since(begin))
	}
	times.Into(f)
	return nil
}
