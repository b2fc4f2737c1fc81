package settlement

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/zrankdb/zrank/engine/board/awards"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// Award is what a member gets for a closed period.
type Award struct {
	ID                            string // is that of no other award, and stays the same: see the doc of board.Award
	Board, Window, Period, Member string
	Revision                      int           // 1; that of the Resettle that has changed it
	Rank                          int           // from 1, in the mode of the plan; 0 if the member is not ranked any more
	Score                         rules.Score   // without columns where nobody has set it: see score
	Tier, Payload                 string        // of the first of Tiers
	Tiers                         []awards.Tier // what is to be granted, or is granted if nothing is
	Had                           []awards.Tier // what was granted of this period before
	State                         State
	TooMuch                       []awards.Tier // what was granted and is not due any more
	Expires                       time.Time     // when a claim ends; zero: never
	Failures                      int           // the number of times that Grant failed
	Next                          time.Time     // when it is tried again, if it has failed
	Reason                        string        // of the last failure, or why it is withheld
}

// State is what has become of an award.
type State int

// The states: see package board.
const (
	Waiting State = iota
	Failed
	Granted
	Withheld
	Expired
)

var states = [...]string{Waiting: "waiting", Failed: "failed", Granted: "granted", Withheld: "withheld", Expired: "expired"}

// String returns the state's name.
func (s State) String() string {
	if s < 0 || int(s) >= len(states) {
		return fmt.Sprintf("State(%d)", int(s))
	}
	return states[s]
}

// MarshalText returns the state's name.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// ParseState returns the state of a name. Error: ErrAward.
func ParseState(name string) (State, error) {
	for s := range states {
		if states[s] == name {
			return State(s), nil
		}
	}
	return 0, fmt.Errorf("%w: no state %q, want one of %v", errs.ErrAward, name, states)
}

// id is what the id of an award names.
type id struct {
	board, window, period string
	revision              int
	member                string
}

// String returns the id: its parts, escaped as in a URL, with slashes between them.
func (i id) String() string {
	return strings.Join([]string{url.PathEscape(i.board), url.PathEscape(i.window), url.PathEscape(i.period), strconv.Itoa(i.revision),
		url.PathEscape(i.member)}, "/")
}

// parseID is the inverse of String. It also takes parts that are escaped where they need not be. Error: ErrAward.
func parseID(text string) (i id, err error) {
	list := strings.Split(text, "/")
	if len(list) == 5 {
		for k, part := range []*string{&i.board, &i.window, &i.period, nil, &i.member} {
			if part == nil {
				i.revision, err = strconv.Atoi(list[k])
			} else if err == nil {
				*part, err = url.PathUnescape(list[k])
			}
			if err != nil {
				break
			}
		}
		if err == nil {
			return i, nil
		}
	}
	return id{}, fmt.Errorf("%w: %.100q is no id of one", errs.ErrAward, text)
}

// awardOf returns the award of an entry. now is in microseconds after 1970.
func awardOf(board string, t *state.Settlement, s *state.Settling, member string, e entry, now int64) Award {
	a := Award{Board: board, Window: t.Window, Period: t.Period, Member: member, Revision: int(e.revision), Rank: int(e.rank)}
	a.ID = id{board, t.Window, t.Period, a.Revision, member}.String()
	give := e.toGrant(s)
	switch {
	case e.flag == withheld:
		a.State = Withheld
	case give == 0:
		a.State = Granted
	case e.flag == failed:
		a.State = Failed
	}
	if at, ok := s.Expires(); ok {
		a.Expires = at
		if a.State == Waiting && now >= at.UnixMicro() {
			a.State = Expired
		}
	}
	if a.TooMuch = tiersOf(s, e.tooMuch(s)); give != 0 {
		a.Tiers, a.Had = tiersOf(s, give), tiersOf(s, e.granted)
	} else {
		a.Tiers = tiersOf(s, e.granted)
	}
	if len(a.Tiers) > 0 {
		a.Tier, a.Payload = a.Tiers[0].Name, a.Tiers[0].Payload
	}
	return a
}
