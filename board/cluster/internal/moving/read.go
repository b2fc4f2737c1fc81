package moving

import (
	"context"
	"math"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board/cluster/internal/servers"
	"github.com/zrankdb/zrank/board/internal/relocation"
)

// scanned is how many entries are read at a time, about.
const scanned = 1000

// contents reads what is stored of a board.
type contents struct {
	v *servers.Servers
	b Board
}

// Len implements relocation.Source and relocation.Target.
func (c contents) Len(ctx context.Context, r relocation.Ranking) (n int, err error) {
	lens := make([]*redis.IntCmd, c.b.Keys().Partitions())
	err = c.v.Ask(ctx, func(pipe redis.Pipeliner) {
		for k := range lens {
			lens[k] = pipe.HLen(ctx, c.b.Keys().Values(k, r.Window, r.Period))
		}
	})
	for _, l := range lens {
		n += int(l.Val())
	}
	return n, err
}

// scan calls fn with the members of a partition and their values, some at a time; some may come twice.
func (c contents) scan(ctx context.Context, k int, r relocation.Ranking, fn func(pairs []string) error) error {
	for cursor := uint64(0); ; {
		pairs, next, err := c.v.Client.HScan(ctx, c.b.Keys().Values(k, r.Window, r.Period), cursor, "", scanned).Result()
		if err == nil && len(pairs) > 0 {
			err = fn(pairs)
		}
		if err != nil || next == 0 {
			return err
		}
		cursor = next
	}
}

// Entries implements relocation.Source.
func (c contents) Entries(ctx context.Context, r relocation.Ranking, fn func([]relocation.Entry) error) error {
	for k := range c.b.Keys().Partitions() {
		err := c.scan(ctx, k, r, func(pairs []string) error {
			var entries []relocation.Entry
			for i := 0; i+1 < len(pairs); i += 2 {
				e, err := decode(c.b, pairs[i], pairs[i+1])
				if err != nil {
					return err
				}
				entries = append(entries, e)
			}
			return fn(entries)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Members implements relocation.Target.
func (c contents) Members(ctx context.Context, r relocation.Ranking, fn func(members []string) error) error {
	return c.Entries(ctx, r, func(entries []relocation.Entry) error {
		members := make([]string, len(entries))
		for i := range entries {
			members[i] = entries[i].Member
		}
		return fn(members)
	})
}

// Some implements relocation.Source and relocation.Target.
func (c contents) Some(ctx context.Context, r relocation.Ranking, members []string) (entries []relocation.Entry, err error) {
	of := make([][]string, c.b.Keys().Partitions())
	for _, member := range members {
		k := c.b.Keys().PartitionOf([]byte(member))
		of[k] = append(of[k], member)
	}
	found := make([]*redis.SliceCmd, len(of))
	err = c.v.Ask(ctx, func(pipe redis.Pipeliner) {
		for k, members := range of {
			if len(members) > 0 {
				found[k] = pipe.HMGet(ctx, c.b.Keys().Values(k, r.Window, r.Period), members...)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for k, members := range of {
		for i, member := range members {
			value, ok := found[k].Val()[i].(string)
			if !ok {
				continue
			}
			e, err := decode(c.b, member, value)
			if err != nil {
				return nil, err
			}
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// Once implements relocation.Source.
func (c contents) Once(ctx context.Context, fn func([]relocation.OnceKey) error) error {
	for k := range c.b.Keys().Partitions() {
		for from := int64(0); ; from += scanned {
			list, err := c.v.Client.ZRangeWithScores(ctx, c.b.Keys().Once(k), from, from+scanned-1).Result()
			if err != nil {
				return err
			}
			keys := make([]relocation.OnceKey, len(list))
			for i, z := range list {
				name, _ := z.Member.(string)
				keys[i] = relocation.OnceKey{Key: name, At: int64(math.Round(z.Score))}
			}
			if err := fn(keys); err != nil {
				return err
			}
			if len(list) < scanned {
				break
			}
		}
	}
	return nil
}
