package resp

import (
	"context"
	"math"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// There are no replicas, so WAIT for one waits until its time is over, as in Redis: a client that must not go on before its writes are
// safe elsewhere is not told at once that they are not. Whoever waits holds no lock.

// parseWait returns how many replicas a client waits for, and for how long; 0: for ever.
func parseWait(a [][]byte) (replicas int64, most time.Duration, err error) {
	if replicas, err = parseInt[int64](a[1]); err != nil {
		return 0, 0, err
	}
	ms, ok := wire.ParseInt(a[2])
	switch {
	case !ok:
		return 0, 0, refusal("ERR timeout is not an integer or out of range")
	case ms < 0:
		return 0, 0, refusal("ERR timeout is negative")
	case ms > math.MaxInt64/int64(time.Millisecond): // 292 years
		return replicas, 0, nil
	}
	return replicas, time.Duration(ms) * time.Millisecond, nil
}

// waitTx is WAIT between MULTI and EXEC, where nothing blocks.
func waitTx(t *txn, a [][]byte) error {
	_, _, err := parseWait(a)
	if err == nil {
		t.w.Int(0)
	}
	return err
}

func (s *adminServer) waitAlone(c *client, a [][]byte) error {
	replicas, most, err := parseWait(a)
	if err != nil {
		return err
	}
	if replicas <= 0 {
		c.out.Int(0)
		return nil
	}
	if c.flush() != nil {
		c.closing = true
		return nil
	}
	s.replicas.Add(1)
	defer s.replicas.Add(-1)
	err = c.block(most, func(ctx context.Context) error {
		<-ctx.Done()
		return context.Cause(ctx)
	})
	return c.unserved(err, func() { c.out.Int(0) })
}

// blocked returns how many clients wait, for members or for replicas.
func (s *adminServer) blocked() int { return s.host.e.Waiting() + int(s.replicas.Load()) }
