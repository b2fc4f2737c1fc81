package clusters

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster"
	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/boardspecs"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// Machine is boards on servers, and the process that calls them now.
type Machine struct {
	*cluster.Boards
	client  redis.UniversalClient
	options cluster.Options
	first   func(name string) board.Spec // the specs of the boards
	clock   *machine.Clock               // F7
}

// machines counts the machines, whose keys begin differently.
var machines atomic.Int64

// open returns a machine with every board: F10.
func open(client redis.UniversalClient, partitions int, first func(name string) board.Spec) (*Machine, error) {
	m := &Machine{client: client, first: first, clock: &machine.Clock{}}
	m.options = cluster.Options{Prefix: fmt.Sprintf("fuzz%d,%d:", os.Getpid(), machines.Add(1)), Partitions: partitions, Clock: m.clock.Now}
	var err error
	if m.Boards, err = cluster.Open(client, m.options); err != nil {
		return nil, err
	}
	for _, name := range boardspecs.Names {
		if _, err := m.Define(context.Background(), m.first(name)); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Run runs the operations of a block one after the other; none if it is rolled back.
func (m *Machine) Run(b script.Block) (replies []string, err error) {
	if b.RolledBack() {
		return nil, nil
	}
	for _, op := range b.Ops {
		replies = append(replies, apply.BoardOp(m, op))
	}
	return replies, nil
}

// Keys returns no keys: there are no sets.
func (m *Machine) Keys() ([]string, error) { return nil, nil }

// Between runs an operation between blocks: F2. The servers forget the scripts that they know, or another process takes over.
func (m *Machine) Between(op script.Op) (err error) {
	switch op.Kind {
	case "sleep":
		m.clock.Sleep(op)
		_, err = m.CloseDue(context.Background())
	case "evict":
		err = m.client.ScriptFlush(context.Background()).Err()
	case "reopen":
		if err = m.Boards.Close(); err == nil {
			m.Boards, err = cluster.Open(m.client, m.options)
		}
	}
	return err
}

// Does reports whether a kind of operation between blocks does anything.
func (m *Machine) Does(kind string) bool {
	return kind == "evict" || kind == "reopen" || kind == "sleep"
}

// Close drops all boards.
func (m *Machine) Close() error {
	for _, name := range boardspecs.Names {
		if err := m.Drop(context.Background(), name); err != nil {
			return err
		}
	}
	return m.Boards.Close()
}

// Now returns the time.
func (m *Machine) Now() time.Time { return m.clock.Now() }

// Named returns a board.
func (m *Machine) Named(name string) (apply.Leaderboard, error) {
	b, err := m.Board(context.Background(), name)
	if err != nil {
		return nil, err
	}
	return leaderboard{onCluster: onCluster{b}}, nil
}

// Redefine drops a board and defines it again.
func (m *Machine) Redefine(name string) error {
	err := m.Drop(context.Background(), name)
	if err == nil {
		_, err = m.Define(context.Background(), m.first(name))
	}
	return err
}

// MigrateTo is absent.
func (m *Machine) MigrateTo(board.Spec) error { return errAbsent }

// Union is absent.
func (m *Machine) Union(context.Context, board.UnionSpec) (board.Ranking, error) {
	return nil, errAbsent
}

// StoreUnion is absent.
func (m *Machine) StoreUnion(context.Context, string, board.UnionSpec) error { return errAbsent }

// StoredUnion says that there is none.
func (m *Machine) StoredUnion(context.Context, string) (board.Ranking, error) {
	return nil, board.ErrNoUnion
}
