package board

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Op says how a submission meets the score a member has.
type Op string

const (
	// Best keeps the better of the two: the default.
	Best Op = "best"
	// Sum adds the submission to the score.
	Sum Op = "sum"
	// Last replaces the score.
	Last Op = "last"
)

// Order says which scores are better.
type Order string

const (
	// Desc: a higher score is better. The default.
	Desc Order = "desc"
	// Asc: a lower score is better, as in a race.
	Asc Order = "asc"
)

// Ties says who stands first among equal scores.
type Ties string

const (
	// FirstToReach: who reached the score earlier. The default.
	FirstToReach Ties = "first"
	// LastToReach: who reached the score later.
	LastToReach Ties = "last"
	// ByMember: whose name comes first, as bytes.
	ByMember Ties = "member"
)

const (
	// MaxName is the length of the longest name of a board, in bytes.
	MaxName = 1 << 10
	// MaxMember is the length of the longest member, in bytes.
	MaxMember = 1 << 20
)

// Spec says what a board's scores mean. It is stored with the board and cannot change.
type Spec struct {
	Name    string   `json:"name"` // 1 to MaxName bytes of UTF-8
	Op      Op       `json:"op"`
	Order   Order    `json:"order"`
	Ties    Ties     `json:"ties"`
	Windows []Window `json:"windows"` // at least one; none means All
}

// withDefaults fills in what the zero value stands for.
func (s Spec) withDefaults() Spec {
	if s.Op == "" {
		s.Op = Best
	}
	if s.Order == "" {
		s.Order = Desc
	}
	if s.Ties == "" {
		s.Ties = FirstToReach
	}
	if len(s.Windows) == 0 {
		s.Windows = []Window{All}
	}
	return s
}

// Validate returns one error that wraps ErrSpec and names every impossible value, or nil. Empty fields stand for their
// defaults.
func (s Spec) Validate() error {
	s = s.withDefaults()
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrSpec}, args...)...))
	}
	if s.Name == "" || len(s.Name) > MaxName {
		bad("name has %d bytes, want 1 to %d", len(s.Name), MaxName)
	}
	if !utf8.ValidString(s.Name) { // JSON would store another name
		bad("name %q is not UTF-8", s.Name)
	}
	if !slices.Contains([]Op{Best, Sum, Last}, s.Op) {
		bad("op is %q, want sum, best or last", s.Op)
	}
	if !slices.Contains([]Order{Desc, Asc}, s.Order) {
		bad("order is %q, want desc or asc", s.Order)
	}
	if !slices.Contains([]Ties{FirstToReach, LastToReach, ByMember}, s.Ties) {
		bad("ties is %q, want first, last or member", s.Ties)
	}
	for i, w := range s.Windows {
		if !slices.Contains(windows, w) {
			bad("window is %q, want one of %s", w, list(windows))
		}
		if slices.Contains(s.Windows[:i], w) {
			bad("window %s is there twice", w)
		}
	}
	return errors.Join(errs...)
}

// Differences returns one text for each field that is not as in stored: "op is sum, not best". The order of windows does not
// matter, nor does the name.
func (s Spec) Differences(stored Spec) []string {
	s, stored = s.withDefaults(), stored.withDefaults()
	var diff []string
	field := func(name, want, have string) {
		if want != have {
			diff = append(diff, fmt.Sprintf("%s is %s, not %s", name, have, want))
		}
	}
	field("op", string(s.Op), string(stored.Op))
	field("order", string(s.Order), string(stored.Order))
	field("ties", string(s.Ties), string(stored.Ties))
	field("windows", list(slices.Sorted(slices.Values(s.Windows))), list(slices.Sorted(slices.Values(stored.Windows))))
	return diff
}

// list writes windows with commas.
func list(windows []Window) string {
	texts := make([]string, len(windows))
	for i, w := range windows {
		texts[i] = string(w)
	}
	return strings.Join(texts, ",")
}

// specFormat is the version of a stored spec.
const specFormat = 1

type storedSpec struct {
	Format int  `json:"format"`
	Spec   Spec `json:"spec"`
}

func (s Spec) encode() ([]byte, error) { return json.Marshal(storedSpec{specFormat, s}) }

func decodeSpec(b []byte) (Spec, error) {
	var stored storedSpec
	if err := json.Unmarshal(b, &stored); err != nil {
		return Spec{}, fmt.Errorf("board: stored spec: %w", err)
	}
	if stored.Format != specFormat {
		return Spec{}, fmt.Errorf("board: stored spec has format %d, this version reads %d", stored.Format, specFormat)
	}
	return stored.Spec, stored.Spec.Validate()
}
