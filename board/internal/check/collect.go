package check

import (
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/totals"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/owner"
	"github.com/zrankdb/zrank/persist"
)

// Report is what a check has read, and what it found wrong.
type Report struct {
	engine.Report
	Closed     int // closed periods that have the entries that they had when they were closed
	Unions     int // stored unions that have the entries that they were stored with
	Unrecorded int // closed periods that cannot be compared: a version of this package that stored no digests closed them
	// OfBoards is how many of the Problems are of boards: what a board keeps does not fit together, and the store may be whole. The others are of
	// the store, and come first.
	OfBoards int
	Rebuilds int // how many of those of boards Board.Rebuild corrects
	// Notes is what may be wrong, and only an operator can know: closed periods of derived boards, of which nobody knows who was in which group then, whose groups have other scores than
	// their present members make.
	Notes []persist.Problem
}

// audit collects the sets and private keys of boards that a check reads, all as of one moment, and
// compares them.
type audit struct {
	now    time.Time
	values map[string]map[string][]byte // private keys that are compared: by prefix, and what follows it
	kept   map[string]int               // how many members have kept results or times: by board, window and period
	sets   map[string]*set              // by key
	faults map[string]string            // what is wrong with a journal or with tiers, "" for nothing, by where it is
	boards map[string]*state.State      // nil until all private keys are collected
	rep    Report

	moderated map[string]*moderated // by board
	salt      []byte                // of the hashes of erased members
	index     map[string]*indexed   // what is compared of the index of members: by board, window and period
	cohorts   map[string]*inCohorts // likewise
	seed      maphash.Seed          // of the hashes in index and cohorts

	kinds   map[string]*catalog.Membership // of groups, with their members
	derived map[string]*followed           // periods of derived boards, by the key of their ranking
	history history
}

// compared are the prefixes of the private keys that are compared: stored specs, up to which time
// windows are closed, records of closed periods and of stored unions, layouts of rankings in parts,
// settlements and how many of their awards wait, closed periods whose cohorts are not settled,
// intents of deletions, and points of members in derived boards. Metadata, which may be large, is
// not.
var compared = []string{
	boardkey.Spec(""), boardkey.WindowPrefix(), boardkey.RecordPrefix(), boardkey.Union(""), boardkey.LayoutPrefix(),
	boardkey.SettlementPrefix(), boardkey.WaitingPrefix(), boardkey.CohortsPrefix(), boardkey.DeletionPrefix(),
	boardkey.PointsPrefix(),
}

// newAudit returns an audit at a time.
func newAudit(now time.Time) *audit {
	a := &audit{
		now: now, values: map[string]map[string][]byte{}, kept: map[string]int{}, sets: map[string]*set{},
		faults: map[string]string{}, moderated: map[string]*moderated{}, index: map[string]*indexed{},
		cohorts: map[string]*inCohorts{}, seed: maphash.MakeSeed(),
		kinds: map[string]*catalog.Membership{}, derived: map[string]*followed{}, history: newHistory(),
	}
	for _, prefix := range compared {
		a.values[prefix] = map[string][]byte{}
	}
	return a
}

// set is what the audit keeps of a set.
type set struct {
	owner.Audited
	key  string
	k    boardkey.Key
	path string          // of the period
	st   *state.State    // nil: no board has the set, or only an earlier version of one has its entries
	t    *state.Timeline // nil: it is not one of a window that the board has
	slot *state.Slot     // nil: it is not one of a period

	edge
	strange
	strays int      // the number of members of a part that belong to other parts
	moving []uint64 // hashes of the members of a part that may be in another one while parts split or merge
	waits  *int     // how many awards wait, foreign if there are some of another plan; nil: it is not known
}

// none is a set that there is not.
var none set

// have returns a set, none if it is not there.
func (a *audit) have(key string) *set {
	if s := a.sets[key]; s != nil {
		return s
	}
	return &none
}

// add returns a set that the check has read.
func (a *audit) add(key string) *set {
	if s := a.sets[key]; s != nil {
		return s
	}
	s := &set{key: key}
	a.sets[key] = s
	k, ok := boardkey.Parse(key)
	st := a.boards[k.Board]
	if s.k = k; !ok || st == nil || k.HasEntries() && k.Version != st.Version {
		return s
	}
	s.st, s.path = st, pathOf(k.Board, k.WindowOf(), k.Period)
	s.t, s.slot = st.SlotOf(k)
	if number, _, isBucket := k.Bucket(); isBucket && s.slot != nil && s.t.Top != nil {
		s.t.NoteBucket(k.Period, number) // so that the sums over the ranking include it
	}
	return s
}

// sorted returns the sets in the order of their keys.
func (a *audit) sorted() []*set {
	return slices.SortedFunc(maps.Values(a.sets), func(x, y *set) int { return strings.Compare(x.key, y.key) })
}

// history is who was in which group when periods closed, as it is stored: see package groups.
type history struct {
	stays     map[string]catalog.Stays     // by kind and member
	dissolved map[string]catalog.Dissolved // by kind and number, as in the private key
	since     map[string]catalog.Since     // by board
	renamed   map[string]int64             // by board, window, period and member
}

func newHistory() history {
	return history{map[string]catalog.Stays{}, map[string]catalog.Dissolved{}, map[string]catalog.Since{}, map[string]int64{}}
}

// edge is what the audit keeps of the entries of a set, to compare TL1 and TL2 of package tail.
type edge struct {
	entry buckets.Entry // of a bucket the first, of a head the last
	all   uint64        // the bits that the hashes of all members have; of buckets only
	any   uint64        // the bits that the hash of some member has; of buckets only
}

// moderated is what the moderation of a board says of members.
type moderated struct {
	hidden []string
	banned []string
	erased map[string]bool // the salted hashes of members that were erased and are banned
	busy   bool            // a job is in progress, which closed periods may wait for
}

// followed is a period of a derived board.
type followed struct {
	st      *state.State
	t       *state.Timeline
	slot    *state.Slot
	tallies *totals.Tallies
	has     map[string]rules.Score // the entries of groups
	ranked  map[string]bool        // these are in the ranking, not beside it
	unknown bool                   // the entries of some set are not known
}

// path returns the path of the period.
func (x *followed) path() string { return pathOf(x.st.Name, x.t.Window.Name, x.slot.Name) }

// strange is how many members of a set should not be there.
type strange struct {
	hidden int // in a ranking
	shown  int // beside a ranking, and not hidden
	banned int
}

// inCohorts is what is collected of the cohorts of a period.
type inCohorts struct {
	set     *set // that of the cohorts, if it is there
	problem string
	placed  []uint64 // hashes of the members in cohorts
	members []uint64 // hashes of the ranked and the hidden members of an open period
	unknown bool     // the entries of some set are not known
}

// tally is members with their entries: how many there are, and sums of hashes.
type tally struct {
	members int
	names   uint64 // of the members
	entries uint64 // of the members with score and tie
	places  uint64 // of the members with their places
}

// indexed is what the audit compares of the index with a closed period.
type indexed struct {
	ranked, hidden      tally // of the index
	sets, beside        tally // of the ranking, and of the set beside it
	order               uint64
	formerly            []int // the places of hidden members in the ranking that was indexed
	unknown, isInOneSet bool  // entries of some set are not known; the places in sets are known
}

// private notes a private key.
func (a *audit) private(kv persist.KV) {
	key := string(kv.Key)
	for _, prefix := range compared {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			a.values[prefix][rest] = append([]byte{}, kv.Value...)
		}
	}
	if rest, ok := strings.CutPrefix(key, boardkey.KeptPrefix()); ok {
		if strings.Count(rest, "\x00") >= 3 {
			a.kept[pathOf(split(rest))]++
		}
	}
}

// each iterates over the private keys with a prefix, in order: what follows it, and the value.
func (a *audit) each(prefix string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, rest := range slices.Sorted(maps.Keys(a.values[prefix])) {
			if !yield(rest, a.values[prefix][rest]) {
				return
			}
		}
	}
}

// pathOf returns the path of a period: the board, the window and the period, as they follow the
// prefix of a private key.
func pathOf(board, window, period string) string {
	return boardkey.Join([]string{board, window}) + period
}

// split is the inverse of pathOf. What follows the period does not matter.
func split(path string) (board, window, period string) {
	parts := strings.SplitN(path+"\x00\x00\x00", "\x00", 4)
	return parts[0], parts[1], parts[2]
}

// at returns the window and the period of a path. The window is nil if no board has it any more.
func (a *audit) at(path string) (t *state.Timeline, period string) {
	board, window, period := split(path)
	if st := a.boards[board]; st != nil {
		t, _ = st.Timeline(window)
	}
	return t, period
}

// recordOf returns the record of a closed period, nil for none.
func (a *audit) recordOf(path string) (*state.Record, error) {
	text := a.values[boardkey.RecordPrefix()][path]
	if text == nil {
		return nil, nil
	}
	return state.DecodeRecord(text)
}

func (a *audit) problem(where, format string, args ...any) {
	a.rep.OfBoards++
	a.rep.Problems = append(a.rep.Problems, persist.Problem{Where: where, What: fmt.Sprintf(format, args...)})
}

// fault is problem with a period, unless it is being deleted.
func (a *audit) fault(path, format string, args ...any) {
	if !a.isBeingDeleted(path) {
		a.problem(where(path), format, args...)
	}
}

// Where returns the place of a problem with a period.
func Where(board, window, period string) string {
	return fmt.Sprintf("board %q, window %q, period %q", board, window, period)
}

// where is Where of a path.
func where(path string) string { return Where(split(path)) }

// isBeingDeleted reports whether there is an intent to delete a period, its window or its board.
func (a *audit) isBeingDeleted(path string) bool {
	board, window, period := split(path)
	for _, intent := range []string{pathOf(board, window, period), pathOf(board, window, ""), pathOf(board, "", "")} {
		if _, ok := a.values[boardkey.DeletionPrefix()][intent]; ok {
			return true
		}
	}
	return false
}
