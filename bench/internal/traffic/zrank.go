package traffic

import (
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
)

// zrank is the engine. It is its own client, one for every goroutine, unless calls are made together.
type zrank struct {
	atOnce
	inside
	*engine.Engine
	keys  [][]string // as Update and View take them
	disk  bool
	calls int // in a transaction
}

func openZrank(o Options, c Case, l *load, calls int) (system, error) {
	z := zrank{disk: c.level.disk, calls: calls}
	for _, key := range l.keys {
		z.keys = append(z.keys, []string{key})
	}
	var err error
	if z.disk {
		z.Engine, err = engine.Open(o.Dir, c.level.zrank)
	} else {
		z.Engine, err = engine.New(c.level.zrank)
	}
	return z, err
}

func (z zrank) fill(parts []part) error {
	var keys []string
	for _, p := range parts {
		keys = append(keys, z.keys[p.set][0])
	}
	return z.Update(keys, func(tx *engine.Tx) error {
		for i, p := range parts {
			x, err := tx.Set(keys[i])
			for m := 0; m < p.members.Len() && err == nil; m++ {
				_, err = x.Add(p.members.Key(m).Raw, p.members.Score(m))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (z zrank) settle() error {
	if !z.disk {
		return nil
	}
	return z.Snapshot()
}

func (z zrank) caller() (client, error) {
	if z.calls > 1 {
		return &batch{zrank: z}, nil
	}
	return z, nil
}

func (z zrank) write(set int, k workload.Key, score float64) error {
	return z.Update(z.keys[set], func(tx *engine.Tx) error {
		x, err := tx.Set(z.keys[set][0])
		if err == nil {
			_, err = x.Add(k.Raw, score)
		}
		return err
	})
}

func (z zrank) read(set int, k workload.Key) error {
	return z.View(z.keys[set], func(tx *engine.Tx) error {
		x, err := tx.Set(z.keys[set][0])
		if err != nil {
			return err
		}
		return look(x, set, k)
	})
}

// look asks for a rank.
func look(x *engine.Set, set int, k workload.Key) error {
	if _, ok := x.Rank(k.Raw); !ok {
		return absent(set, k)
	}
	return nil
}

func (z zrank) members() (int, error) {
	st, err := z.Stats()
	return st.Members, err
}
