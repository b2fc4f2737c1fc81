package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/zset"
)

// killChild is the environment variable that makes the test program the child process that is killed: it holds the directory and a seed. The child
// reports to its standard output, each line in one write, so that a kill cannot tear it:
//
//	opened               Open has returned
//	begun                the gold is there
//	acked WORKER N KIND  the N-th transaction of a worker has returned, in the whole life of the directory
//	did KIND             a call on the big sets has returned
const killChild = "ZRANK_TEST_ENGINE_CHILD"

const (
	killWorkers  = 6
	killAccounts = 8
	killGold     = 800 // in all accounts and in the queue
	killBigs     = 3
	killBig      = 600 // members of a big set, each with 10 points at first
	killStage    = 4 << 10
)

// killKeys are where the gold is.
func killKeys() (keys []string) {
	for i := range killAccounts {
		keys = append(keys, fmt.Sprint("account", i))
	}
	return append(keys, "queue")
}

// TestKillChild is the child.
func TestKillChild(t *testing.T) {
	f := strings.Fields(os.Getenv(killChild))
	if len(f) == 0 {
		t.Skip("runs as a child process only")
	}
	require.NoError(t, killTraffic(f[0], uint64(number(f[1]))))
}

// killTraffic runs all workers and all operations on the big sets at once, until the process is killed.
func killTraffic(dir string, seed uint64) error {
	e, err := Open(dir, Options{SnapshotBytes: 256 << 10, MemoryLimit: 150 << 10, FeedBytes: 1 << 10})
	if err != nil {
		return err
	}
	e.ops.stageBytes, e.ops.pageWork = killStage, killStage
	fmt.Println("opened")
	if err := killBegin(e); err != nil {
		return err
	}
	fmt.Println("begun")
	failed := make(chan error)
	for w := range killWorkers {
		k := &killWorker{e: e, id: w, rng: rand.New(rand.NewPCG(seed, uint64(w)))}
		go func() { failed <- k.work() }()
	}
	go func() {
		rng := rand.New(rand.NewPCG(seed, killWorkers))
		for {
			if err := killBigOne(e, rng); err != nil {
				failed <- err
			}
		}
	}()
	return <-failed
}

// killBegin gives out the gold, once.
func killBegin(e *Engine) error {
	err := e.Update(context.Background(), func(tx *Tx) error {
		if _, begun, err := tx.Get("begun"); begun || err != nil {
			return err
		}
		s, err := tx.Set("account0")
		if err == nil {
			_, err = s.Add([]byte("gold"), killGold)
		}
		return errors.Join(err, tx.Put("begun", nil))
	}, "account0")
	if err != nil {
		return err
	}
	return e.Update(context.Background(), func(tx *Tx) error {
		s, err := tx.Set("big0")
		if err != nil || s.Len() > 0 {
			return err
		}
		for i := range killBig {
			if _, err := s.Add(killMember(i), 10); err != nil {
				return err
			}
		}
		return nil
	}, "big0")
}

func killMember(i int) []byte { return fmt.Appendf(nil, "member%050d", i) }

// killWorker makes numbered transactions: the number is a private key and a score.
type killWorker struct {
	e   *Engine
	id  int
	n   int
	rng *rand.Rand
}

func (k *killWorker) name() string { return fmt.Sprint("worker", k.id) }

func (k *killWorker) work() (err error) {
	err = k.e.View(context.Background(), func(tx *Tx) (err error) {
		k.n, err = killNumber(tx, k.name())
		return err
	})
	for err == nil {
		kind := killKinds[k.rng.IntN(len(killKinds))]
		err = k.one(kind)
		k.n++
		fmt.Printf("acked %d %d %s\n", k.id, k.n, kind)
	}
	return err
}

func killNumber(tx *Tx, name string) (n int, err error) {
	v, ok, err := tx.Get(name)
	if ok {
		_, err = fmt.Sscan(string(v), &n)
	}
	return n, err
}

var killKinds = []string{"pay", "pay", "pay", "rename", "copy", "drop", "push", "pop", "expire", "vanish"}

// one runs one transaction of a kind.
func (k *killWorker) one(kind string) error {
	p := k.rng.Perm(killAccounts)
	from, to, own := fmt.Sprint("account", p[0]), fmt.Sprint("account", p[1]), fmt.Sprint("own", k.id)
	return k.e.Update(context.Background(), func(tx *Tx) error {
		log, err := tx.Set("log")
		if err == nil {
			_, err = log.Add([]byte(k.name()), float64(k.n+1))
		}
		if err = errors.Join(err, tx.Put(k.name(), fmt.Append(nil, k.n+1))); err != nil {
			return err
		}
		switch kind {
		case "pay", "push", "pop":
			return k.move(tx, kind, from, to)
		case "expire", "vanish":
			return k.expire(tx, kind, from, own)
		}
		return k.pass(tx, kind, from, to)
	}, from, to, own, "queue", "log")
}

// move moves gold between accounts, or into the queue, or out of it.
func (k *killWorker) move(tx *Tx, kind, from, to string) error {
	a, errA := tx.Set(from)
	b, errB := tx.Set(to)
	queue, errQ := tx.Set("queue")
	if err := errors.Join(errA, errB, errQ); err != nil {
		return err
	}
	if kind == "pop" {
		popped, err := queue.PopMin(1)
		for _, x := range popped {
			_, err = a.IncrBy([]byte("gold"), x.Score)
		}
		return err
	}
	has, _ := a.Score([]byte("gold"))
	amount := min(has, float64(1+k.rng.IntN(50)))
	if amount == 0 {
		return nil
	}
	member := []byte("gold")
	if kind == "push" {
		b, member = queue, fmt.Append(nil, k.name(), k.n)
	}
	_, err := b.IncrBy(member, amount)
	if has == amount {
		return errors.Join(err, second(a.Remove([]byte("gold"))))
	}
	return errors.Join(err, second(a.IncrBy([]byte("gold"), -amount)), second(a.Add(fmt.Append(nil, "junk", k.rng.IntN(9)), 1)))
}

// pass hands all the gold of two accounts over to one, which has been renamed, or copied, or was there when the other was dropped.
func (k *killWorker) pass(tx *Tx, kind, from, to string) error {
	a, errA := tx.Set(from)
	b, errB := tx.Set(to)
	if err := errors.Join(errA, errB); err != nil {
		return err
	}
	if kind == "drop" {
		a, b = b, a
	}
	gold, _ := b.Score([]byte("gold"))
	if gold > 0 {
		if _, err := a.IncrBy([]byte("gold"), gold); err != nil {
			return err
		}
	}
	if a.Len() == 0 {
		return nil
	}
	switch kind {
	case "rename":
		return tx.Rename(from, to)
	case "copy":
		return errors.Join(tx.Copy(from, to), second(tx.Drop(from)))
	}
	return second(tx.Drop(from))
}

// expire gives an account a time that is far away, or makes a set of the worker's own that is soon gone.
func (k *killWorker) expire(tx *Tx, kind, account, own string) error {
	if kind == "expire" {
		s, err := tx.Set(account)
		if err == nil && k.rng.IntN(2) == 0 {
			_, err = s.ExpireIn(time.Hour)
		} else if err == nil {
			_, err = s.Persist()
		}
		return err
	}
	if _, err := tx.Drop(own); err != nil {
		return err
	}
	s, err := tx.Set(own)
	if err == nil {
		_, err = s.Add([]byte("x"), 1)
	}
	if err == nil {
		_, err = s.ExpireIn(time.Duration(k.rng.IntN(30)) * time.Millisecond)
	}
	return err
}

// killBigOne runs one random operation on the big sets. Each big set always has all members and the same sum of points.
func killBigOne(e *Engine, rng *rand.Rand) error {
	ctx, from, to := context.Background(), fmt.Sprint("big", rng.IntN(killBigs)), fmt.Sprint("big", rng.IntN(killBigs))
	kinds := []string{"shuffle", "shuffle", "shuffle", "shuffle", "copy", "union", "range", "rename", "delete"}
	kind := kinds[rng.IntN(len(kinds))]
	there, err := e.Exists(ctx, from)
	if there == 0 && err == nil {
		from = "big0"
	}
	switch {
	case err != nil:
	case kind == "copy":
		_, err = e.Copy(ctx, from, to)
	case kind == "union":
		_, err = e.UnionStore(ctx, to, zset.Combine[float64]{}, from)
	case kind == "range":
		_, err = e.RangeStore(ctx, to, from, func(v *zset.View) (lo, hi int) { return 0, v.Len() })
	case kind == "rename" && from != "big0":
		err = e.Rename(ctx, from, to)
	case kind == "delete" && from != "big0":
		_, err = e.Delete(ctx, from)
	default:
		kind, err = "shuffle", killShuffle(e, rng, from)
	}
	fmt.Println("did", kind)
	return err
}

// killShuffle moves points between members of a big set.
func killShuffle(e *Engine, rng *rand.Rand, key string) error {
	return e.Update(context.Background(), func(tx *Tx) error {
		s, err := tx.Set(key)
		for range 20 {
			by := float64(rng.IntN(9))
			for _, by := range []float64{by, -by} {
				if err == nil {
					_, err = s.IncrBy(killMember(rng.IntN(killBig)), by)
				}
			}
		}
		return err
	}, key)
}
