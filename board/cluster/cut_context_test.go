package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/cuthomes"
	"github.com/zrankdb/zrank/internal/testclock"
)

// cutWorld is boards on a server, for calls that are cut.
type cutWorld struct {
	clock   *testclock.Clock
	address string
	own     redis.UniversalClient // of the calls
	other   redis.UniversalClient // looks at what they have done
	o       Options
	boards  *Boards
	seen    *Boards
}

func newCutWorld(address string, other redis.UniversalClient, partitions int) func(t *testing.T) cuthomes.World {
	return func(t *testing.T) cuthomes.World {
		w := &cutWorld{clock: testclock.New(), address: address, other: other}
		w.o = Options{Prefix: fmt.Sprint("test", prefixes.Add(1), ":"), Partitions: partitions, Clock: w.clock.Now}
		var err error
		w.seen, err = Open(other, w.o)
		require.NoError(t, err)
		require.NoError(t, w.connect())
		return w
	}
}

func (w *cutWorld) connect() (err error) {
	w.own = redis.NewClient(&redis.Options{Addr: w.address, ClientName: w.o.Prefix})
	w.boards, err = Open(w.own, w.o)
	return err
}

// disconnect returns when the server has done everything that it was sent.
func (w *cutWorld) disconnect() error {
	err := errors.Join(w.boards.Close(), w.own.Close())
	for err == nil {
		var list string
		if list, err = w.other.Do(context.Background(), "client", "list").Text(); !strings.Contains(list, "name="+w.o.Prefix) {
			return err
		}
	}
	return err
}

// Store implements cuthomes.World.
func (w *cutWorld) Store() board.Store { return w.boards }

// Stored implements cuthomes.World.
func (w *cutWorld) Stored() board.Store { return w.seen }

// Add implements cuthomes.World.
func (w *cutWorld) Add(d time.Duration) error {
	w.clock.Add(d)
	_, err := w.seen.CloseDue(context.Background())
	return err
}

// Settle implements cuthomes.World.
func (w *cutWorld) Settle() error { return errors.Join(w.disconnect(), w.connect()) }

// Close implements cuthomes.World.
func (w *cutWorld) Close() error { return errors.Join(w.disconnect(), w.seen.Close()) }

// TestCutContext: see cuthomes.Run. What is in several partitions takes more than one commit, and so does a change of a member in several periods.
func TestCutContext(t *testing.T) {
	s := start(t, 1)
	other := redis.NewClient(&redis.Options{Addr: s.one()})
	t.Cleanup(func() { _ = other.Close() })
	several := []string{"SubmitAll", "CloseNow", "SaveBaseline", "DropBaseline", "Ban", "Hide", "Show", "Rename", "Merge", "Erase", "Correct",
		"Store.Erase", "Store.Drop", "Store.CloseDue"}
	for _, partitions := range []int{1, 4} {
		t.Run(fmt.Sprint("partitions=", partitions), func(t *testing.T) {
			cuthomes.Run(t, newCutWorld(s.one(), other, partitions), several, []string{"NextReset"})
		})
	}
}
