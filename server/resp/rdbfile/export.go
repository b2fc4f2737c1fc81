package rdbfile

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/rdb"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
)

// ExportOptions say what is exported. The zero value exports database 0; DB: AnyDatabase exports all.
type ExportOptions struct {
	// Match is a pattern of keys, as of the command KEYS; "": all.
	Match string
	// DB is the database whose keys are exported; AnyDatabase: all.
	DB int
	// Plain does not compress strings of more than 20 bytes. Redis reads both.
	Plain bool
	// Progress is called now and then with the number of keys that have been written, and how many there are.
	Progress func(done, of int)
}

// Export writes the keys of an engine as a file that Redis 7.0 and later load. It reads sets from the disk as it comes to them. Errors: those of the engine, of w and of ctx.
func Export(ctx context.Context, e *engine.Engine, w io.Writer, o ExportOptions) (*ExportReport, error) {
	r := &ExportReport{Written: map[string]*Tally{}}
	if err := (ImportOptions{DB: o.DB}).Validate(); err != nil {
		return r, err
	}
	if o.Match == "" {
		o.Match = "*"
	}
	space, err := keyspace.New(ctx, e, nil)
	if err != nil {
		return r, err
	}
	entries, member := e.Listpack()
	f, err := rdb.NewWriter(w, rdb.WriteOptions{Compress: !o.Plain, Thresholds: rdb.Thresholds{ListpackEntries: threshold(entries), ListpackValue: threshold(member)}})
	if err != nil {
		return r, err
	}
	x := &exporter{ctx: ctx, space: space, f: f, o: o, report: r}
	if err := x.run(ctx); err != nil {
		return r, err
	}
	return r, f.Close()
}

// threshold returns a setting as package rdb has it, where 0 is the default.
func threshold(n int) int {
	if n == 0 {
		return -1
	}
	return n
}

// exporter is an export under way.
type exporter struct {
	ctx    context.Context
	space  *keyspace.Space
	f      *rdb.Writer
	o      ExportOptions
	report *ExportReport
	done   int
}

// run writes all databases.
func (x *exporter) run(ctx context.Context) error {
	byDB, err := x.space.Databases(x.o.Match)
	if err != nil {
		return err
	}
	now := x.space.Engine.Now().Unix()
	for _, aux := range [][2]string{{"redis-ver", "7.0.15"}, {"redis-bits", "64"}, {"ctime", strconv.FormatInt(now, 10)}, {"used-mem", "0"}, {"aof-base", "0"}} {
		if err := x.f.Aux(aux[0], aux[1]); err != nil {
			return err
		}
	}
	of := 0
	for db, keys := range byDB {
		if x.o.DB == AnyDatabase || db == x.o.DB {
			of += len(keys)
		}
	}
	for _, db := range slices.Sorted(maps.Keys(byDB)) {
		if x.o.DB != AnyDatabase && db != x.o.DB {
			continue
		}
		keys := byDB[db]
		slices.Sort(keys)
		if err := x.f.SelectDB(db); err != nil {
			return err
		}
		if err := x.f.ResizeDB(len(keys), 0); err != nil {
			return err
		}
		for _, key := range slices.Compact(keys) {
			if err := x.key(ctx, db, key); err != nil {
				return fmt.Errorf("rdbfile: key %.100q of database %d: %w", key, db, err)
			}
			x.done++
			if x.o.Progress != nil && x.done%64 == 0 {
				x.o.Progress(x.done, of)
			}
		}
	}
	return nil
}

// key writes a key, if it has a value still.
func (x *exporter) key(ctx context.Context, db int, key string) error {
	if err := x.ctx.Err(); err != nil {
		return err
	}
	name := keyspace.EngineKey(db, []byte(key))
	cache := x.space.NewNames()
	t := x.space.NewTx(&cache, db)
	return x.space.Engine.View(ctx, func(tx *engine.Tx) error {
		t.Begin(tx)
		v, err := t.Get(name)
		if err != nil {
			return err
		}
		switch v.Kind {
		case keyspace.String:
			count(x.report.Written, "string", []byte(key), 0)
			return x.f.String([]byte(key), v.Expires, v.Plain.Body)
		case keyspace.PlainSet:
			list := keyspace.Members(v.Plain)
			count(x.report.Written, "set", []byte(key), len(list))
			return x.f.Set([]byte(key), v.Expires, len(list), slices.Values(list))
		case keyspace.SortedSet:
			return x.sorted(tx, name, key, v)
		}
		return nil
	}, name)
}

// sorted writes a sorted set, unless its scores are int64.
func (x *exporter) sorted(tx *engine.Tx, name, key string, v keyspace.Value) error {
	if v.Stat.Ints || engine.Reserved(name) {
		x.report.Boards.add([]byte(key), v.Stat.Members)
		return nil
	}
	s, err := tx.Set(name)
	if err != nil {
		return err
	}
	count(x.report.Written, "zset", []byte(key), s.Len())
	return x.f.SortedSet([]byte(key), v.Expires, s.Len(), s.RevRange(0, s.Len()))
}
