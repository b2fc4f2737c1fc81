package check

import (
	"fmt"
	"hash/maphash"
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
	// Notes is what may be wrong, and only an operator can know: closed periods of derived boards whose groups have other scores than their present members make.
	Notes []persist.Problem
}

// audit collects the sets and private keys of boards that a check reads, all as of one moment, and compares them.
type audit struct {
	now         time.Time
	sets        map[string]owner.Audited // by key
	edges       map[string]edge          // of sets that have entries, by key
	specs       map[string][]byte        // stored specs; by the private key without its prefix, as the next three
	windows     map[string][]byte        // up to which time windows are closed
	records     map[string][]byte        // records of closed periods
	unions      map[string][]byte        // records of stored unions
	intents     map[string]bool          // intents of deletions
	settlements map[string][]byte        // of closed periods; by the private key without its prefix, as the next one
	waiting     map[string][]byte        // how many of their awards wait
	awarded     map[string]int           // how many awards of a set wait, by key
	journals    map[string]string        // what is wrong with the journal of a board, "" for nothing
	kept        map[string]int           // the number of members with kept results or times, by board, window and period
	boards      map[string]*state.State
	rep         Report

	stored   map[string][]byte         // layouts of rankings in parts; by the private key without its prefix
	compiled bool                      // boards is complete
	moving   map[*state.Parts][]moving // of rankings whose parts split or merge
	strays   map[string]int            // the number of members of a set that belong to other parts, by key

	moderated map[string]*moderated // by board
	salt      []byte                // of the hashes of erased members
	strange   map[string]strange    // members that should not be in a set, by key
	index     map[string]*indexed   // what is compared of the index of members, by the private key of the record of a period without its prefix
	seed      maphash.Seed          // of the hashes in index and cohorts

	cohorts   map[string]*inCohorts // by the private key of the record of a period without its prefix, as the next one
	promoting map[string]bool       // closed periods whose cohorts are not settled
	tiers     map[string]string     // what is wrong with the tiers of a window, "" for nothing, by where they are

	kinds   map[string]*catalog.Membership // of groups, with their members
	points  map[string][]byte              // of members in derived boards; by the private key without its prefix
	derived map[string]*followed           // periods of derived boards, by the key of their ranking
}

// newAudit returns an audit at a time.
func newAudit(now time.Time) *audit {
	return &audit{now: now, sets: map[string]owner.Audited{}, edges: map[string]edge{}, specs: map[string][]byte{}, windows: map[string][]byte{}, records: map[string][]byte{}, unions: map[string][]byte{},
		settlements: map[string][]byte{}, waiting: map[string][]byte{}, awarded: map[string]int{}, intents: map[string]bool{}, journals: map[string]string{}, kept: map[string]int{}, boards: map[string]*state.State{},
		stored: map[string][]byte{}, moving: map[*state.Parts][]moving{}, strays: map[string]int{},
		moderated: map[string]*moderated{}, strange: map[string]strange{}, index: map[string]*indexed{}, seed: maphash.MakeSeed(),
		cohorts: map[string]*inCohorts{}, promoting: map[string]bool{}, tiers: map[string]string{},
		kinds: map[string]*catalog.Membership{}, points: map[string][]byte{}, derived: map[string]*followed{}}
}

// edge is what the audit keeps of the entries of a set, to compare TL1 and TL2 of package tail.
type edge struct {
	entry buckets.Entry // of a bucket the first, of other sets the last
	all   uint64        // the bits that the hashes of all members have; of buckets only
	any   uint64        // the bits that the hash of some member has; of buckets only
}

// moving is the members of one of two sets that have parts of theirs in both, while parts split or merge.
type moving struct {
	key    string
	hashes []uint64
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

// strange is how many members of a set should not be there.
type strange struct {
	hidden int // in a ranking
	shown  int // beside a ranking, and not hidden
	banned int
}

// inCohorts is what is collected of the cohorts of a period.
type inCohorts struct {
	key     string
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

// private notes a private key that report compares. It skips metadata, which may be large.
func (a *audit) private(kv persist.KV) {
	key := string(kv.Key)
	for prefix, values := range map[string]map[string][]byte{boardkey.Spec(""): a.specs, boardkey.WindowPrefix(): a.windows, boardkey.RecordPrefix(): a.records,
		boardkey.Union(""): a.unions, boardkey.LayoutPrefix(): a.stored, boardkey.SettlementPrefix(): a.settlements, boardkey.WaitingPrefix(): a.waiting} {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			values[rest] = slices.Clone(kv.Value)
		}
	}
	if rest, ok := strings.CutPrefix(key, boardkey.CohortsPrefix()); ok {
		a.promoting[rest] = true
	}
	if rest, ok := strings.CutPrefix(key, boardkey.DeletionPrefix()); ok {
		a.intents[rest] = true
	}
	if rest, ok := strings.CutPrefix(key, boardkey.KeptPrefix()); ok {
		if parts := strings.SplitN(rest, "\x00", 4); len(parts) == 4 {
			a.kept[boardkey.Join(parts[:3])]++
		}
	}
}

func (a *audit) problem(where, format string, args ...any) {
	a.rep.OfBoards++
	a.rep.Problems = append(a.rep.Problems, persist.Problem{Where: where, What: fmt.Sprintf(format, args...)})
}

// Where returns the place of a problem with a period.
func Where(board, window, period string) string {
	return fmt.Sprintf("board %q, window %q, period %q", board, window, period)
}

// isBeingDeleted reports whether there is an intent to delete a period, its window or its board.
func (a *audit) isBeingDeleted(board, window, period string) bool {
	whole := boardkey.Join([]string{board})
	return a.intents[whole+window+"\x00"+period] || a.intents[whole+window+"\x00"] || a.intents[whole+"\x00"]
}

// timeline returns the window that the rest of a private key begins with, nil if no board has it any more.
func (a *audit) timeline(rest string) *state.Timeline {
	name, rest, _ := strings.Cut(rest, "\x00")
	window, _, _ := strings.Cut(rest, "\x00")
	if st := a.boards[name]; st != nil {
		t, _ := st.Timeline(window)
		return t
	}
	return nil
}
