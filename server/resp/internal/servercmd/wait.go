package servercmd

import (
	"context"
	"math"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// There are no replicas, so WAIT for one waits until its timeout, as a Redis without replicas does. A client that waits holds no lock.

// parseWait reads the number of replicas that a client waits for, and its timeout; 0: none.
func parseWait(a [][]byte) (replicas int64, timeout time.Duration, err error) {
	if replicas, err = command.ParseInt[int64](a[1]); err != nil {
		return 0, 0, err
	}
	ms, ok := wire.ParseInt(a[2])
	switch {
	case !ok:
		return 0, 0, command.Refusal("ERR timeout is not an integer or out of range")
	case ms < 0:
		return 0, 0, command.Refusal("ERR timeout is negative")
	case ms > math.MaxInt64/int64(time.Millisecond): // 292 years
		return replicas, 0, nil
	}
	return replicas, time.Duration(ms) * time.Millisecond, nil
}

// waitTx is WAIT between MULTI and EXEC, where it does not wait.
func waitTx(t *session.Txn, a [][]byte) error {
	_, _, err := parseWait(a)
	if err == nil {
		t.Out.Int(0)
	}
	return err
}

// waitAlone is WAIT outside a transaction. It sends the earlier replies first, and answers 0 after the timeout.
func (s *server) waitAlone(c *session.Client, a [][]byte) error {
	replicas, timeout, err := parseWait(a)
	if err != nil {
		return err
	}
	if replicas <= 0 {
		c.Out.Int(0)
		return nil
	}
	if c.Flush() != nil {
		c.Closing = true
		return nil
	}
	s.replicas.Add(1)
	defer s.replicas.Add(-1)
	err = c.Block(timeout, func(ctx context.Context) error {
		<-ctx.Done()
		return context.Cause(ctx)
	})
	return c.Unserved(err, func() { c.Out.Int(0) })
}

// blocked returns how many clients wait, for members or for replicas.
func (s *server) blocked() int { return s.host.Engine.Waiting() + int(s.replicas.Load()) }
