package archive

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/internal/jsontext"
)

// format is the number of the form of the lines.
const format = 1

// latest is the arrival of the first of equals where the latest stands first. No arrival is later.
const latest = 1 << 40

// line is any line: each kind has a field of its own, which is set.
type line struct {
	Board  *board.Spec `json:"board,omitempty"`
	Groups *string     `json:"groups,omitempty"`
	Format int         `json:"format,omitempty"`

	Group   *name   `json:"group,omitempty"`
	Created *moment `json:"created,omitempty"`
	Joined  *name   `json:"joined,omitempty"`

	Window  *string `json:"window,omitempty"`
	Through *moment `json:"through,omitempty"`

	Best *name `json:"best,omitempty"`

	Period   *string `json:"period,omitempty"`
	Start    *moment `json:"start,omitempty"`
	End      *moment `json:"end,omitempty"`
	ClosedAt *moment `json:"closedAt,omitempty"`

	Member  *name        `json:"member,omitempty"`
	Score   *rules.Score `json:"score,omitempty"`
	Reached *moment      `json:"reached,omitempty"`
	Hidden  bool         `json:"hidden,omitempty"`
	Meta    []byte       `json:"meta,omitempty"`
	Results []result     `json:"results,omitempty"`
	Kept    []byte       `json:"kept,omitempty"` // what else is kept of the member's results
	Rolling []rolled     `json:"rolling,omitempty"`

	Tiered  *name  `json:"tiered,omitempty"`
	Cohort  *name  `json:"cohort,omitempty"`
	Tier    int64  `json:"tier,omitempty"`   // of both
	Band    int    `json:"band,omitempty"`   // from 0
	Number  int64  `json:"number,omitempty"` // of the cohort among those of its tier and band, from 0
	Outcome string `json:"outcome,omitempty"`

	Points *name  `json:"points,omitempty"`
	Base   *part  `json:"base,omitempty"`
	Left   []part `json:"left,omitempty"`

	Settlement json.RawMessage `json:"settlement,omitempty"`

	Award    *name   `json:"award,omitempty"`
	Place    int64   `json:"place,omitempty"`
	Rank     int64   `json:"rank,omitempty"`
	Revision uint8   `json:"revision,omitempty"`
	Due      []int   `json:"due,omitempty"`
	Granted  []int   `json:"granted,omitempty"`
	Failed   bool    `json:"failed,omitempty"`
	Withheld bool    `json:"withheld,omitempty"`
	Failures int     `json:"failures,omitempty"`
	Next     *moment `json:"next,omitempty"`
	Reason   string  `json:"reason,omitempty"`

	Standing *name `json:"standing,omitempty"`
	Banned   bool  `json:"banned,omitempty"`

	Audit       *audit.Entry  `json:"audit,omitempty"`
	AuditMember name          `json:"of,omitempty"`
	AuditTo     name          `json:"to,omitempty"`
	Places      []board.Place `json:"places,omitempty"`

	Once *name   `json:"once,omitempty"`
	At   *moment `json:"at,omitempty"`

	Ended *string `json:"ended,omitempty"`
	Lines int     `json:"lines,omitempty"`
}

// result is a result that the operator keeps.
type result struct {
	Score rules.Score `json:"score"`
	At    moment      `json:"at"`
}

// rolled is a result in a rolling window.
type rolled struct {
	Leaves  moment      `json:"leaves"`
	Score   rules.Score `json:"score"`
	Reached *moment     `json:"reached,omitempty"` // unless all columns are sums, or ties go by member
	Order   uint64      `json:"order,omitempty"`   // in which the results of the ranking have arrived; likewise
	At      *moment     `json:"at,omitempty"`      // when it happened, if that does not follow from the rest
}

// part is a part of the score of a member, and the group whose it is.
type part struct {
	Group name        `json:"group"`
	Score rules.Score `json:"score"`
}

// kinds returns how many of the fields that say what a line is are set.
func (l *line) kinds() (n int) {
	for _, set := range []bool{l.Board != nil, l.Groups != nil, l.Group != nil, l.Joined != nil, l.Window != nil, l.Best != nil, l.Period != nil, l.Member != nil, l.Tiered != nil, l.Cohort != nil, l.Points != nil, l.Settlement != nil, l.Award != nil, l.Standing != nil, l.Audit != nil,
		l.Once != nil, l.Ended != nil} {
		if set {
			n++
		}
	}
	return n
}

// bits returns a set of tiers as their indices, and set the set of indices.
func bits(set uint64) (list []int) {
	for i := range 64 {
		if set>>i&1 != 0 {
			list = append(list, i)
		}
	}
	return list
}

func set(list []int) (bits uint64, ok bool) {
	for _, i := range list {
		if i < 0 || i > 63 {
			return 0, false
		}
		bits |= 1 << i
	}
	return bits, true
}

// errLong is why a line cannot be read.
var errLong = fmt.Errorf("the line is longer than %d bytes", MaxLine)

// readLine returns a line without its end. Error: io.EOF at the end of the file, also behind a line that has no end.
func readLine(r *bufio.Reader) ([]byte, error) {
	var whole []byte
	for {
		part, err := r.ReadSlice('\n')
		if err == nil && whole == nil {
			return part[:len(part)-1], nil
		}
		if len(whole)+len(part) > MaxLine {
			return nil, errLong
		}
		if whole = append(whole, part...); err == nil {
			return whole[:len(whole)-1], nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return whole, err
		}
	}
}

// decode reads a line. Error: one that is no object with one kind, or that has fields that this version does not know.
func decode(text []byte) (l line, err error) {
	if err := jsontext.Check(text); err != nil {
		return l, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return l, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return l, errors.New("there is more than one object in the line")
	}
	if n := l.kinds(); n != 1 {
		return l, fmt.Errorf("the line says %d things that it is", n)
	}
	return l, nil
}
