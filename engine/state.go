package engine

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine/internal/checkpoint"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/lifetime"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/engine/internal/private"
	"github.com/zrankdb/zrank/engine/internal/residency"
	"github.com/zrankdb/zrank/engine/internal/undo"
	"github.com/zrankdb/zrank/engine/internal/waitqueue"
	"github.com/zrankdb/zrank/internal/owner"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// manager runs transactions.
type manager struct {
	life        *lifetime.Lifetime
	clock       func() time.Time
	events      *observe.Dispatcher
	counters    *observe.Counters
	slow        *observe.SlowCalls
	locks       *locks.Table
	keys        *keyspace.Keyspace
	checkpoints *checkpoint.Manager
	residency   *residency.Manager
	store       *persist.Store  // nil: memory only
	numbers     *persist.MemLog // numbers the commits in memory only
	private     private.Keys
	waiters     *waitqueue.Queue
	expiries    *keyspace.Expiries
	collector   sync.Once // starts the goroutine that drops sets whose time is up
	pressure    *residency.Pressure

	maxSets   int           // 0: any number
	maxMemory int64         // bytes of all sets without a store; 0: any. With a store the limit is Accounts.Limit
	emptied   atomic.Uint64 // the last commit that left a set without members
}

// mode says what a transaction may do.
type mode uint8

const (
	write    mode = 1 << iota // change its sets
	keepCold                  // do not load sets that are on the disk only: the transaction may drop them, but not read them
	owning                    // change reserved keys
	demand                    // lock sets when the closure asks for them
)

// Tx is a transaction. It is for the closure that it is given to, in that goroutine only.
type Tx struct {
	m        *manager
	ctx      context.Context // ends the waits for locks, and for room
	sets     []*handle       // in order of keys, locked
	adopted  *locks.Lock     // the lock of the staged set that the transaction has adopted; nil: none
	made     []*pending      // sets that the transaction has made in place of others, locked too
	now      time.Time       // zero until the transaction asks for it
	write    bool
	asIs     bool // KeepCold
	done     bool
	logged   bool            // the commit has changed something
	owner    bool            // it may change reserved keys
	onDemand bool            // it locks sets when the closure asks for them: see demand.go
	brief    bool            // a View of one key by a reader that is soon done: it may be a guest
	guest    bool            // it is one, and sees the set as it was before the transaction that has it locked for writing
	again    *restart        // the closure is to run again; nil: it is not
	mu       sync.Mutex      // guards sets while the closure runs: see add
	stripes  private.Stripes // of the private keys that it has locked; the closure's goroutine writes it
	known    private.Stripes // that it locks before its closure runs: those that earlier runs have asked for
	blind    []string        // the keys of sets that it changes by blind writes, in order
	steps    int             // changes of members, for breathe
	next     time.Duration   // when guests may come again, by Counters.Now
	private  map[string]private.Value
	notes    persist.Notes // of the commit
	pass     residency.Pass
	enders   []owner.Ender // are told of the end

	viewed []string      // keys of beginView
	began  time.Duration // when the call began, by Counters.Now; 0: not measured

	closure locks.Closure
	texts   undo.Texts // of the undo logs of sets
	one     struct {   // room for sets of one key, which most transactions name
		handle handle
		list   [1]*handle
		keys   [1]string // of BeginView
		enders [2]owner.Ender
	}
	several struct { // backs the handles of several keys
		handles []handle
		list    []*handle
	}
}

// handle is a key inside a transaction, the common part of Set and IntSet. The engine works on handles, with scores of either kind as
// zset.As[int64] shows them.
type handle struct {
	tx       *Tx
	key      string
	lock     *locks.Lock   // the key's
	*pending               // the set that the key has now
	own      pending       // the set that was locked under the key
	named    bool          // in Tx.blind
	view     *zset.IntView // of the set that the key has now; nil until it is first used
	floats   Set
	ints     IntSet
}

// pending is a set and what a transaction does to it. Each key of a transaction begins with the pending of the set that was locked
// under it. A key that is dropped, or that gets another key's set, gets another pending. A pending without a key is dropped by the
// commit.
type pending struct {
	S       *keyspace.Set
	owner   *handle // the key that it belongs to; nil: none
	version uint64  // before the transaction
	expires int64   // before
	sum     uint64  // the digest before
	undo    undo.Log
	blind   *keyspace.Blind // of a set that the transaction has not read, with its blind writes; nil: it is in memory
	whole   bool            // the commit writes all members, not only those in undo
	shown   int             // the records in undo that S.Rare.Image has
}

// Set is a sorted set inside a transaction. It has the reading methods of zset.View, and changes that commit with the
// transaction. It is valid until the closure returns.
//
// The rules of zset for walks hold here: the caller must not change a set during a walk (Range, RevRange), and the members and ties that
// a walk yields alias the set until its next change. To change a set by what a walk finds, collect the entries first with Append, which
// copies. Other sets of the transaction may change meanwhile.
type Set struct {
	*zset.View
	writer[float64]
}

// IntSet is a Set with int64 scores, exact over their whole range. It has the reading methods of zset.IntView.
type IntSet struct {
	*zset.IntView
	writer[int64]
}

// writer is the writing half of Set and of IntSet. Its methods refuse a set of the other kind, because the key may have got one since.
type writer[S zset.Score] struct{ h *handle }

// changes walks the sets that were locked, and then those that the transaction has made.
func (tx *Tx) changes(yield func(*pending) bool) {
	for _, s := range tx.sets {
		if !yield(&s.own) {
			return
		}
	}
	for _, c := range tx.made {
		if !yield(c) {
			return
		}
	}
}

// counted counts a transaction as committed or rolled back.
func (tx *Tx) counted(committed bool) {
	s := tx.m.counters.Mine()
	switch {
	case tx.again != nil: // it has been counted as a restart
	case !committed:
		s.RolledBack.Add(1)
	case tx.logged:
		s.Commits.Add(1)
	}
}

// noteEnd makes an Update tell of its end. Enders are told in the order in which they were noted.
func noteEnd(tx *Tx, e owner.Ender) {
	if tx.enders == nil {
		tx.enders = tx.one.enders[:0]
	}
	tx.enders = append(tx.enders, e)
}

// Context returns the context of the call that runs the transaction.
func (tx *Tx) Context() context.Context { return tx.ctx }

// ended tells the enders.
func (tx *Tx) ended(committed bool) {
	for _, e := range tx.enders {
		e.Ended(committed)
	}
}

// newTx returns a transaction that is about to begin.
func (m *manager) newTx(ctx context.Context, how mode) *Tx {
	return &Tx{m: m, ctx: ctx, write: how&write != 0, asIs: how&keepCold != 0, owner: how&owning != 0, onDemand: how&demand != 0}
}
