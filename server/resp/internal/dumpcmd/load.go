package dumpcmd

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/rdb"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/zset"
)

// The refusals of dumps.
const (
	errPayload = command.Refusal("ERR DUMP payload version or checksum are wrong")
	errFormat  = command.Refusal("ERR Bad data format")
)

// loaded is what a dump holds, in memory that the client has borrowed.
type loaded struct {
	plain  keyspace.Plain // its kind is keyspace.None for a sorted set
	sorted *zset.Set      // nil for a plain value
	bytes  int            // of the members and what they need beside
}

// entryBytes is about the memory of a member beside its bytes: its place in a set, and in the table that finds members that come twice.
const entryBytes = 64

// load reads a dump. Its memory is not that of the request. Errors: refusals.
func load(c *session.Client, b []byte) (l loaded, err error) {
	v, err := rdb.OpenDump(b, rdb.ReadOptions{MaxString: largest(c), Grow: func(n int) error { return c.Borrow(n, 1) }})
	switch {
	case errors.Is(err, rdb.ErrChecksum), errors.Is(err, rdb.ErrVersion), len(b) < 10:
		return l, errPayload
	case err != nil:
		return l, errFormat
	}
	switch v.Kind {
	case rdb.String:
		err = l.string(c, v)
	case rdb.Set:
		err = l.set(c, v)
	case rdb.SortedSet:
		err = l.sortedSet(c, v)
	default:
		if err = v.Skip(); err == nil {
			return l, command.Refusal("ERR the dump is of a " + v.Kind.String() + ": this server keeps sorted sets, sets and strings only")
		}
	}
	switch {
	case errors.Is(err, rdb.ErrCorrupt):
		err = errFormat
	case errors.Is(err, rdb.ErrTooLarge):
		err = command.Refusal(fmt.Sprintf("ERR the dump has a string of more than %d bytes", largest(c)))
	}
	return l, err
}

// largest returns the most bytes that a string of a dump may become: no larger one could be stored, or sent.
func largest(c *session.Client) int64 {
	n := c.Host.Config.Conn.MaxRequest
	if c.Host.Engine.Settings().Stored {
		n = min(n, engine.MaxTransaction)
	}
	return int64(n)
}

// borrow counts the memory of some more bytes.
func (l *loaded) borrow(c *session.Client, n int) error {
	const step = 64 << 10
	if l.bytes/step != (l.bytes+n)/step {
		if err := c.Borrow(n+step, 1); err != nil {
			return err
		}
	}
	l.bytes += n
	return nil
}

func (l *loaded) string(c *session.Client, v *rdb.Value) error {
	b, err := v.Bytes()
	if err == nil {
		err = c.Borrow(len(b), 1)
	}
	l.plain = keyspace.Plain{Kind: keyspace.String, Body: append([]byte(nil), b...)}
	return err
}

func (l *loaded) set(c *session.Client, v *rdb.Value) error {
	var list [][]byte
	had := map[string]struct{}{}
	err := v.Set(func(m []byte) error {
		if _, twice := had[string(m)]; twice {
			return errFormat
		}
		had[string(m)] = struct{}{}
		list = append(list, append([]byte(nil), m...))
		return l.borrow(c, 2*len(m)+entryBytes)
	})
	if err == nil && len(list) == 0 {
		err = errFormat
	}
	l.plain = keyspace.EncodeSet(list)
	_, integers := keyspace.Integers(list)
	l.plain.Hashed = !integers || int64(len(list)) > c.Host.Space.IntsetEntries.Load()
	return err
}

func (l *loaded) sortedSet(c *session.Client, v *rdb.Value) (err error) {
	var failed error
	var twice []byte
	l.sorted, twice, err = zset.Build(zset.Options{}, runtime.GOMAXPROCS(0), func(yield func([]byte, float64) bool) {
		failed = v.SortedSet(func(m []byte, score float64) error {
			if err := l.borrow(c, 2*len(m)+entryBytes); err != nil {
				return err
			}
			if !yield(m, score) {
				return errFormat
			}
			return nil
		})
	})
	switch {
	case err != nil:
		return err
	case failed != nil:
		return failed
	case twice != nil, l.sorted.Len() == 0:
		return errFormat
	}
	return nil
}
