package durable

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/sstable/block"

	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
)

// system is what is measured.
type system interface {
	// apply makes one commit of the updates [lo, hi) of a stream, with shift added to every score.
	apply(s *workload.Stream, lo, hi int, shift float64) error
	// settle makes everything durable and clears the log, once, after the members are in.
	settle() error
	// commits returns how many there were, and false if the system cannot tell.
	commits() (uint64, bool)
	io.Closer
}

// set is the one that all updates go to.
const set = "arena"

func open(o Options, c Case) (system, error) {
	switch o.System {
	case Zrank:
		level, err := engine.ParseDurability(string(c.level))
		if err != nil {
			return nil, err
		}
		eo := engine.Options{Durability: level}
		if c.quiet {
			eo.SnapshotBytes = -1
		}
		e, err := engine.Open(o.Dir, eo)
		return zrank{e, true}, err
	case Memory:
		e, err := engine.New(engine.Options{})
		return zrank{e, false}, err
	case Pebble:
		return openPebble(o.Dir, c.level == waits)
	}
	return nil, fmt.Errorf("no system %q", o.System)
}

type zrank struct {
	*engine.Engine
	disk bool
}

var keys = []string{set}

func (z zrank) apply(s *workload.Stream, lo, hi int, shift float64) error {
	return z.Update(keys, func(tx *engine.Tx) error {
		arena, err := tx.Set(set)
		for i := lo; i < hi && err == nil; i++ {
			_, err = arena.Add(s.Key(i).Raw, s.Score(i)+shift)
		}
		return err
	})
}

func (z zrank) settle() error { return z.Snapshot() }

func (z zrank) commits() (uint64, bool) {
	st, err := z.Stats()
	return st.LastSeq, z.disk && err == nil
}

type pebbleDB struct {
	db    *pebble.DB
	write *pebble.WriteOptions
}

// openPebble gives Pebble the options that persist/pebble.go gives it.
func openPebble(dir string, durable bool) (system, error) {
	o := &pebble.Options{
		FormatMajorVersion:          pebble.FormatTableFormatV6,
		Logger:                      silent{},
		CacheSize:                   1 << 20,
		MemTableSize:                4 << 20,
		MemTableStopWritesThreshold: 4,
		MaxOpenFiles:                64,
	}
	o.Experimental.FileCacheShards = 1
	for i := range o.Levels {
		o.Levels[i].Compression = func() *sstable.CompressionProfile { return block.FastestCompression }
	}
	db, err := pebble.Open(dir, o)
	write := pebble.NoSync
	if durable {
		write = pebble.Sync
	}
	return pebbleDB{db, write}, err
}

func (p pebbleDB) apply(s *workload.Stream, lo, hi int, shift float64) error {
	var key [len(set) + 1 + workload.MemberLen]byte
	var score [8]byte
	copy(key[:], set+"/")
	b := p.db.NewBatch()
	for i := lo; i < hi; i++ {
		copy(key[len(set)+1:], s.Key(i).Raw)
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

func (p pebbleDB) settle() error           { return p.db.Flush() }
func (p pebbleDB) commits() (uint64, bool) { return 0, false }
func (p pebbleDB) Close() error            { return p.db.Close() }

// silent drops what Pebble has to say. A failed write ends the process, as is Pebble's habit.
type silent struct{}

func (silent) Infof(string, ...any)  {}
func (silent) Errorf(string, ...any) {}
func (silent) Fatalf(format string, args ...any) {
	panic("pebble: " + fmt.Sprintf(format, args...))
}
