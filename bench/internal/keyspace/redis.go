package keyspace

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/redis"
)

// together is how many commands are sent before the replies are read.
const together = 50

// server is a redis-server and a connection to it.
type server struct {
	redis *redis.Server
	conn  *redis.Conn
	sent  int
}

func startRedis(ctx context.Context, o Options) (*server, error) {
	s, err := redis.Start(ctx, o.Server, o.Dir)
	if err != nil {
		return nil, err
	}
	c, err := s.Dial()
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &server{redis: s, conn: c}, nil
}

func (s *server) put(x *sample) error {
	args := make([]string, 0, 2+2*Members)
	args = append(args, "ZADD", x.key)
	for m := range Members {
		args = append(args, strconv.FormatFloat(x.scores[m], 'f', -1, 64), string(x.members[m]))
	}
	s.conn.Append(args...)
	if s.sent++; s.sent < together {
		return nil
	}
	return s.flush()
}

func (s *server) flush() error {
	if err := s.conn.Flush(); err != nil {
		return err
	}
	n := s.sent
	s.sent = 0
	return s.conn.ReceiveAll(n)
}

func (s *server) bytes() (float64, error) {
	info, err := s.conn.Do("INFO", "memory")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(info) {
		if value, ok := strings.CutPrefix(line, "used_memory:"); ok {
			return strconv.ParseFloat(strings.TrimSpace(value), 64)
		}
	}
	return 0, fmt.Errorf("INFO memory tells no used_memory: %s", info)
}

func (s *server) sets() (int, error) {
	reply, err := s.conn.Do("DBSIZE")
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimPrefix(reply, ":"))
}

func (s *server) close() error {
	_, err := s.conn.Do("SAVE")
	return errors.Join(err, s.conn.Close(), s.redis.Close())
}

// openRedis has a server load what it has saved.
func openRedis(ctx context.Context, o Options) (figure.Figures, error) {
	s, err := startRedis(ctx, o)
	if err != nil {
		return nil, err
	}
	err = errors.Join(has(s, o.N), s.conn.Close(), s.redis.Close())
	return figure.Figures{figure.Open: milliseconds(s.redis.Loaded)}, err
}
