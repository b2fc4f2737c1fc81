package durable

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
)

// system is what is measured.
type system interface {
	// apply commits the updates [lo, hi) of a stream, with shift added to every score.
	apply(s *workload.Stream, lo, hi int, shift float64) error
	// settle makes everything durable and clears the log, once, after the build.
	settle() error
	// commits returns how many there were, and false if the system does not know.
	commits() (uint64, bool)
	io.Closer
}

func open(o bench.Options, l level) (system, error) {
	switch o.System {
	case bench.Zrank:
		durability, err := engine.ParseDurability(l.durability)
		if err != nil {
			return nil, err
		}
		eo := engine.Options{Durability: durability}
		if l.quiet {
			eo.SnapshotBytes = -1
		}
		e, err := engine.Open(o.Dir, eo)
		return zrank{e, true}, err
	case memory:
		e, err := engine.New(engine.Options{})
		return zrank{e, false}, err
	case pebbleAlone:
		db, err := peers.OpenPebble(o.Dir, 1<<20)
		write := pebble.NoSync
		if l.durability == "sync" {
			write = pebble.Sync
		}
		return pebbleDB{db, write}, err
	}
	return nil, fmt.Errorf("no system %q", o.System)
}

type zrank struct {
	*engine.Engine
	disk bool
}

func (z zrank) apply(s *workload.Stream, lo, hi int, shift float64) error {
	return subject.Add(z.Engine, subject.ArenaKey, s, lo, hi, shift)
}

func (z zrank) settle() error { return z.Snapshot() }

func (z zrank) commits() (uint64, bool) {
	st, err := z.Stats()
	return st.LastSeq, z.disk && err == nil
}

// pebbleDB has a key for each member: the set's name, a slash, and the member.
type pebbleDB struct {
	*pebble.DB
	write *pebble.WriteOptions
}

func (p pebbleDB) apply(s *workload.Stream, lo, hi int, shift float64) error {
	var key [len(subject.Arena) + 1 + workload.MemberLen]byte
	var score [8]byte
	copy(key[:], subject.Arena+"/")
	b := p.NewBatch()
	for i := lo; i < hi; i++ {
		copy(key[len(subject.Arena)+1:], s.Key(i).Raw)
		binary.BigEndian.PutUint64(score[:], math.Float64bits(s.Score(i)+shift))
		if err := b.Set(key[:], score[:], nil); err != nil {
			return err
		}
	}
	if err := b.Commit(p.write); err != nil {
		return err
	}
	return b.Close()
}

func (p pebbleDB) settle() error           { return p.Flush() }
func (p pebbleDB) commits() (uint64, bool) { return 0, false }
