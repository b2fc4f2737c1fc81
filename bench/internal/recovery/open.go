package recovery

import (
	"errors"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/bench/internal/disk"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/engine"
)

// build makes a directory with n members that was closed well.
func build(o Options) (figure.Figures, error) {
	e, err := engine.Open(o.Dir, engine.Options{Durability: engine.None})
	if err != nil {
		return nil, err
	}
	l := newLoad(o.N, o.Seed)
	for lo := 0; lo < o.N && err == nil; lo += buildSize {
		hi := min(lo+buildSize, o.N)
		s := l.drawAll(lo, hi)
		err = apply(e, arenaKey, &s, 0, hi-lo)
	}
	if err == nil {
		err = e.Snapshot()
	}
	if err = errors.Join(err, e.Close()); err != nil {
		return nil, err
	}
	size, err := disk.Size(o.Dir)
	return figure.Figures{figure.Disk: float64(size)}, err
}

// open opens a directory and asks for a rank.
func open(o Options) (figure.Figures, error) {
	if o.Cold {
		if err := disk.Evict(o.Dir); err != nil {
			return nil, err
		}
	}
	f := figure.Figures{}
	start := time.Now()
	e, err := engine.Open(o.Dir, engine.Options{})
	if err != nil {
		return nil, err
	}
	f[figure.Open] = milliseconds(time.Since(start))
	memory(f, figure.MemoryOpen)
	f[figure.Commits] = float64(e.Recovery().Commits)
	err = touch(e, o, f)
	if err == nil {
		memory(f, figure.MemoryTouched)
		peak(f)
		var st engine.Stats
		st, err = e.Stats()
		f[figure.Log] = float64(st.Log)
	}
	return f, errors.Join(err, e.Close())
}

// touch asks for the rank of a member, and whether all are there.
func touch(e *engine.Engine, o Options, f figure.Figures) error {
	s := newLoad(o.N, o.Seed).draw(1)
	start := time.Now()
	return e.View(arenaKey, func(tx *engine.Tx) error {
		set, err := tx.Set(arena)
		if err != nil {
			return err
		}
		_, ok := set.Rank(s.Key(0).Raw)
		f[figure.Touch] = milliseconds(time.Since(start))
		if !ok || set.Len() != o.N {
			return fmt.Errorf("%d members of %d are there", set.Len(), o.N)
		}
		return nil
	})
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }
