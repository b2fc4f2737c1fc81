package subject

import (
	"context"
	"errors"
	"time"

	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
)

// Arena is the key of the one set that most benchmarks have.
const Arena = "arena"

// ArenaKey is Arena as Update and View take it.
var ArenaKey = []string{Arena}

// Level is a durability level: the writes that a power cut may lose.
type Level struct {
	Name, Title string
	Disk        bool
	Engine      engine.Options
	Redis       []string // options of redis-server
	Serve       []string // flags of zrank serve, without the directory
}

// lag is the interval of Interval. Redis has no other.
const lag = time.Second

// Levels are the levels, in the order of the tables.
var Levels = []Level{
	{Name: "memory", Title: "memory", Redis: []string{"--appendonly", "no"}, Serve: []string{"--memory"}},
	{Name: "interval", Title: "Interval", Disk: true, Engine: engine.Options{Durability: engine.Interval, Interval: lag},
		Redis: []string{"--appendonly", "yes", "--appendfsync", "everysec"}, Serve: []string{"--durability", "interval", "--interval", lag.String()}},
	{Name: "sync", Title: "Sync", Disk: true, Engine: engine.Options{Durability: engine.Sync},
		Redis: []string{"--appendonly", "yes", "--appendfsync", "always"}, Serve: []string{"--durability", "sync"}},
}

// LevelNames returns the names of some levels.
func LevelNames(list []Level) (names []string) {
	for _, l := range list {
		names = append(names, l.Name)
	}
	return names
}

// LevelNamed returns the level of a name, which has to be one.
func LevelNamed(name string) Level {
	for _, l := range Levels {
		if l.Name == name {
			return l
		}
	}
	panic("no level " + name)
}

// Open opens an engine in a directory, or one in memory.
func (l Level) Open(dir string, o engine.Options) (*engine.Engine, error) {
	if !l.Disk {
		return engine.New(o)
	}
	return engine.Open(dir, o)
}

// Settle makes everything durable after the members are in.
func (l Level) Settle(e *engine.Engine) error {
	if !l.Disk {
		return nil
	}
	return e.Snapshot()
}

// AddTo commits the updates [lo, hi) of a stream to a set.
func AddTo(e *engine.Engine, key []string, s *workload.Stream, lo, hi int) error {
	return e.Update(context.Background(), func(tx *engine.Tx) error {
		set, err := tx.Set(key[0])
		for i := lo; i < hi && err == nil; i++ {
			_, err = set.Add(s.Key(i).Raw, s.Score(i))
		}
		return err
	}, key...)
}

// Writer returns a function that commits one update after the other, the i-th to the set key(i).
func Writer(e *engine.Engine, key func(i int) string, pick func(int) int, score func() float64) func(i int) error {
	next := workload.Endless(pick, score)
	return func(i int) error {
		s, at := next()
		return AddTo(e, []string{key(i)}, s, at, at+1)
	}
}

// Fill gives a set its n members, neighbours far apart, in commits of 10,000.
func Fill(e *engine.Engine, key string, n int, score func() float64) error {
	const size = 10_000
	for lo := 0; lo < n; lo += size {
		s := workload.Apart(lo, min(lo+size, n), n, score)
		if err := AddTo(e, []string{key}, &s, 0, s.Len()); err != nil {
			return err
		}
	}
	return nil
}

// OpenEngine opens an engine with sets, in memory if the level needs no disk.
func OpenEngine(dir string, l Level, keys []string) (*engine.Engine, *System, error) {
	e, err := l.Open(dir, l.Engine)
	if err != nil {
		return nil, nil, err
	}
	client := func() (Client, error) { return transactions(e, keys), nil }
	return e, &System{
		Fill: transactions(e, keys), Client: client, Close: e.Close, Settle: func() error { return l.Settle(e) },
		Counts: func() (list []int, err error) {
			for _, key := range keys {
				err = errors.Join(err, e.View(context.Background(), func(tx *engine.Tx) error {
					x, err := tx.Set(key)
					if err == nil {
						list = append(list, x.Len())
					}
					return err
				}, key))
			}
			return list, err
		},
	}, nil
}

// transactions returns a client that makes the operations of one call in one transaction: a View if all of them read.
func transactions(e *engine.Engine, keys []string) Client {
	var names []string
	var ops []Op
	do := func(tx *engine.Tx) (err error) {
		var x *engine.Set
		for i := range ops {
			o := &ops[i]
			if i == 0 || o.Set != ops[i-1].Set {
				if x, err = tx.Set(keys[o.Set]); err != nil {
					return err
				}
			}
			switch o.Kind {
			case Add:
				_, err = x.Add(o.Key.Raw, o.Score)
			case Incr:
				_, err = x.IncrBy(o.Key.Raw, o.Score)
			case Rank:
				if _, ok := x.Rank(o.Key.Raw); !ok {
					err = Absent(o.Key.Name)
				}
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return func(next []Op) error {
		names = names[:0]
		reads := true
		ops = next
		for i := range ops {
			if i == 0 || ops[i].Set != ops[i-1].Set {
				names = append(names, keys[ops[i].Set])
			}
			reads = reads && ops[i].Kind == Rank
		}
		if reads {
			return e.View(context.Background(), do, names...)
		}
		return e.Update(context.Background(), do, names...)
	}
}
