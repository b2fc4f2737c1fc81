package boards

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/zrankdb/zrank/bench/internal/redis"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine/board"
)

// server is a redis-server and a connection to fill it.
type server struct {
	*redis.Server
	control *redis.Conn
	callers []*redis.Conn
	calls   int // in a transaction
}

func startRedis(ctx context.Context, o Options, l Level) (system, error) {
	s, err := redis.Start(ctx, o.Server, o.Dir, l.redis...)
	if err != nil {
		return nil, err
	}
	control, err := s.Dial()
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &server{Server: s, control: control, calls: calls(o.System)}, nil
}

func (s *server) put(x *workload.Stream) error {
	for _, key := range keys {
		args := []string{"ZADD", key}
		for i := range x.Len() {
			args = append(args, strconv.FormatInt(int64(x.Score(i)), 10), x.Key(i).Name)
		}
		s.control.Append(args...)
	}
	if err := s.control.Flush(); err != nil {
		return err
	}
	return s.control.ReceiveAll(len(keys))
}

// settle has nothing to do: at everysec and always the file is as it should be.
func (s *server) settle() error { return nil }

func (s *server) caller() (client, error) {
	c, err := s.Dial()
	if err != nil {
		return nil, err
	}
	s.callers = append(s.callers, c)
	if s.calls > 1 {
		return &pipeline{conn: c}, nil
	}
	return &connection{conn: c}, nil
}

func (s *server) players() (list []int, err error) {
	for _, key := range keys {
		reply, err := s.control.Do("ZCARD", key)
		if err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(reply[1:])
		if err != nil {
			return nil, fmt.Errorf("ZCARD: %q: %w", reply, err)
		}
		list = append(list, n)
	}
	return list, nil
}

func (s *server) halt() error   { return s.Halt() }
func (s *server) resume() error { return s.Resume() }

func (s *server) Close() error {
	err := s.control.Close()
	for _, c := range s.callers {
		err = errors.Join(err, c.Close())
	}
	return errors.Join(err, s.Server.Close())
}

// transact sends what is appended between MULTI and EXEC, so many commands, and reads the replies.
func transact(c *redis.Conn, commands int) error {
	c.Append("EXEC")
	if err := c.Flush(); err != nil {
		return err
	}
	if err := c.ReceiveAll(1 + commands + 1); err != nil { // OK, QUEUED for each, and how many replies follow
		return err
	}
	return c.ReceiveAll(commands)
}

// connection is one goroutine's, for a transaction a submission.
type connection struct {
	atOnce
	conn *redis.Conn
}

func (c *connection) submit(k workload.Key, points float64) error {
	text := strconv.FormatInt(int64(points), 10)
	c.conn.Append("MULTI")
	for _, key := range keys {
		c.conn.Append("ZINCRBY", key, text, k.Name)
		c.conn.Append("ZREVRANK", key, k.Name)
	}
	return transact(c.conn, 2*len(keys))
}

// card takes two round trips, since what is around depends on the rank.
func (c *connection) card(k workload.Key, _ board.Mode) error {
	c.conn.Append("ZREVRANGE", keys[0], "0", strconv.Itoa(top-1), "WITHSCORES")
	c.conn.Append("ZREVRANK", keys[0], k.Name)
	c.conn.Append("ZCARD", keys[0])
	if err := c.conn.Flush(); err != nil {
		return err
	}
	if _, err := c.list(); err != nil {
		return err
	}
	own, err := c.number()
	if err != nil {
		return err
	}
	n, err := c.number()
	if err != nil {
		return err
	}
	if own < 0 {
		return absent(k)
	}
	lo, hi := around(own, n)
	c.conn.Append("ZREVRANGE", keys[0], strconv.Itoa(lo), strconv.Itoa(hi-1), "WITHSCORES")
	if err := c.conn.Flush(); err != nil {
		return err
	}
	got, err := c.list()
	if err == nil && got != 2*(hi-lo) {
		err = fmt.Errorf("ZREVRANGE: %d texts, want %d", got, 2*(hi-lo))
	}
	return err
}

// list reads an array, and returns its length.
func (c *connection) list() (n int, err error) {
	if n, err = c.number(); err != nil {
		return 0, err
	}
	return n, c.conn.ReceiveAll(n)
}

// number reads a number, or the length of an array; -1 is nil.
func (c *connection) number() (int, error) {
	reply, err := c.conn.Receive()
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(reply[1:]))
}

// pipeline is one goroutine's, for a transaction of many submissions.
type pipeline struct {
	noCards
	collected
	conn *redis.Conn
}

func (p *pipeline) answered() error {
	p.conn.Append("MULTI")
	for i, k := range p.keys {
		text := strconv.FormatInt(int64(p.points[i]), 10)
		for _, key := range keys {
			p.conn.Append("ZINCRBY", key, text, k.Name)
		}
	}
	err := transact(p.conn, len(p.keys)*len(keys))
	p.clear()
	return err
}
