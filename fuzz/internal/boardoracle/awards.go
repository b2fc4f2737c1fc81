package boardoracle

import (
	"context"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/fuzz/internal/apply"
)

// Settlements returns the settlements of a window in order of time.
func (b boardAt) Settlements(ctx context.Context, name string) (list []awards.Settlement, err error) {
	_, err = b.window(name)
	for _, p := range slices.SortedFunc(maps.Values(b.windows[name].settled), func(a, b settledPeriod) int { return a.Start.Compare(b.Start) }) {
		s := awards.Settlement{Board: b.spec.Name, Window: name, Period: p.Name, Settled: true, Revision: p.revision, Awards: len(p.awards), Without: p.without, Reason: p.reason}
		for _, a := range p.awards {
			if p.state(a) == awards.Waiting {
				s.Waiting++
			}
		}
		list = append(list, s)
	}
	return list, err
}

// Awards iterates over the awards of a period, by place.
func (b boardAt) Awards(ctx context.Context, name, period string) iter.Seq2[awards.Award, error] {
	return func(yield func(awards.Award, error) bool) {
		for _, member := range b.windows[name].settled[period].byPlace() {
			if !yield(b.award(name, period, member), nil) {
				return
			}
		}
	}
}

// award returns the award of a member.
func (b boardAt) award(name, period, member string) awards.Award {
	p := b.windows[name].settled[period]
	a := p.awards[member]
	inID := member
	for name, of := range b.namesInIDs(p) {
		if of == member {
			inID = name
		}
	}
	is := awards.Award{ID: apply.AwardID(b.spec.Name, name, period, 1, inID), Revision: a.revision, Rank: a.rank, Tiers: a.granted, State: p.state(a), TooMuch: p.tooMuch(a),
		Reason: a.withheld}
	if give := p.toGrant(a); give != nil {
		is.Tiers, is.Had = give, a.granted
	}
	return is
}

func (p settledPeriod) state(a award) awards.State {
	switch {
	case a.withheld != "":
		return awards.Withheld
	case p.toGrant(a) == nil:
		return awards.Granted
	}
	return awards.Waiting
}

// find returns the award of an id, and where it is. Error: awards.ErrNoAward.
func (b boardAt) find(id string) (name, period, owner string, a award, err error) {
	parts := strings.Split(id, "/") // board, window, period, any revision, member
	for i := range parts {
		parts[i], _ = url.PathUnescape(parts[i])
	}
	name, period = parts[1], parts[2]
	p := b.windows[name].settled[period]
	owner = b.ownerOf(p, parts[4])
	a, ok := p.awards[owner]
	if revision, _ := strconv.Atoi(parts[3]); !ok || revision < 1 || revision > p.revision {
		err = awards.ErrNoAward
	}
	return name, period, owner, a, err
}

// movesSince returns the renames and merges since a period was closed, as far as the audit log still has both names.
func (b boardAt) movesSince(p settledPeriod) (list []audit.Entry) {
	for _, e := range b.audit {
		if (e.Kind == "rename" || e.Kind == "merge") && !e.At.Before(p.closed) && e.Member != "" && e.To != "" {
			list = append(list, e.Entry)
		}
	}
	return list
}

// namesInIDs returns, by the name in an id, the member with the award, for those that a rename or a merge has touched: the id has the name from when the period was
// closed, as far as no other award has it.
func (b boardAt) namesInIDs(p settledPeriod) map[string]string {
	members, moves := map[string]string{}, b.movesSince(p)
	for _, e := range moves {
		for _, name := range []string{e.Member, e.To} {
			if _, ok := p.awards[name]; ok {
				members[name] = name
			}
		}
	}
	for _, e := range slices.Backward(moves) {
		member, ok := members[e.To]
		if _, taken := members[e.Member]; ok && !taken && e.Kind == "rename" {
			delete(members, e.To)
			members[e.Member] = member
		}
	}
	return members
}

// ownerOf returns the member with the award whose id has a name, or had it in an earlier version: there it was the member's name by then.
func (b boardAt) ownerOf(p settledPeriod, name string) string {
	if member, ok := b.namesInIDs(p)[name]; ok {
		return member
	}
	member := name
	if _, ok := p.awards[name]; !ok {
		for _, e := range b.movesSince(p) {
			if e.Member == member {
				member = e.To
			}
		}
	}
	if _, ok := p.awards[member]; ok {
		return member
	}
	return name
}

// waiting returns an error unless an award waits.
func (p settledPeriod) waiting(a award) error {
	switch p.state(a) {
	case awards.Withheld:
		return awards.ErrWithheld
	case awards.Granted:
		return awards.ErrGranted
	}
	return nil
}

// Claim grants an award of the board to its member.
func (b boardAt) Claim(ctx context.Context, member, id string) (awards.Award, error) {
	name, period, owner, a, err := b.find(id)
	p := b.windows[name].settled[period]
	switch {
	case owner != member:
		err = awards.ErrNotYours
	case err == nil:
		err = p.waiting(a)
	}
	if err != nil {
		return awards.Award{}, err
	}
	claimed := b.award(name, period, owner)
	claimed.State = awards.Granted
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
func (b boardAt) Withhold(ctx context.Context, id, reason string) error {
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

// Release makes an award that is withheld wait. One that a Resettle has left with nothing goes.
func (b boardAt) Release(ctx context.Context, id string) error {
	name, period, owner, a, err := b.find(id)
	p := b.windows[name].settled[period]
	switch {
	case err != nil:
		return err
	case a.withheld == "" && p.toGrant(a) == nil:
		return awards.ErrGranted
	case a.withheld == "":
		return awards.ErrNoAward
	}
	a.withheld = ""
	p.awards[owner] = a
	if a.due == nil && a.granted == nil {
		delete(p.awards, owner)
	}
	return nil
}

// waitingAwards returns how many awards of a member wait.
func (b boardAt) waitingAwards(member string) (n int) {
	for _, win := range b.windows {
		for _, p := range win.settled {
			if a, ok := p.awards[member]; ok && p.state(a) == awards.Waiting {
				n++
			}
		}
	}
	return n
}
