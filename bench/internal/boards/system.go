package boards

import (
	"context"
	"fmt"
	"io"

	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine/board"
)

// system is what is measured.
type system interface {
	// put puts players in.
	put(s *workload.Stream) error
	// settle makes everything durable, once, after the players are in.
	settle() error
	// caller returns what one goroutine calls with.
	caller() (client, error)
	// players returns how many there are in each window.
	players() ([]int, error)
	// halt keeps the system from working in the background of other processes, and resume lets it go on.
	halt() error
	resume() error
	io.Closer
}

// client makes calls for one goroutine.
type client interface {
	// depth is how many submissions answered takes together.
	depth() int
	submit(k workload.Key, points float64) error
	// answered waits for the answers to the submissions since the last time.
	answered() error
	// card reads a card. A player that is not ranked is an error.
	card(k workload.Key, mode board.Mode) error
}

// open returns the system, empty.
func open(ctx context.Context, o Options, l Level) (system, error) {
	switch o.System {
	case Zrank, Applied:
		return openZrank(o, l)
	case Sets, Increments:
		return openSets(o, l)
	case Bytedance:
		return newBytedance(), nil
	case Redis, Pipelined:
		return startRedis(ctx, o, l)
	}
	return nil, fmt.Errorf("no system %q", o.System)
}

// calls is how many submissions a system makes together.
func calls(system string) int {
	switch system {
	case Applied, Increments, Pipelined:
		return together
	}
	return 1
}

// A card is the first top, and each before and after the player's own row.
const top, each = 10, 5

// around returns the places [lo, hi) that a card has around a place, as Ranking.Around does.
func around(place, n int) (lo, hi int) {
	size := min(2*each+1, n)
	lo = min(max(place-each, 0), n-size)
	return lo, lo + size
}

func absent(k workload.Key) error { return fmt.Errorf("%q is not ranked", k.Name) }

// atOnce is the part of a client that answers each call as it is made.
type atOnce struct{}

func (atOnce) depth() int      { return 1 }
func (atOnce) answered() error { return nil }

// noCards is the part of a client that reads none.
type noCards struct{}

func (noCards) card(workload.Key, board.Mode) error { return fmt.Errorf("it has no cards") }

// inside is the part of a system that lives in this process, which is stopped as a whole.
type inside struct{}

func (inside) halt() error   { return nil }
func (inside) resume() error { return nil }

// collected are the submissions of a client that makes several together.
type collected struct {
	keys   []workload.Key
	points []float64
}

func (c *collected) depth() int { return together }

func (c *collected) submit(k workload.Key, points float64) error {
	c.keys, c.points = append(c.keys, k), append(c.points, points)
	return nil
}

func (c *collected) clear() { c.keys, c.points = c.keys[:0], c.points[:0] }
