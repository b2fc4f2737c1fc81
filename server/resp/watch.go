package resp

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine"
)

// A watched key has changed if its sorted set has another last commit than when it was watched, whoever has made that: a client, the
// Go program, a board. So has one whose time has come since. Plain values have no such number: who stores one tells the clients that
// watch its key, as does who makes a set where there was none, which is told from one that was made and is gone again. Only what
// the Go program makes and drops again goes unseen.
//
// W1: who tells has locked the key, and EXEC asks with the key locked. So a client has been told of all that was before.

// watched is a key as it was when a client began to watch it.
type watched struct {
	name string
	seq  uint64 // of its sorted set; 0: it had none
	kind kind   // of its plain value
}

// maxWatched is how many keys a client may watch: so many fit in a transaction with those of its commands.
const maxWatched = engine.MaxKeys / 2

func watch(c *client, a [][]byte) error {
	if c.multi != nil {
		return errWatchInside
	}
	var names []string
	size := c.watchedBytes
	for _, key := range a[1:] {
		name := c.names.of(c.db, key)
		names, size = append(names, name), size+len(name)+stepBytes
	}
	if len(c.watched)+len(names) > maxWatched || size > c.s.o.MaxRequest || !c.account.Take(size-c.watchedBytes) {
		return refusal(fmt.Sprintf("ERR more keys are watched than the limits of %d and %d bytes", maxWatched, c.s.o.MaxRequest))
	}
	c.watchedBytes = size
	err := c.transact(names, false, func(t *txn) error {
		for _, name := range names {
			w, err := t.watch(name)
			if err != nil {
				return err
			}
			c.watched = append(c.watched, w)
			c.s.watchers.enter(name, c)
		}
		return nil
	})
	if err == nil {
		c.out.OK()
	}
	return err
}

func unwatch(c *client, _ [][]byte) error {
	c.unwatch()
	c.out.OK()
	return nil
}

// unwatch forgets the keys that are watched.
func (c *client) unwatch() {
	if len(c.watched) > 0 {
		for _, w := range c.watched {
			c.s.watchers.leave(w.name, c)
		}
		c.watched = nil
	}
	c.account.Give(c.watchedBytes)
	c.watchedBytes = 0
	c.told.Store(false)
}

// watch returns what a key holds.
func (t *txn) watch(name string) (w watched, err error) {
	stat, err := t.tx.Stat(name)
	if err != nil {
		return w, err
	}
	w.name, w.seq = name, stat.LastSeq
	w.kind, err = t.plainKind(name)
	return w, err
}

// watchedChanged says whether a key that the client watches is not as it was.
func (t *txn) watchedChanged() (bool, error) {
	for _, was := range t.c.watched {
		if is, err := t.watch(was.name); err != nil || is != was {
			return true, err
		}
	}
	return t.c.told.Load(), nil
}

// watchers are the clients that watch keys.
type watchers struct {
	n  atomic.Int64 // keys
	mu sync.Mutex
	of map[string]map[*client]struct{}
}

func (w *watchers) enter(name string, c *client) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of == nil {
		w.of = map[string]map[*client]struct{}{}
	}
	if w.of[name] == nil {
		w.of[name] = map[*client]struct{}{}
	}
	w.of[name][c] = struct{}{}
	w.n.Store(int64(len(w.of)))
}

func (w *watchers) leave(name string, c *client) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.of[name], c)
	if len(w.of[name]) == 0 {
		delete(w.of, name)
	}
	w.n.Store(int64(len(w.of)))
}

// tell tells those who watch a key that it has changed.
func (w *watchers) tell(name string) {
	if w.n.Load() == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.of[name] {
		c.told.Store(true)
	}
}

// any says whether somebody watches the key.
func (w *watchers) any(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.of[name]) > 0
}

// absent returns the keys of a command that are watched and hold no sorted set.
func (t *txn) absent(s step) (names []string) {
	s.m.each(s.db, s.a, func(db int, key []byte) {
		name := t.c.names.of(db, key)
		if !t.c.s.watchers.any(name) {
			return
		}
		if stat, err := t.tx.Stat(name); err == nil && !stat.Exists {
			names = append(names, name)
		}
	})
	return names
}

// tellOfNew tells those who watch keys that have a sorted set now, and had none before.
func (t *txn) tellOfNew(absent []string) {
	for _, name := range absent {
		if stat, err := t.tx.Stat(name); err == nil && stat.Exists {
			t.c.s.watchers.tell(name)
		}
	}
}
