package replica

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/engine"
)

const (
	scanStep = 500 // keys that SCAN returns at a time
	copyStep = 100 // keys that are copied at a time
)

// place is a key of a database.
type place struct {
	db  int
	key string
}

// scanner copies keys by their values.
type scanner struct {
	o      Options
	t      *tracker
	source map[int]*redis.Client // by database
	ours   map[int]*redis.Client
	server *local
	events chan place
	again  chan struct{} // has an element if notifications may have been lost
	dirty  map[place]bool
}

// scan copies by SCAN and keyspace notifications until ctx ends, and goes through all keys once more then.
func scan(ctx context.Context, e *engine.Engine, o Options, t *tracker) (inStep bool, err error) {
	if err := prepare(ctx, e, o); err != nil {
		return false, err
	}
	server, err := newLocal(ctx, e)
	if err != nil {
		return false, err
	}
	s := &scanner{o: o, t: t, source: map[int]*redis.Client{}, ours: map[int]*redis.Client{}, server: server, events: make(chan place, 1<<14), again: make(chan struct{}, 1), dirty: map[place]bool{}}
	defer func() { err = errors.Join(err, s.close()) }()
	work := context.WithoutCancel(ctx)
	if err := s.client(0).Ping(ctx).Err(); err != nil {
		return false, refusedBy(err)
	}
	s.enable(work)
	listening, stop := context.WithCancel(work)
	defer stop()
	ready := make(chan struct{})
	go s.listen(listening, ready)
	<-ready
	if err := s.pass(ctx, Copying); err != nil {
		return false, err
	}
	if err := s.follow(ctx); err != nil {
		return false, err
	}
	last, cancel := context.WithTimeout(work, o.Patience)
	defer cancel()
	if err := s.pass(last, Passing); err != nil || last.Err() != nil {
		return false, err
	}
	return true, nil
}

func (s *scanner) close() error {
	var errs []error
	for _, all := range []map[int]*redis.Client{s.source, s.ours} {
		for _, c := range all {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(append(errs, s.server.Close())...)
}

// refusedBy returns ErrSource for a reply of the source, and other errors as they are.
func refusedBy(err error) error {
	var reply redis.Error
	if errors.As(err, &reply) {
		return fmt.Errorf("%w: %w", ErrSource, err)
	}
	return err
}

// client returns the client of a database of the source.
func (s *scanner) client(db int) *redis.Client {
	if s.source[db] == nil {
		s.source[db] = s.o.client(db)
	}
	return s.source[db]
}

func (s *scanner) our(db int) *redis.Client {
	if s.ours[db] == nil {
		s.ours[db] = s.server.client(db)
	}
	return s.ours[db]
}

// enable turns notifications on, if the source lets itself be configured.
func (s *scanner) enable(ctx context.Context) {
	c := s.client(0)
	now, err := c.ConfigGet(ctx, "notify-keyspace-events").Result()
	flags := now["notify-keyspace-events"]
	has := strings.Contains(flags, "K") && (strings.Contains(flags, "A") || strings.Contains(flags, "z") && strings.Contains(flags, "g") && strings.Contains(flags, "x"))
	if err == nil && !has {
		err = c.ConfigSet(ctx, "notify-keyspace-events", "KA").Err()
	}
	if err != nil {
		s.t.update(func(st *Status) {
			st.Warnings = append(st.Warnings, fmt.Sprintf("keyspace notifications cannot be turned on (%v): if they are off, changes are found by the last pass only", err))
		})
	}
}

var channel = regexp.MustCompile(`(?s)^__keyspace@(\d+)__:(.*)$`)

// listen collects keys that have changed, until ctx ends. It says ready when it is subscribed for the first time.
func (s *scanner) listen(ctx context.Context, ready chan<- struct{}) {
	sub := s.o.client(0)
	defer func() { _ = sub.Close() }()
	p := sub.PSubscribe(ctx, "__keyspace@*__:*")
	defer func() { _ = p.Close() }()
	first := true
	for ctx.Err() == nil {
		m, err := p.Receive(ctx)
		if first {
			first = false
			close(ready)
		}
		switch m := m.(type) {
		case *redis.Message:
			if at := channel.FindStringSubmatch(m.Channel); at != nil {
				db, _ := strconv.Atoi(at[1])
				select {
				case s.events <- place{db, at[2]}:
				case <-ctx.Done():
				}
			}
			continue
		case *redis.Subscription: // also after a lost connection: what was said meanwhile is not known
			s.lost()
			continue
		}
		if err != nil && ctx.Err() == nil {
			s.lost()
			s.t.update(func(st *Status) { st.Lost++ })
			select {
			case <-time.After(firstWait):
			case <-ctx.Done():
			}
		}
	}
}

// lost says that notifications may have been lost.
func (s *scanner) lost() {
	select {
	case s.again <- struct{}{}:
	default:
	}
}

// follow copies keys that change, and all keys where notifications were lost, until ctx ends.
func (s *scanner) follow(ctx context.Context) error {
	s.t.update(func(st *Status) { st.Phase = Following })
	for {
		select {
		case p := <-s.events:
			s.dirty[p] = true
			s.drain()
			if err := s.copyDirty(context.WithoutCancel(ctx)); err != nil {
				return err
			}
		case <-s.again:
			if err := s.pass(ctx, Copying); err != nil {
				return err
			}
			s.t.update(func(st *Status) { st.Phase = Following })
		case <-ctx.Done():
			return nil
		}
	}
}

// drain takes all notifications that wait.
func (s *scanner) drain() {
	for {
		select {
		case p := <-s.events:
			s.dirty[p] = true
		default:
			s.t.update(func(st *Status) { st.Pending = len(s.dirty) })
			return
		}
	}
}

// pass goes through all keys of the source and copies them, deletes keys of ours that it does not have, and copies what changes meanwhile.
func (s *scanner) pass(ctx context.Context, phase Phase) error {
	select {
	case <-s.again: // what this pass does
	default:
	}
	s.t.update(func(st *Status) { st.Phase, st.Keys, st.Copies = phase, 0, st.Copies+1 })
	for db, err := range usedDatabases(ctx, s.client(0), s.server) {
		if err != nil {
			return stopped(ctx, err)
		}
		for _, of := range []*redis.Client{s.client(db), s.our(db)} {
			if err := s.passOf(ctx, of, db); err != nil {
				return stopped(ctx, err)
			}
		}
	}
	s.drain()
	return stopped(ctx, s.copyDirty(context.WithoutCancel(ctx)))
}

// stopped returns nil in place of an error that came because ctx has ended.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// passOf copies the keys that a client finds.
func (s *scanner) passOf(ctx context.Context, c *redis.Client, db int) error {
	cursor := uint64(0)
	for {
		keys, next, err := c.Scan(ctx, cursor, "*", scanStep).Result()
		if err != nil {
			return err
		}
		for _, key := range keys {
			if !isOfBoards(key) {
				s.dirty[place{db, key}] = true
			}
		}
		s.drain()
		if err := s.copyDirty(ctx); err != nil {
			return err
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}

func isOfBoards(key string) bool {
	return strings.HasPrefix(key, "board/") || strings.HasPrefix(key, "board.")
}

// copyDirty copies the keys that have changed.
func (s *scanner) copyDirty(ctx context.Context) error {
	by := map[int][]string{}
	for p := range s.dirty {
		by[p.db] = append(by[p.db], p.key)
		delete(s.dirty, p)
	}
	for db, keys := range by {
		for len(keys) > 0 {
			n := min(len(keys), copyStep)
			if err := s.copy(ctx, db, keys[:n]); err != nil {
				return err
			}
			keys = keys[n:]
			s.t.update(func(st *Status) { st.Keys, st.Pending = st.Keys+int64(n), len(keys) })
		}
	}
	s.t.update(func(st *Status) { st.Pending = len(s.dirty) })
	return nil
}

// copy copies keys of a database as they are now.
func (s *scanner) copy(ctx context.Context, db int, keys []string) error {
	values, err := fetch(ctx, s.client(db), keys)
	if err != nil {
		return err
	}
	p := s.our(db).Pipeline()
	for _, v := range values {
		if v.gone {
			p.Del(ctx, v.key)
			continue
		}
		args := []any{"RESTORE", v.key, v.expires, v.dump, "REPLACE"}
		if v.expires > 0 {
			args = append(args, "ABSTTL")
		}
		p.Do(ctx, args...)
	}
	replies, _ := p.Exec(ctx)
	for i, r := range replies {
		var reply redis.Error
		switch err := r.Err(); {
		case err == nil, errors.Is(err, redis.Nil):
		case errors.As(err, &reply):
			if derr := s.our(db).Del(ctx, values[i].key).Err(); derr != nil { // what it was before is wrong
				return derr
			}
			kind, kerr := s.client(db).Type(ctx, values[i].key).Result()
			if kerr != nil {
				return kerr
			}
			s.t.update(func(st *Status) { leaveOut(st.Types, kind, values[i].key) })
		default:
			return err
		}
	}
	return nil
}

// value is a value of a key as DUMP writes it.
type value struct {
	key     string
	gone    bool
	dump    string
	expires int64 // in milliseconds after 1970; 0: never
}

// fetch returns the values of keys.
func fetch(ctx context.Context, c *redis.Client, keys []string) (list []value, err error) {
	p := c.TxPipeline() // so that value and expiry are of one moment
	var dumps []*redis.StringCmd
	var expiries []*redis.DurationCmd
	var now *redis.TimeCmd
	for _, key := range keys {
		dumps = append(dumps, p.Dump(ctx, key))
		expiries = append(expiries, p.PTTL(ctx, key))
	}
	now = p.Time(ctx)
	if _, err := p.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return nil, err
	}
	for i, key := range keys {
		text, err := dumps[i].Result()
		v := value{key: key, dump: text, gone: errors.Is(err, redis.Nil)}
		if err != nil && !v.gone {
			return nil, err
		}
		if left := expiries[i].Val(); left > 0 {
			v.expires = now.Val().Add(left).UnixMilli()
		}
		list = append(list, v)
	}
	return list, nil
}
