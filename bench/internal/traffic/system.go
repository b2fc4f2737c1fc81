package traffic

import (
	"context"
	"fmt"
	"io"

	"github.com/zrankdb/zrank/bench/internal/workload"
)

// system is what is measured. Its sets are numbered as load.keys.
type system interface {
	// fill puts members in.
	fill(parts []part) error
	// settle makes everything durable, once, after the members are in.
	settle() error
	// caller returns what one goroutine calls with.
	caller() (client, error)
	// members returns how many there are in all sets.
	members() (int, error)
	// halt keeps the system from working in the background of other processes, and resume lets it go on.
	halt() error
	resume() error
	io.Closer
}

// client makes calls for one goroutine.
type client interface {
	// depth is how many calls answered takes together.
	depth() int
	write(set int, k workload.Key, score float64) error
	read(set int, k workload.Key) error
	// answered waits for the answers to the calls since the last time.
	answered() error
}

// open returns the system of a case, empty.
func open(ctx context.Context, o Options, c Case, l *load) (system, error) {
	switch o.System {
	case Zrank:
		return openZrank(o, c, l, 1)
	case Batched:
		return openZrank(o, c, l, together)
	case Bytedance:
		return openBytedance(c, l), nil
	case Redis:
		return startRedis(ctx, o, c, l, 1)
	case Pipelined:
		return startRedis(ctx, o, c, l, together)
	}
	return nil, fmt.Errorf("no system %q", o.System)
}

// absent is the error of a read that finds nothing.
func absent(set int, k workload.Key) error { return fmt.Errorf("%q is not in set %d", k.Name, set) }

// atOnce is the part of a client that answers each call as it is made.
type atOnce struct{}

func (atOnce) depth() int      { return 1 }
func (atOnce) answered() error { return nil }

// inside is the part of a system that lives in this process, which is stopped as a whole.
type inside struct{}

func (inside) halt() error   { return nil }
func (inside) resume() error { return nil }
