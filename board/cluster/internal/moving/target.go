package moving

import (
	"context"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/cluster/internal/servers"
	"github.com/zrankdb/zrank/board/internal/relocation"
)

// target is a board that comes. All of it is stored, and no call of package cluster finds it.
type target struct {
	c       Catalog
	v       *servers.Servers
	b       Board
	stored  string // in the catalog
	arrival uint64 // the highest of all entries
}

func (t *target) contents() contents { return contents{t.v, t.b} }

// ID implements relocation.Target.
func (t *target) ID() string { return t.b.Keys().ID }

// see notes the arrivals of entries.
func (t *target) see(entries []relocation.Entry) {
	for i := range entries {
		t.arrival = max(t.arrival, t.b.State().Rules.Decode(entries[i].Score, entries[i].Tie).Arrival)
	}
}

// Some implements relocation.Target.
func (t *target) Some(ctx context.Context, r relocation.Ranking, members []string) ([]relocation.Entry, error) {
	entries, err := t.contents().Some(ctx, r, members)
	t.see(entries)
	return entries, err
}

// Members implements relocation.Target.
func (t *target) Members(ctx context.Context, r relocation.Ranking, fn func(members []string) error) error {
	return t.contents().Members(ctx, r, fn)
}

// Len implements relocation.Target.
func (t *target) Len(ctx context.Context, r relocation.Ranking) (int, error) {
	return t.contents().Len(ctx, r)
}

// Put implements relocation.Target.
func (t *target) Put(ctx context.Context, r relocation.Ranking, list []relocation.Difference) error {
	return t.write(ctx, func(k int, pipe redis.Pipeliner) {
		keys := t.b.Keys()
		z, h := keys.Ranking(k, r.Window, r.Period), keys.Values(k, r.Window, r.Period)
		for i := range list {
			e := &list[i].Entry
			if t.b.Keys().PartitionOf([]byte(e.Member)) != k {
				continue
			}
			value, text := encode(e)
			if old := list[i].Stored; old != nil {
				if _, before := encode(old); before != text && before != "" {
					pipe.ZRem(ctx, z, before)
				}
			}
			pipe.HSet(ctx, h, e.Member, value)
			if text != "" {
				pipe.ZAdd(ctx, z, redis.Z{Member: text})
			}
		}
		pipe.HSet(ctx, keys.Fence(k), layout.PeriodField(r.Window, r.Period), 1)
	}, entriesOf(list))
}

func entriesOf(list []relocation.Difference) []relocation.Entry {
	entries := make([]relocation.Entry, len(list))
	for i := range list {
		entries[i] = list[i].Entry
	}
	return entries
}

// Remove implements relocation.Target.
func (t *target) Remove(ctx context.Context, r relocation.Ranking, members []string) error {
	entries, err := t.contents().Some(ctx, r, members)
	if err != nil || len(entries) == 0 {
		return err
	}
	return t.write(ctx, func(k int, pipe redis.Pipeliner) {
		keys := t.b.Keys()
		for i := range entries {
			if t.b.Keys().PartitionOf([]byte(entries[i].Member)) != k {
				continue
			}
			pipe.HDel(ctx, keys.Values(k, r.Window, r.Period), entries[i].Member)
			if _, text := encode(&entries[i]); text != "" {
				pipe.ZRem(ctx, keys.Ranking(k, r.Window, r.Period), text)
			}
		}
	}, entries)
}

// write sends what fill has queued for the partitions of some entries, in one transaction for each. It may be sent again.
func (t *target) write(ctx context.Context, fill func(k int, pipe redis.Pipeliner), entries []relocation.Entry) error {
	t.see(entries)
	seen := make([]bool, t.b.Keys().Partitions())
	for i := range entries {
		k := t.b.Keys().PartitionOf([]byte(entries[i].Member))
		if seen[k] {
			continue
		}
		seen[k] = true
		if err := t.v.AskWhole(ctx, func(pipe redis.Pipeliner) { fill(k, pipe) }); err != nil {
			return err
		}
	}
	return nil
}

// PutOnce implements relocation.Target. Nobody knows which members the keys were used with, so all partitions get them.
func (t *target) PutOnce(ctx context.Context, keys []relocation.OnceKey) error {
	if len(keys) == 0 {
		return nil
	}
	all := make([]redis.Z, len(keys))
	for i, k := range keys {
		all[i] = redis.Z{Member: k.Key, Score: float64(k.At)}
	}
	return t.v.Ask(ctx, func(pipe redis.Pipeliner) {
		for k := range t.b.Keys().Partitions() {
			pipe.ZAddArgs(ctx, t.b.Keys().Once(k), redis.ZAddArgs{GT: true, Members: all})
		}
	})
}

// Close implements relocation.Target.
func (*target) Close() error { return nil }
