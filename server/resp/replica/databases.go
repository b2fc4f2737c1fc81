package replica

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"
)

// usedDatabases yields the databases that have keys, of the source or of ours.
func usedDatabases(ctx context.Context, c *redis.Client, server *local) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		used := map[int]bool{}
		info, err := c.Info(ctx, "keyspace").Result()
		if err == nil {
			readDatabases(info, used)
			ours := server.client(0)
			info, err = ours.Info(ctx, "keyspace").Result()
			_ = ours.Close()
			readDatabases(info, used)
		}
		if err != nil {
			yield(0, err)
			return
		}
		for _, db := range slices.Sorted(maps.Keys(used)) {
			if !yield(db, nil) {
				return
			}
		}
	}
}

// readDatabases notes the databases that the text of INFO keyspace has.
func readDatabases(info string, used map[int]bool) {
	for line := range strings.Lines(info) {
		var db int
		if _, err := fmt.Sscanf(line, "db%d:", &db); err == nil && db >= 0 && db < databases {
			used[db] = true
		}
	}
}
