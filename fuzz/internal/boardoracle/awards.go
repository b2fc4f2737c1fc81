package boardoracle

import (
	"iter"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/fuzz/internal/apply"
)

// Settlements returns the settlements of a window in order of time.
func (b boardAt) Settlements(name string) (list []board.Settlement, err error) {
	_, err = b.window(name)
	for _, p := range slices.SortedFunc(maps.Values(b.windows[name].settled), func(a, b settledPeriod) int { return a.Start.Compare(b.Start) }) {
		s := board.Settlement{Board: b.spec.Name, Window: name, Period: p.Name, Settled: true, Revision: p.revision, Awards: len(p.awards), Without: p.without, Reason: p.reason}
		for _, a := range p.awards {
			if p.state(a) == board.Waiting {
				s.Waiting++
			}
		}
		list = append(list, s)
	}
	return list, err
}

// Awards iterates over the awards of a period, by place.
func (b boardAt) Awards(name, period string) iter.Seq2[board.Award, error] {
	return func(yield func(board.Award, error) bool) {
		for _, member := range b.windows[name].settled[period].byPlace() {
			if !yield(b.award(name, period, member), nil) {
				return
			}
		}
	}
}

// award returns the award of a member.
func (b boardAt) award(name, period, member string) board.Award {
	p := b.windows[name].settled[period]
	a := p.awards[member]
	is := board.Award{ID: apply.AwardID(b.spec.Name, name, period, a.revision, member), Rank: a.rank, Tiers: a.granted, State: p.state(a), TooMuch: p.tooMuch(a),
		Reason: a.withheld}
	if give := p.toGrant(a); give != nil {
		is.Tiers, is.Had = give, a.granted
	}
	return is
}

func (p settledPeriod) state(a award) board.AwardState {
	switch {
	case a.withheld != "":
		return board.Withheld
	case p.toGrant(a) == nil:
		return board.Granted
	}
	return board.Waiting
}

// find returns the award of an id, and where it is. Error: ErrAward.
func (b boardAt) find(id string) (name, period, owner string, a award, err error) {
	parts := strings.Split(id, "/") // board, window, period, revision, member
	for i := range parts {
		parts[i], _ = url.PathUnescape(parts[i])
	}
	name, period, owner = parts[1], parts[2], parts[4]
	a, ok := b.windows[name].settled[period].awards[owner]
	if !ok || strconv.Itoa(a.revision) != parts[3] {
		err = board.ErrAward
	}
	return name, period, owner, a, err
}

// waiting returns an error unless an award waits.
func (p settledPeriod) waiting(a award) error {
	switch p.state(a) {
	case board.Withheld:
		return board.ErrWithheld
	case board.Granted:
		return board.ErrGranted
	}
	return nil
}

// Claim grants an award of the board to its member.
func (b boardAt) Claim(member, id string) (board.Award, error) {
	name, period, owner, a, err := b.find(id)
	p := b.windows[name].settled[period]
	switch {
	case owner != member:
		err = board.ErrNotYours
	case err == nil:
		err = p.waiting(a)
	}
	if err != nil {
		return board.Award{}, err
	}
	claimed := b.award(name, period, owner)
	claimed.State = board.Granted
	has := slices.Concat(a.granted, a.due)
	a.granted = nil
	for _, t := range p.plan.Tiers {
		if slices.Contains(has, t) {
			a.granted = append(a.granted, t)
		}
	}
	p.awards[owner] = a
	return claimed, nil
}

// Withhold withholds an award that waits.
func (b boardAt) Withhold(id, reason string) error {
	name, period, owner, a, err := b.find(id)
	p := b.windows[name].settled[period]
	if err == nil {
		err = p.waiting(a)
	}
	if err == nil {
		a.withheld = reason
		p.awards[owner] = a
	}
	return err
}

// Release makes an award that is withheld wait. One with nothing to be granted stays withheld.
func (b boardAt) Release(id string) error {
	name, period, owner, a, err := b.find(id)
	p := b.windows[name].settled[period]
	switch {
	case err != nil:
		return err
	case a.withheld != "" && p.toGrant(a) == nil:
		return board.ErrWithheld
	case a.withheld == "" && p.toGrant(a) == nil:
		return board.ErrGranted
	case a.withheld == "":
		return board.ErrAward
	}
	a.withheld = ""
	p.awards[owner] = a
	return nil
}

// waitingAwards returns how many awards of a member wait.
func (b boardAt) waitingAwards(member string) (n int) {
	for _, win := range b.windows {
		for _, p := range win.settled {
			if a, ok := p.awards[member]; ok && p.state(a) == board.Waiting {
				n++
			}
		}
	}
	return n
}
