package board

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zrankdb/zrank/board/rules"
)

// Derived makes a board one of groups: see "Groups".
type Derived struct {
	// From is the name of the board of the members.
	From string `json:"from"`
	// Groups is the kind of the groups: guild, country.
	Groups string `json:"groups"`
	// Op says how a group's score is computed from the scores of its members: GroupSum unless set.
	Op GroupOp `json:"op,omitempty"`
	// K is the number of the best members that GroupBestOf adds up: 1 to rules.MaxK. 0 with other operators.
	K int `json:"k,omitempty"`
	// Least is the least number of members with a score that a group must have to be ranked, at most MaxLeast. 0 and 1 are one.
	Least int `json:"least,omitempty"`
	// Points says what joining and leaving do to the score of a group: Follow unless set.
	Points Points `json:"points,omitempty"`
}

// withDefaults returns a copy with its defaults filled in.
func (d *Derived) withDefaults() *Derived {
	if d == nil {
		return nil
	}
	c := *d
	if c.Op == "" {
		c.Op = GroupSum
	}
	if c.Points == "" {
		c.Points = Follow
	}
	if c.Least == 1 {
		c.Least = 0
	}
	return &c
}

// validate checks what can be checked without the source. board is the name of the derived board.
func (d Derived) validate(board string, bad func(format string, args ...any)) {
	if d.From == board {
		bad("%w: derived.from is the board itself", ErrCircle)
	}
	if d.From == "" {
		bad("derived.from is empty, want the name of a board")
	}
	if err := ValidateGroups(d.Groups); err != nil {
		bad("derived.groups: %w", err)
	}
	if !slices.Contains(groupOps, d.Op) {
		bad("derived.op is %q, want one of %v", d.Op, groupOps)
	}
	if d.Op == GroupBestOf && (d.K < 1 || d.K > rules.MaxK) {
		bad("derived.k is %d, want 1 to %d", d.K, rules.MaxK)
	}
	if d.Op != GroupBestOf && d.K != 0 && slices.Contains(groupOps, d.Op) {
		bad("derived.k is %d, want 0 with op %s", d.K, d.Op)
	}
	if d.Least < 0 || d.Least > MaxLeast {
		bad("derived.least is %d, want 0 to %d", d.Least, MaxLeast)
	}
	switch { // one problem is one message
	case d.Points != Follow && d.Points != Stay && d.Points != SinceJoining:
		bad("derived.points is %q, want %s, %s or %s", d.Points, Follow, Stay, SinceJoining)
	case d.Points != Follow && d.Op != GroupSum && slices.Contains(groupOps, d.Op):
		bad("derived.points is %s, want %s with op %s, which goes by the present scores of the members", d.Points, Follow, d.Op)
	}
}

// GroupOp says how the score of a group is computed from those of its members.
type GroupOp string

const (
	// GroupSum adds up the scores of all members.
	GroupSum GroupOp = "sum"
	// GroupBest is the score of the best member.
	GroupBest GroupOp = "best"
	// GroupBestOf adds up the scores of the K best members.
	GroupBestOf GroupOp = "bestof"
	// GroupAverage is the average of the first column, over the members that have a score.
	GroupAverage GroupOp = "average"
	// GroupCount is the number of members that have a score.
	GroupCount GroupOp = "count"
)

// Points says what joining and leaving do to the score of a group.
type Points string

const (
	// Follow: the score of a group is that of its present members. Points come and leave with the member.
	Follow Points = "follow"
	// Stay: points count for the group that the member is in when they are scored, and stay there.
	Stay Points = "stay"
	// SinceJoining: points count from joining on, and leave with the member.
	SinceJoining Points = "since-joining"
)

const (
	// MaxKind is the length of the longest name of a kind of groups, in bytes.
	MaxKind = 255
	// MaxLeast is the most that Derived.Least may be.
	MaxLeast = 1 << 20
)

var groupOps = []GroupOp{GroupSum, GroupBest, GroupBestOf, GroupAverage, GroupCount}

// ValidateGroups returns an error unless a name can be that of a kind of groups: 1 to MaxKind bytes of UTF-8 without control characters.
func ValidateGroups(name string) error {
	if name == "" || len(name) > MaxKind || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return fmt.Errorf("%w: %.64q is not the name of a kind of groups: want 1 to %d bytes of UTF-8 without control characters", ErrGroups, name, MaxKind)
	}
	return nil
}

// Rebuilder computes the scores of groups again.
type Rebuilder interface {
	// Rebuild computes the scores of all groups of a derived board in open periods from those of their
	// members, and returns how many were others. That should be none: Boards.Check tells. Submissions
	// of a period wait while it is computed. O(members).
	Rebuild(ctx context.Context) (corrected int, err error)
	// RebuildPeriod computes the scores of the groups of a derived board in a closed period again,
	// from the closed ranking of the members that they had then, and returns how many were others.
	// That should be none: Boards.Check tells. Of a period that an earlier version has closed nobody
	// knows who was in which group, and those count who are in it now. O(members).
	RebuildPeriod(ctx context.Context, window, period string) (corrected int, err error)
}
