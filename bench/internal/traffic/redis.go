package traffic

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/zrankdb/zrank/bench/internal/redis"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// server is a redis-server and a connection to fill it.
type server struct {
	*redis.Server
	control *redis.Conn
	callers []*connection
	keys    []string
	calls   int // that a connection sends before it reads
}

func startRedis(ctx context.Context, o Options, c Case, l *load, calls int) (system, error) {
	s, err := redis.Start(ctx, o.Server, o.Dir, c.level.redis...)
	if err != nil {
		return nil, err
	}
	control, err := s.Dial()
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &server{Server: s, control: control, keys: l.keys, calls: calls}, nil
}

func (s *server) fill(parts []part) error {
	for _, p := range parts {
		args := []string{"ZADD", s.keys[p.set]}
		for i := range p.members.Len() {
			args = append(args, strconv.FormatFloat(p.members.Score(i), 'f', -1, 64), p.members.Key(i).Name)
		}
		s.control.Append(args...)
	}
	if err := s.control.Flush(); err != nil {
		return err
	}
	return s.control.ReceiveAll(len(parts))
}

// settle has nothing to do: at everysec and always the file is as it should be.
func (s *server) settle() error { return nil }

func (s *server) caller() (client, error) {
	c, err := s.Dial()
	if err != nil {
		return nil, err
	}
	x := &connection{conn: c, keys: s.keys, calls: s.calls}
	s.callers = append(s.callers, x)
	return x, nil
}

func (s *server) members() (int, error) {
	total := 0
	for _, key := range s.keys {
		reply, err := s.control.Do("ZCARD", key)
		if err != nil {
			return 0, err
		}
		n, err := strconv.Atoi(reply[1:])
		if err != nil {
			return 0, fmt.Errorf("ZCARD: %q: %w", reply, err)
		}
		total += n
	}
	return total, nil
}

func (s *server) halt() error   { return s.Halt() }
func (s *server) resume() error { return s.Resume() }

func (s *server) Close() error {
	err := s.control.Close()
	for _, c := range s.callers {
		err = errors.Join(err, c.conn.Close())
	}
	return errors.Join(err, s.Server.Close())
}

// connection is one goroutine's.
type connection struct {
	conn  *redis.Conn
	keys  []string
	calls int
	sent  int // and not answered
	score []byte
}

func (c *connection) depth() int { return c.calls }

func (c *connection) write(set int, k workload.Key, score float64) error {
	c.score = strconv.AppendFloat(c.score[:0], score, 'f', -1, 64)
	c.conn.Append("ZADD", c.keys[set], string(c.score), k.Name)
	c.sent++
	return nil
}

func (c *connection) read(set int, k workload.Key) error {
	c.conn.Append("ZRANK", c.keys[set], k.Name)
	c.sent++
	return nil
}

func (c *connection) answered() error {
	if err := c.conn.Flush(); err != nil {
		return err
	}
	for ; c.sent > 0; c.sent-- {
		reply, err := c.conn.Receive()
		if err != nil {
			return err
		}
		if reply[0] != ':' {
			return fmt.Errorf("ZRANK or ZADD: %s", reply)
		}
	}
	return nil
}
