package cluster

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// TestSlotMoves: while a slot goes to another master, key by key, submissions to it count once each, and are all acknowledged.
func TestSlotMoves(t *testing.T) {
	s := startCluster(t, 3, 0)
	client := s.client(t)
	c := newCounter(t, client, Options{Partitions: 4})
	member := c.memberAt(t, s, client, 0)
	slot, err := client.ClusterKeySlot(context.Background(), c.keys.Fence(c.keys.PartitionOf([]byte(member)))).Result()
	require.NoError(t, err)
	c.add(t, member, "")
	moved := make(chan error)
	go func() { moved <- s.moveSlot(int(slot), 0, 1) }()
	for moving := true; moving; {
		select {
		case err := <-moved:
			require.NoError(t, err)
			moving = false
		default:
			c.add(t, member, "")
		}
	}
	c.add(t, member, "")
	require.Empty(t, c.undecided)
	require.Zero(t, c.lost(t))
}

// moveSlot moves a slot with its keys from one master to another, as redis-cli does: the new master is told first, then all others, until all agree.
func (s *fleet) moveSlot(slot, from, to int) error {
	if err := s.sendKeys(slot, from, to); err != nil {
		return err
	}
	return s.giveSlot(slot, to)
}

// sendKeys sends the keys of a slot from one master to another, which has the slot only when giveSlot is called.
func (s *fleet) sendKeys(slot, from, to int) error {
	ctx := context.Background()
	giver, taker := s.Client(from), s.Client(to)
	defer giver.Close()
	defer taker.Close()
	giverID, err := giver.ClusterMyID(ctx).Result()
	if err != nil {
		return err
	}
	takerID, err := taker.ClusterMyID(ctx).Result()
	if err != nil {
		return err
	}
	if err := taker.Do(ctx, "cluster", "setslot", slot, "importing", giverID).Err(); err != nil {
		return err
	}
	if err := giver.Do(ctx, "cluster", "setslot", slot, "migrating", takerID).Err(); err != nil {
		return err
	}
	for {
		keys, err := giver.ClusterGetKeysInSlot(ctx, slot, 1).Result()
		if err != nil || len(keys) == 0 {
			return err
		}
		if err := giver.Do(ctx, "migrate", "127.0.0.1", strconv.Itoa(s.ports[to]), keys[0], 0, 5000).Err(); err != nil {
			return err
		}
	}
}

// giveSlot tells all servers that a master has a slot.
func (s *fleet) giveSlot(slot, to int) error {
	ctx := context.Background()
	nodes := make([]*redis.Client, len(s.ports))
	for i := range nodes {
		nodes[i] = s.Client(i)
		defer nodes[i].Close()
	}
	id, err := nodes[to].ClusterMyID(ctx).Result()
	if err != nil {
		return err
	}
	if err := nodes[to].Do(ctx, "cluster", "setslot", slot, "node", id).Err(); err != nil {
		return err
	}
	if err := nodes[to].Do(ctx, "cluster", "bumpepoch").Err(); err != nil { // so that all believe it
		return err
	}
	for _, node := range nodes {
		if err := node.Do(ctx, "cluster", "setslot", slot, "node", id).Err(); err != nil {
			return err
		}
	}
	return waitUntilAgreed(ctx, nodes)
}

// waitUntilAgreed waits until all servers see the same masters with the same slots and epochs. Until then a message that is on its way can give a slot back.
func waitUntilAgreed(ctx context.Context, nodes []*redis.Client) error {
	for {
		views := map[string]bool{}
		for _, node := range nodes {
			text, err := node.ClusterNodes(ctx).Result()
			if err != nil {
				return err
			}
			var masters []string
			for line := range strings.Lines(text) {
				if f := strings.Fields(line); len(f) > 7 {
					masters = append(masters, fmt.Sprint(f[0], f[6], f[8:]))
				}
			}
			slices.Sort(masters)
			views[strings.Join(masters, "\n")] = true
		}
		if len(views) == 1 {
			return nil
		}
		<-time.After(5 * time.Millisecond)
	}
}

// ownerIndex returns the number of the master that has a slot.
func (s *fleet) ownerIndex(t *testing.T, slot int) int {
	node := s.Client(0)
	defer node.Close()
	//lint:ignore SA1019 Redis before 7.0 has no CLUSTER SHARDS
	ranges, err := node.ClusterSlots(context.Background()).Result()
	require.NoError(t, err)
	for _, r := range ranges {
		if r.Start <= slot && slot <= r.End {
			return slices.Index(s.Addrs(), r.Nodes[0].Addr)
		}
	}
	t.Fatal("nobody has the slot")
	return 0
}

// TestSlotMovesOften: a slot goes from one master to the other and back, many times, while 8 callers submit to it. All submissions are acknowledged and count once, those
// with a Once key too that are sent twice.
func TestSlotMovesOften(t *testing.T) {
	s := startCluster(t, 2, 0)
	client := s.client(t)
	c := newCounter(t, client, Options{})
	slot, err := client.ClusterKeySlot(context.Background(), c.keys.Fence(0)).Result()
	require.NoError(t, err)
	c.add(t, "m0", "")
	from := s.ownerIndex(t, int(slot))
	moving := new(atomic.Bool)
	moving.Store(true)
	var callers sync.WaitGroup
	counted := make([]int64, 8)
	for i := range counted {
		callers.Go(func() {
			for n := 0; moving.Load() || n < 10; n++ {
				sub := board.Submission{Member: fmt.Sprint("m", i), Score: board.Ints(1)}
				times := 1
				if n%3 == 0 {
					sub.Once, times = fmt.Sprint(i, " ", n), 2
				}
				for range times {
					if _, err := c.Apply(t.Context(), sub); err != nil {
						t.Error(err)
						return
					}
				}
				counted[i]++
			}
		})
	}
	for range 40 {
		if err := s.moveSlot(int(slot), from, 1-from); err != nil {
			t.Error(err)
			break
		}
		from = 1 - from
	}
	moving.Store(false)
	callers.Wait()
	want := map[string]int64{}
	for i, n := range counted {
		want[fmt.Sprint("m", i)] = n
	}
	want["m0"]++
	require.NoError(t, c.same(want, "all"))
	c.checkStored(t)
	t.Log(want)
}

// TestSlotHalfMoved: the keys of a slot are at another master, which does not have the slot yet. Reads find them there. A script, some of whose keys do not exist, is
// refused by both until the slot has moved: a submission waits, and counts once.
func TestSlotHalfMoved(t *testing.T) {
	s := startCluster(t, 2, 0)
	client, waits := s.client(t), &refusals{word: "TRYAGAIN"}
	client.OnNewNode(func(node *redis.Client) { node.AddHook(waits) })
	c := newCounter(t, client, Options{})
	slot, err := client.ClusterKeySlot(context.Background(), c.keys.Fence(0)).Result()
	require.NoError(t, err)
	c.add(t, "ada", "")
	from := s.ownerIndex(t, int(slot))
	require.NoError(t, s.sendKeys(int(slot), from, 1-from))
	require.NoError(t, c.same(map[string]int64{"ada": 1}, "all"))
	done := make(chan error)
	go func() {
		_, err := c.Apply(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1)})
		done <- err
	}()
	require.Eventually(t, func() bool { return waits.n.Load() > 0 }, time.Minute, time.Millisecond)
	require.NoError(t, c.same(map[string]int64{"ada": 1}, "all"))
	require.NoError(t, s.giveSlot(int(slot), 1-from))
	require.NoError(t, <-done)
	require.NoError(t, c.same(map[string]int64{"ada": 2}, "all"))
	c.checkStored(t)
}
