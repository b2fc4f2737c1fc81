package subject

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/redis"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// Server is a redis-server and a connection to fill it and to ask it questions.
type Server struct {
	*redis.Server
	Control *redis.Conn
	conns   []*redis.Conn
}

// StartRedis starts a redis-server.
func StartRedis(ctx context.Context, program, dir string, options ...string) (*Server, error) {
	s, err := redis.Start(ctx, program, dir, options...)
	if err != nil {
		return nil, err
	}
	x, err := Control(s)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return x, nil
}

// Control connects to a server that speaks the Redis protocol.
func Control(s *redis.Server) (x *Server, err error) {
	x = &Server{Server: s}
	x.Control, err = x.Connect()
	return x, err
}

// Connect returns one more connection, which Close closes.
func (s *Server) Connect() (*redis.Conn, error) {
	c, err := s.Dial()
	if err == nil {
		s.conns = append(s.conns, c)
	}
	return c, err
}

// Add adds the members of a stream to sets, in commands of 500 members, ten of them before the replies are read.
func (s *Server) Add(x *workload.Stream, keys ...string) error {
	const size, depth = 500, 10
	sent := 0
	flush := func() error {
		err := s.Control.Flush()
		if err == nil {
			err = s.Control.ReceiveAll(sent)
		}
		sent = 0
		return err
	}
	for _, key := range keys {
		for lo := 0; lo < x.Len(); lo += size {
			args := []string{"ZADD", key}
			for i := lo; i < min(lo+size, x.Len()); i++ {
				args = append(args, strconv.FormatFloat(x.Score(i), 'f', -1, 64), x.Key(i).Name)
			}
			s.Control.Append(args...)
			if sent++; sent == depth {
				if err := flush(); err != nil {
					return err
				}
			}
		}
	}
	return flush()
}

// Number sends a command and returns the number that it answers.
func (s *Server) Number(args ...string) (int, error) {
	reply, err := s.Control.Do(args...)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimPrefix(reply, ":"))
}

// UsedMemory returns the memory that the server says it uses.
func UsedMemory(c *redis.Conn) (float64, error) {
	info, err := c.Do("INFO", "memory")
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

// Close closes the connections and the server.
func (s *Server) Close() (err error) {
	for _, c := range s.conns {
		err = errors.Join(err, c.Close())
	}
	return errors.Join(err, s.Server.Close())
}
