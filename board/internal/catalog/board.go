package catalog

import (
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/events"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/totals"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// Env is what the boards of an engine share.
type Env struct {
	Engine  *engine.Engine
	Owner   engine.Owner // of the same engine: changes the reserved keys, which hold boards
	Feeds   *events.Blocks
	Log     *slog.Logger
	Deleter *Deleter
	Idle    *Evictor
	// Observers are told of changes in open periods, in this order.
	Observers []Observer
	// OfClosed are told of changes in closed periods.
	OfClosed []Observer
	Jumps    JumpGuard

	Awards chan struct{} // has an element if awards may be there to be settled or delivered

	Closed chan struct{} // has an element if a closed period may be there to be indexed, or a job to be resumed

	Cohorts chan struct{} // has an element if a closed period may be there whose cohorts are to be settled, or a queue that is to be emptied

	Storing sync.Mutex // held while a union is stored or dropped

	stopped atomic.Bool // calls on the boards return ErrClosed
}

// Change is what a transaction does to the entry of a member in a period. Ranks are from 0;
// -1 stands for none, and for one that is not known. In a ranking of the best n all others have the
// rank n.
type Change struct {
	State   *state.State // of the board
	T       *state.Timeline
	Slot    *state.Slot
	Closed  bool // the period is closed: moderation changes it
	Member  []byte
	Why     feed.Kind      // the event that the change is, or is a part of; 0: none, as of groups and of results that leave
	Had     bool           // the member had an entry in the ranking, or beside it if Hidden
	Was     rules.Entry    // that entry
	Has     bool           // it has an entry now, likewise
	Is      rules.Entry    // that entry
	Before  int            // its rank, if it was ranked
	After   int            // its rank, if it is ranked
	Hidden  bool           // the member is hidden before and after: its entries are beside the ranking, where nobody sees them
	Hides   bool           // the member is hidden or shown by the change: its entry comes from beside the ranking, or goes there
	To      []byte         // the member that has the entry from now on; nil: the entry is removed, or stays
	Merges  bool           // To had an entry too
	Renames bool           // of a closed period: To is the member under another name, and was where the member was
	Reached int64          // when the scores of groups are reached by it, in microseconds after 1970
	Skill   int64          // of a submission
	Ranking *engine.IntSet // after the change, of one of the best n their set; nil if the ranking is in several parts
}

// Observer is told of the changes of entries, in the transactions that make them.
// It knows entries, and never where they are.
type Observer interface {
	// Changed is called when the sets of the ranking have been changed. It opens the sets that it
	// needs, and must not keep c. The transaction ends with its error.
	Changed(tx *engine.Tx, b *Board, c *Change) error
}

// Board is one board: its present state, and the locks that keep the state.
type Board struct {
	env     *Env
	current atomic.Pointer[state.State]

	// frozen says that no transaction may change the board. Only a goroutine that holds changing
	// for writing sets and clears it.
	frozen   atomic.Bool
	changing sync.RWMutex          // held for reading: the state does not change; for writing: the board is being migrated, dropped or closed
	gone     atomic.Pointer[error] // what calls return: the board was dropped, or has left; nil: neither
	release  func()                // unlocks changing for reading; made once

	closing sync.Mutex // held while a period of the board is being closed

	moderating gate // held while closed periods are changed by moderation
	indexing   gate // held while closed periods are indexed
	Bans       Bans
	Hides      Hides
	Watches    events.Watches
	Renames    auditlog.Renames

	following *Following               // nil unless the board is derived; set before anybody has the board
	since     Since                    // of a derived board; set as following is
	followers atomic.Pointer[[]*Board] // the boards that follow it; the list is replaced and never written to

	Handlers sync.Map // what delivers the awards of a window, by its name: see package settlement

	dueMu sync.Mutex
	due   []func() // see Later
}

// Following is how a derived board follows another one. It does not change.
type Following struct {
	Source *Board
	Groups *Groups
	Totals *totals.Totals
	depth  int // 1 for a board that follows one that is not derived, and so on
}

// Groups is a kind of groups, and the boards of such groups.
type Groups struct {
	*Membership
	boards atomic.Pointer[[]*Board] // the list is replaced and never written to
	Stale  atomic.Bool              // the history may have what no period needs any more
}

// listed returns a list that may not be there.
func listed(p *atomic.Pointer[[]*Board]) []*Board {
	if list := p.Load(); list != nil {
		return *list
	}
	return nil
}

func newBoard(e *Env, st *state.State) *Board {
	b := &Board{env: e, moderating: make(gate, 1), indexing: make(gate, 1)}
	b.release = b.changing.RUnlock
	b.current.Store(st)
	return b
}

// State returns the board's present state.
func (b *Board) State() *state.State { return b.current.Load() }

// SetState replaces the state. The caller has frozen the board.
func (b *Board) SetState(st *state.State) { b.current.Store(st) }

// Env returns what the board shares with the others of its engine.
func (b *Board) Env() *Env { return b.env }

// Engine returns the engine that the board is stored in.
func (b *Board) Engine() *engine.Engine { return b.env.Engine }

// Owner returns the owner of the engine's reserved keys.
func (b *Board) Owner() engine.Owner { return b.env.Owner }

// Log returns the logger of the boards.
func (b *Board) Log() *slog.Logger { return b.env.Log }

// IsFrozen reports whether the board is being migrated, dropped or closed.
func (b *Board) IsFrozen() bool { return b.frozen.Load() }
