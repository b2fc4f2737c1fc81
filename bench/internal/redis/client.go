package redis

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gomodule/redigo/redis"

	"github.com/zrankdb/zrank/bench/internal/workload"
)

// Conn is a connection for one goroutine.
type Conn struct{ redis.Conn }

// Queue adds a command to those that Finish sends. It returns no error: Finish does.
func (c Conn) Queue(command string, args ...any) { _ = c.Send(command, args...) }

// Finish sends the queued commands and returns their replies. It fails if a reply is an error.
func (c Conn) Finish() ([]any, error) {
	reply, err := c.Do("")
	replies, _ := reply.([]any) // nil if nothing was queued
	for _, r := range replies {
		if failed, ok := r.(redis.Error); ok {
			return nil, failed
		}
	}
	return replies, err
}

// Add adds the members of a stream to sets, in commands of 500 members, ten of them in a pipeline.
func (c Conn) Add(x *workload.Stream, keys ...string) error {
	const size, depth = 500, 10
	sent := 0
	for _, key := range keys {
		for lo := 0; lo < x.Len(); lo += size {
			args := []any{key}
			for i := lo; i < min(lo+size, x.Len()); i++ {
				args = append(args, x.Score(i), x.Key(i).Name)
			}
			c.Queue("ZADD", args...)
			if sent++; sent%depth == 0 {
				if _, err := c.Finish(); err != nil {
					return err
				}
			}
		}
	}
	_, err := c.Finish()
	return err
}

// Number sends a command that answers with a number.
func (c Conn) Number(command string, args ...any) (int, error) {
	return redis.Int(c.Do(command, args...))
}

// UsedMemory returns the memory that the server reports.
func (c Conn) UsedMemory() (float64, error) {
	info, err := redis.String(c.Do("INFO", "memory"))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(info, "used_memory:")
	value, _, _ := strings.Cut(rest, "\r\n")
	used, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return 0, fmt.Errorf("used_memory of redis: %w", err)
	}
	return used, nil
}
