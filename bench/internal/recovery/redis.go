package recovery

import (
	"fmt"
	"strconv"

	"github.com/zrankdb/zrank/bench/internal/redis"
)

// together is how many members a ZADD has.
const together = 500

// BuildRedis puts the members that the stage Build puts in into a server, and saves them.
func BuildRedis(c *redis.Conn, n int, seed uint64) error {
	l := newLoad(n, seed)
	for lo := 0; lo < n; lo += together {
		s := l.drawAll(lo, min(lo+together, n))
		args := []string{"ZADD", arena}
		for i := range s.Len() {
			args = append(args, strconv.FormatFloat(s.Score(i), 'f', -1, 64), s.Key(i).Name)
		}
		if _, err := c.Do(args...); err != nil {
			return err
		}
	}
	_, err := c.Do("SAVE")
	return err
}

// RedisHolds returns an error unless the server has n members.
func RedisHolds(c *redis.Conn, n int) error {
	got, err := c.Do("ZCARD", arena)
	if err == nil && got != ":"+strconv.Itoa(n) {
		err = fmt.Errorf("it loaded %s members of %d", got, n)
	}
	return err
}
