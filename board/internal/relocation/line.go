package relocation

import (
	"encoding/json"
	"errors"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/rules"
)

// Line is a line of a file of boards: see package archive. What it is follows from its first field;
// each kind has a field of its own, which is set.
type Line struct {
	Board  *board.Spec `json:"board,omitempty"`
	Groups *string     `json:"groups,omitempty"`
	Format int         `json:"format,omitempty"`

	Group   *Name   `json:"group,omitempty"`
	Created *Moment `json:"created,omitempty"`
	Joined  *Name   `json:"joined,omitempty"`

	Window  *string `json:"window,omitempty"`
	Through *Moment `json:"through,omitempty"`

	Best *Name `json:"best,omitempty"`

	Period   *string `json:"period,omitempty"`
	Start    *Moment `json:"start,omitempty"`
	End      *Moment `json:"end,omitempty"`
	ClosedAt *Moment `json:"closedAt,omitempty"`

	Member  *Name        `json:"member,omitempty"`
	Score   *rules.Score `json:"score,omitempty"`
	Reached *Moment      `json:"reached,omitempty"`
	Hidden  bool         `json:"hidden,omitempty"`
	Meta    []byte       `json:"meta,omitempty"`
	Results []Result     `json:"results,omitempty"`
	Kept    []byte       `json:"kept,omitempty"` // what else is kept of the member's results
	Rolling []Rolled     `json:"rolling,omitempty"`

	Tiered  *Name  `json:"tiered,omitempty"`
	Cohort  *Name  `json:"cohort,omitempty"`
	Tier    int64  `json:"tier,omitempty"`   // of both
	Band    int    `json:"band,omitempty"`   // from 0
	Number  int64  `json:"number,omitempty"` // of the cohort among those of its tier and band, from 0
	Outcome string `json:"outcome,omitempty"`

	Points *Name  `json:"points,omitempty"`
	Base   *Part  `json:"base,omitempty"`
	Left   []Part `json:"left,omitempty"`

	Settlement json.RawMessage `json:"settlement,omitempty"`

	Award    *Name   `json:"award,omitempty"`
	Place    int64   `json:"place,omitempty"`
	Rank     int64   `json:"rank,omitempty"`
	Revision uint8   `json:"revision,omitempty"`
	Due      Tiers   `json:"due,omitempty"`
	Granted  Tiers   `json:"granted,omitempty"`
	Failed   bool    `json:"failed,omitempty"`
	Withheld bool    `json:"withheld,omitempty"`
	Failures int     `json:"failures,omitempty"`
	Next     *Moment `json:"next,omitempty"`
	Reason   string  `json:"reason,omitempty"`

	Standing *Name `json:"standing,omitempty"`
	Banned   bool  `json:"banned,omitempty"`

	Audit       *audit.Entry  `json:"audit,omitempty"`
	AuditMember Name          `json:"of,omitempty"`
	AuditTo     Name          `json:"to,omitempty"`
	Places      []board.Place `json:"places,omitempty"`

	Once *Name   `json:"once,omitempty"`
	At   *Moment `json:"at,omitempty"`

	Ended *string `json:"ended,omitempty"`
	Lines int     `json:"lines,omitempty"`
}

// Result is a result that the operator keeps.
type Result struct {
	Score rules.Score `json:"score"`
	At    Moment      `json:"at"`
}

// Rolled is a result in a rolling window.
type Rolled struct {
	Leaves  Moment      `json:"leaves"`
	Score   rules.Score `json:"score"`
	Reached *Moment     `json:"reached,omitempty"` // unless all columns are sums, or ties go by member
	Order   uint64      `json:"order,omitempty"`   // in which the results of the ranking have arrived; likewise
	At      *Moment     `json:"at,omitempty"`      // when it happened, if that does not follow from the rest
}

// Part is a part of the score of a member, the columns that are added up, and the group whose it
// is.
type Part struct {
	Group Name        `json:"group"`
	Score rules.Score `json:"score"`
}

// Kinds returns how many of the fields that say what a line is are set.
func (l *Line) Kinds() (n int) {
	for _, set := range []bool{
		l.Board != nil, l.Groups != nil, l.Group != nil, l.Joined != nil, l.Window != nil, l.Best != nil,
		l.Period != nil, l.Member != nil, l.Tiered != nil, l.Cohort != nil,
		l.Points != nil, l.Settlement != nil, l.Award != nil,
		l.Standing != nil, l.Audit != nil, l.Once != nil, l.Ended != nil,
	} {
		if set {
			n++
		}
	}
	return n
}

// Tiers is a set of tiers of a settlement: tier i is bit i. In JSON it is a list of indices.
type Tiers uint64

// MarshalJSON implements json.Marshaler.
func (t Tiers) MarshalJSON() ([]byte, error) {
	var list []int
	for i := range 64 {
		if t>>i&1 != 0 {
			list = append(list, i)
		}
	}
	return json.Marshal(list)
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *Tiers) UnmarshalJSON(text []byte) error {
	var list []int
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	*t = 0
	for _, i := range list {
		if i < 0 || i > 63 {
			return errors.New("an award has a tier that cannot be")
		}
		*t |= 1 << i
	}
	return nil
}
