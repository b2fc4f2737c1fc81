package boardkey

import (
	"slices"
	"strconv"
	"strings"
)

// Key is the key of a set of a board, taken apart.
type Key struct {
	Board   string // the board's name
	Kind    string // the name of a window, or OnceKind, or JournalKind, or one of the other kinds below and the name of a window
	Period  string // the period's name, or the baseline's; NoPeriod where there is none
	Version int    // the board's version, which rises with each migration
}

// Prefix begins the keys of all sets of boards.
const Prefix = "board/"

// Kinds that are not windows, besides that of PartKind: the name of a window cannot begin with a dot. NoPeriod is the period of sets that have none.
const (
	OnceKind     = ".once"
	BestKind     = ".best."
	BaselineKind = ".base."
	ResultsKind  = ".results."
	TimersKind   = ".timers."
	HiddenKind   = ".hidden."
	AwardsKind   = ".awards."
	CohortKind   = ".cohort."
	TierKind     = ".tiers."
	JournalKind  = ".journal"
	partKind     = ".part."
	NoPeriod     = "all"
	bucketPrefix = ".tail."
)

// PartKind returns the kind of part i of a ranking: the name of the window for part 0, then .part.1.WINDOW and so on.
func PartKind(window string, i int) string {
	if i == 0 {
		return window
	}
	return partKind + strconv.Itoa(i) + "." + window
}

// windowOfPart returns the window of a kind of PartKind other than that of part 0.
func windowOfPart(kind string) (window string, ok bool) {
	rest, ok := strings.CutPrefix(kind, partKind)
	if !ok {
		return "", false
	}
	_, window, ok = strings.Cut(rest, ".")
	return window, ok
}

// besideKinds are the kinds of sets beside the ranking of a period.
var besideKinds = []string{ResultsKind, TimersKind, HiddenKind, CohortKind}

// IsOfPeriod reports whether the key is that of a set of a period: of its ranking, or beside it. O(length).
func (k Key) IsOfPeriod() bool {
	_, isPart := windowOfPart(k.Kind)
	return isPart || !strings.HasPrefix(k.Kind, ".") || strings.HasPrefix(k.Kind, bucketPrefix) || slices.ContainsFunc(besideKinds, func(kind string) bool { return strings.HasPrefix(k.Kind, kind) })
}

// IsRanking reports whether the key is that of a set of the ranking of a period. O(length).
func (k Key) IsRanking() bool {
	beside := func(kind string) bool { return strings.HasPrefix(k.Kind, kind) }
	return k.IsOfPeriod() && !slices.ContainsFunc(besideKinds, beside)
}

// BucketKind returns the kind of a bucket of the tails of a window.
func BucketKind(number uint32, window string) string {
	return bucketPrefix + strconv.FormatUint(uint64(number), 16) + "." + window
}

// Bucket returns the number of the bucket that the key is of, and its window; false for other keys. O(length).
func (k Key) Bucket() (number uint32, window string, ok bool) {
	rest, ok := strings.CutPrefix(k.Kind, bucketPrefix)
	if !ok {
		return 0, "", false
	}
	text, window, ok := strings.Cut(rest, ".")
	n, err := strconv.ParseUint(text, 16, 32)
	return uint32(n), window, ok && err == nil
}

// IsAwards reports whether the key is that of the awards of a period. O(length).
func (k Key) IsAwards() bool { return strings.HasPrefix(k.Kind, AwardsKind) }

// WindowOf returns the window of the key of a set of a period, of its awards, of tiers, or of a baseline. O(length).
func (k Key) WindowOf() string {
	if window, ok := windowOfPart(k.Kind); ok {
		return window
	}
	if _, window, ok := k.Bucket(); ok {
		return window
	}
	for _, kind := range append([]string{BaselineKind, AwardsKind, TierKind}, besideKinds...) {
		if window, ok := strings.CutPrefix(k.Kind, kind); ok {
			return window
		}
	}
	return k.Kind
}

// IsRolling reports whether the key is that of one of the two sets beside a rolling ranking. O(length).
func (k Key) IsRolling() bool {
	return strings.HasPrefix(k.Kind, ResultsKind) || strings.HasPrefix(k.Kind, TimersKind)
}

// IsHidden reports whether the key is that of the entries of hidden members of a period. O(length).
func (k Key) IsHidden() bool { return strings.HasPrefix(k.Kind, HiddenKind) }

// HasEntries reports whether the key is that of a set with entries of a period: of its ranking, or of hidden members. O(length).
func (k Key) HasEntries() bool { return k.IsOfPeriod() && !k.IsRolling() && !k.IsCohort() }

// IsCohort reports whether the key is that of the cohorts of a period. O(length).
func (k Key) IsCohort() bool { return strings.HasPrefix(k.Kind, CohortKind) }

// IsTiers reports whether the key is that of the tiers of members in the leagues of a window. O(length).
func (k Key) IsTiers() bool { return strings.HasPrefix(k.Kind, TierKind) }

// String returns the key: board/<name>/<kind>/<period>/v<version>.
func (k Key) String() string {
	return Prefix + k.Board + "/" + k.Kind + "/" + k.Period + "/v" + strconv.Itoa(k.Version)
}

// Parse is the inverse of Key.String, and false for another key. O(length).
func Parse(key string) (k Key, ok bool) {
	rest, ok := strings.CutPrefix(key, Prefix)
	if !ok {
		return Key{}, false
	}
	rest, version, ok := cutLast(rest)
	if !ok || !strings.HasPrefix(version, "v") {
		return Key{}, false
	}
	n, err := strconv.Atoi(version[1:])
	if err != nil || n < 1 || strconv.Itoa(n) != version[1:] {
		return Key{}, false
	}
	k.Version = n
	if rest, k.Period, ok = cutLast(rest); !ok {
		return Key{}, false
	}
	k.Board, k.Kind, ok = cutLast(rest)
	return k, ok && k.Board != "" && k.Kind != "" && k.Period != ""
}

// UnionPrefix begins the keys of the sets of stored unions, which belong to no board.
const UnionPrefix = "board.union/"

// UnionSet returns the key of the set of a stored union: board.union/<name>/v<version>.
func UnionSet(name string, version int) string {
	return UnionPrefix + name + "/v" + strconv.Itoa(version)
}

// cutLast cuts a text at its last slash.
func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, '/')
	if i < 0 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}
