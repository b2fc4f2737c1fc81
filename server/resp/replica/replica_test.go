package replica

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/redistest"
)

// source is a redis-server of a test.
type source struct {
	t *testing.T
	*redistest.Servers
	c *redis.Client
}

func newSource(t *testing.T, arguments ...string) *source {
	servers, err := redistest.Start(t.TempDir(), 1, append([]string{"--save", "", "--repl-backlog-size", "64mb", "--repl-diskless-sync-delay", "0"}, arguments...)...)
	if errors.Is(err, redistest.ErrNone) {
		t.Skip("no redis-server")
	}
	require.NoError(t, err)
	t.Cleanup(servers.Close)
	s := &source{t, servers, servers.Client(0)}
	t.Cleanup(func() { _ = s.c.Close() })
	return s
}

func (s *source) options() Options {
	return Options{Address: s.Addr(0), Patience: time.Minute, Logger: slog.New(slog.NewTextHandler(s.t.Output(), nil))}
}

// newEngine returns an engine on a disk in memory, and what it is reopened on.
func newEngine(t *testing.T, fs *memfs.FS) *engine.Engine {
	e, err := engine.Open("data", engine.Options{FS: fs, Durability: engine.None})
	require.NoError(t, err)
	return e
}

// fill makes keys of all kinds.
func (s *source) fill() {
	p := s.c.Pipeline()
	ctx := s.t.Context()
	for i := range 300 {
		for k := range 1 + i%7*40 {
			p.ZAdd(ctx, fmt.Sprint("lb:", i), redis.Z{Member: fmt.Sprint("m", k), Score: float64(k*k) / 3})
		}
	}
	p.Set(ctx, "text", strings.Repeat("abc", 1000), 0)
	p.Set(ctx, "gone soon", "x", time.Hour)
	p.SAdd(ctx, "set", 1, 2, "three")
	p.LPush(ctx, "list", 1, 2)
	p.HSet(ctx, "hash", "a", 1)
	p.Select(ctx, 5)
	p.ZAdd(ctx, "lb:other", redis.Z{Member: "a\x00\xff", Score: 1})
	p.Select(ctx, 0)
	_, err := p.Exec(ctx)
	require.NoError(s.t, err)
}

// mostChanges is how many changes a writer makes.
const mostChanges = 4000

// load changes keys from writers until stop is called, or each has made its changes.
func (s *source) load(writers int) (stop func() (changes int64)) {
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	var n atomic.Int64
	for w := range writers {
		all.Go(func() {
			c := s.Client(0)
			defer func() { _ = c.Close() }()
			r := rand.New(rand.NewPCG(uint64(w), 7))
			for range mostChanges {
				if ctx.Err() != nil {
					return
				}
				if change(ctx, c, r) == nil {
					n.Add(1)
				}
			}
		})
	}
	return func() int64 {
		cancel()
		all.Wait()
		return n.Load()
	}
}

// change makes a random change.
func change(ctx context.Context, c *redis.Client, r *rand.Rand) error {
	key, member := fmt.Sprint("lb:", r.IntN(40)), fmt.Sprint("m", r.IntN(200))
	switch r.IntN(16) {
	case 0:
		return c.ZRem(ctx, key, member).Err()
	case 1:
		return c.ZPopMin(ctx, key).Err()
	case 2:
		return c.Set(ctx, "text", member, 0).Err()
	case 3:
		return c.SAdd(ctx, "set", r.IntN(50)).Err()
	case 4:
		return c.Expire(ctx, key, time.Duration(1000+r.IntN(1000))*time.Second).Err()
	case 5:
		return c.Persist(ctx, key).Err()
	case 6:
		_, err := c.TxPipelined(ctx, func(p redis.Pipeliner) error { // with a command that we do not know among the others
			p.ZIncrBy(ctx, key, 1, member)
			p.RPush(ctx, "list", member)
			p.ZIncrBy(ctx, key, -3, "m1")
			return nil
		})
		return err
	case 7:
		return c.ZUnionStore(ctx, "union", &redis.ZStore{Keys: []string{key, "lb:2"}, Weights: []float64{1, 2}}).Err()
	case 8:
		return c.Rename(ctx, "union", "renamed").Err()
	case 9:
		return c.Del(ctx, fmt.Sprint("lb:", 100+r.IntN(200))).Err()
	case 10:
		return c.Eval(ctx, "redis.call('ZADD', KEYS[1], 5, ARGV[1]); return redis.call('ZINCRBY', KEYS[1], 2, ARGV[1])", []string{key}, member).Err()
	default:
		return c.ZIncrBy(ctx, key, float64(r.IntN(100))/7, member).Err()
	}
}

// same compares everything.
func (s *source) same(e *engine.Engine) *Comparison {
	s.t.Helper()
	c, err := Compare(s.t.Context(), e, s.options())
	require.NoError(s.t, err)
	require.Empty(s.t, c.Differences)
	require.Positive(s.t, c.Keys)
	return c
}

// running is a Run in the background.
type running struct {
	t      *testing.T
	cancel context.CancelFunc
	done   chan struct{}
	report Report
	err    error
	last   atomic.Pointer[Status]
}

func run(t *testing.T, e *engine.Engine, o Options) *running {
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{t: t, cancel: cancel, done: make(chan struct{})}
	o.Progress = func(s Status) { r.last.Store(&s) }
	go func() {
		defer close(r.done)
		r.report, r.err = Run(ctx, e, o)
	}()
	t.Cleanup(func() { cancel(); <-r.done })
	return r
}

// until waits for a status.
func (r *running) until(what string, is func(s Status) bool) {
	r.t.Helper()
	require.Eventually(r.t, func() bool {
		select {
		case <-r.done:
			require.NoError(r.t, r.err)
			return true
		default:
		}
		s := r.last.Load()
		return s != nil && is(*s)
	}, 2*time.Minute, 5*time.Millisecond, what)
}

// stop ends the Run, which must be in step.
func (r *running) stop() Report {
	r.t.Helper()
	r.cancel()
	<-r.done
	require.NoError(r.t, r.err)
	require.True(r.t, r.report.InStep, "%+v", r.report)
	return r.report
}

// TestReplication copies a source while 16 writers go on, with connections cut at random, and compares every key when they have stopped.
func TestReplication(t *testing.T) {
	s := newSource(t)
	s.fill()
	require.NoError(t, s.c.FunctionLoad(t.Context(), "#!lua name=one\nredis.register_function('one', function() return 1 end)").Err())
	fs := memfs.NewCrashable()
	e := newEngine(t, fs)
	stop := s.load(16)
	r := run(t, e, s.options())
	r.until("it follows", func(s Status) bool { return s.Phase == Following && s.Commands > 1000 })
	for i := range 4 {
		at := r.last.Load().Commands
		require.NoError(t, s.c.Do(t.Context(), "CLIENT", "KILL", "TYPE", "replica").Err())
		r.until("it goes on", func(s Status) bool { return s.Lost == i+1 && s.Phase == Following && s.Commands > at+100 })
	}
	changes := stop()
	report := r.stop()
	require.Equal(t, 1, report.Copies, "lost connections do not copy everything again")
	require.Equal(t, 4, report.Lost)
	require.Greater(t, report.Commands, changes/2)
	require.EqualValues(t, 1, report.Types["list"].N)
	require.EqualValues(t, 1, report.Types["hash"].N)
	require.Equal(t, 1, report.Unkeyed.Functions)
	require.Positive(t, report.Commanded["RPUSH"].N)
	require.Len(t, report.Commanded, 1, "%v", report.Commanded)
	c := s.same(e)
	require.EqualValues(t, 1, c.Types["hash"].N)
	require.NoError(t, e.Close())
	e = newEngine(t, fs)
	s.same(e)

	// A process that begins again has a new copy, without what is gone meanwhile.
	require.NoError(t, s.c.Del(t.Context(), "lb:1").Err())
	r = run(t, e, s.options())
	r.until("it follows", func(s Status) bool { return s.Phase == Following })
	r.stop()
	s.same(e)
	require.NoError(t, e.Close())
}

// TestKilled ends the process of the copy with a power cut, and takes its history from the source: both lead to a new copy, with nothing missing and nothing twice.
func TestKilled(t *testing.T) {
	s := newSource(t, "--enable-debug-command", "local")
	s.fill()
	fs := memfs.NewCrashable()
	e := newEngine(t, fs)
	stop := s.load(8)
	r := run(t, e, s.options())
	r.until("it follows", func(s Status) bool { return s.Phase == Following && s.Commands > 500 })
	require.NoError(t, s.c.Do(t.Context(), "DEBUG", "CHANGE-REPL-ID").Err())
	require.NoError(t, s.c.Do(t.Context(), "CLIENT", "KILL", "TYPE", "replica").Err())
	r.until("it copies again", func(s Status) bool { return s.Copies == 2 && s.Phase == Following && s.Commands > 1000 })
	cut := fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50, RNG: rand.New(rand.NewPCG(1, 2))})
	again := newEngine(t, cut)
	o := run(t, again, s.options())
	o.until("it follows", func(s Status) bool { return s.Phase == Following && s.Commands > 100 })
	stop()
	for _, x := range []*running{r, o} {
		x.stop()
	}
	s.same(e)
	s.same(again)
	require.NoError(t, e.Close())
	require.NoError(t, again.Close())
}

// TestScan copies by SCAN and notifications while writers go on.
func TestScan(t *testing.T) {
	s := newSource(t)
	s.fill()
	e := newEngine(t, memfs.NewCrashable())
	defer func() { require.NoError(t, e.Close()) }()
	stop := s.load(4)
	o := s.options()
	o.Method = Scan
	r := run(t, e, o)
	r.until("it follows", func(s Status) bool { return s.Phase == Following && s.Keys > 1000 })
	require.NoError(t, s.c.Do(t.Context(), "CLIENT", "KILL", "TYPE", "pubsub").Err())
	r.until("it begins again", func(s Status) bool { return s.Copies > 1 })
	stop()
	report := r.stop()
	require.EqualValues(t, Scan, report.Method)
	require.Positive(t, report.Types["list"].N)
	s.same(e)
}

// TestRefused copies from sources that refuse.
func TestRefused(t *testing.T) {
	s := newSource(t)
	require.NoError(t, s.c.Do(t.Context(), "ACL", "SETUSER", "app", "on", ">app", "~*", "&*", "+@all", "-psync", "-replconf", "-sync").Err())
	require.NoError(t, s.c.ConfigSet(t.Context(), "requirepass", "secret").Err())
	e := newEngine(t, memfs.NewCrashable())
	defer func() { require.NoError(t, e.Close()) }()
	fails := func(o Options, is error, why string) {
		t.Helper()
		_, err := Run(t.Context(), e, o)
		require.ErrorIs(t, err, is)
		require.ErrorContains(t, err, why)
	}
	o := s.options()
	fails(o, ErrSource, "NOAUTH")
	o.Password = "wrong"
	fails(o, ErrSource, "WRONGPASS")
	o.Username, o.Password, o.Method = "app", "app", Replication
	fails(o, ErrSource, "NOPERM")
	fails(Options{Address: "nowhere"}, ErrOptions, "host and port")
	_, err := Run(t.Context(), e, Options{Address: "127.0.0.1:1"})
	require.ErrorContains(t, err, "refused")

	admin := redis.NewClient(&redis.Options{Addr: s.Addr(0), Password: "secret"})
	defer func() { _ = admin.Close() }()
	require.NoError(t, admin.ZAdd(t.Context(), "lb", redis.Z{Member: "ada", Score: 3}).Err())
	o.Method = Auto // without the right to replicate, by SCAN
	r := run(t, e, o)
	r.until("it follows", func(s Status) bool { return s.Phase == Following && s.Method == Scan })
	report := r.stop()
	require.NotEmpty(t, report.Warnings)
	c, err := Compare(t.Context(), e, o)
	require.NoError(t, err)
	require.Equal(t, &Comparison{Keys: 1, Types: map[string]Tally{}}, c)
	require.NoError(t, admin.ZAdd(t.Context(), "lb", redis.Z{Member: "ada", Score: 4}).Err())
	require.NoError(t, admin.ZAdd(t.Context(), "more", redis.Z{Member: "ada", Score: 4}).Err())
	c, err = Compare(t.Context(), e, o)
	require.NoError(t, err)
	require.Len(t, c.Differences, 2)

}

// TestNotEmpty copies into engines that have keys.
func TestNotEmpty(t *testing.T) {
	s := newSource(t)
	e := newEngine(t, memfs.NewCrashable())
	defer func() { require.NoError(t, e.Close()) }()
	first := run(t, e, s.options())
	first.until("it follows", func(s Status) bool { return s.Phase == Following })
	first.stop()
	other := newSource(t)
	require.NoError(t, s.c.ZAdd(t.Context(), "lb", redis.Z{Member: "ada", Score: 1}).Err())
	first = run(t, e, s.options())
	first.until("it follows", func(s Status) bool { return s.Phase == Following })
	first.stop()
	_, err := Run(t.Context(), e, other.options())
	require.ErrorIs(t, err, ErrNotEmpty)
	require.ErrorContains(t, err, "copied from "+s.Addr(0))
	own := newEngine(t, memfs.NewCrashable())
	defer func() { require.NoError(t, own.Close()) }()
	require.NoError(t, own.Update(t.Context(), func(tx *engine.Tx) error {
		set, err := tx.Set("mine")
		if err == nil {
			_, err = set.IncrBy([]byte("ada"), 1)
		}
		return err
	}, "mine"))
	_, err = Run(t.Context(), own, other.options())
	require.ErrorIs(t, err, ErrNotEmpty)
	require.ErrorContains(t, err, "mine")
	o := other.options()
	o.Replace = true
	r := run(t, own, o)
	r.until("it follows", func(s Status) bool { return s.Phase == Following })
	r.stop()
	n, err := own.Count()
	require.NoError(t, err)
	require.Zero(t, n)
}

// TestParseURL reads URLs.
func TestParseURL(t *testing.T) {
	o, err := ParseURL("redis://app:p%40ss@example.org")
	require.NoError(t, err)
	require.Equal(t, Options{Address: "example.org:6379", Username: "app", Password: "p@ss"}, o)
	o, err = ParseURL("rediss://:secret@[::1]:7000/")
	require.NoError(t, err)
	require.Equal(t, "[::1]:7000", o.Address)
	require.NotNil(t, o.TLS)
	for _, wrong := range []string{"", "http://x", "redis://", "redis://x/3", "redis://x?db=1", "x:6379"} {
		_, err := ParseURL(wrong)
		require.ErrorIs(t, err, ErrOptions, wrong)
	}
}
