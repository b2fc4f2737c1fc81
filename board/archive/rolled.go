package archive

import (
	"errors"

	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/rules"
)

// rolledOf returns a result in a rolling window as it is in a line.
func rolledOf(of *rules.Rules, r relocation.Rolled) rolled {
	l := rolled{Leaves: moment(r.Leaves), Score: r.Score, Order: r.Arrival}
	if hasReached(of) {
		m := moment(r.Reached)
		l.Reached = &m
	}
	if r.Told {
		m := moment(r.At)
		l.At = &m
	}
	return l
}

// hasReached reports whether the results in a rolling window have times of their own.
func hasReached(of *rules.Rules) bool { return of.Ties() != rules.ByMember && !of.Sums() }

// relocated returns the results of a line.
func relocated(of *rules.Rules, list []rolled) (all []relocation.Rolled, err error) {
	for _, l := range list {
		r := relocation.Rolled{Leaves: int64(l.Leaves)}
		if r.Score, err = of.CheckRanked(l.Score); err != nil {
			return nil, err
		}
		if (l.Reached != nil) != hasReached(of) || l.Reached == nil && l.Order != 0 || l.At != nil && of.Timed() == 0 || l.Order > latest {
			return nil, errors.New("a result in a rolling window has not the times of its board")
		}
		if l.Reached != nil {
			r.Reached, r.Arrival = int64(*l.Reached), l.Order
		}
		if l.At != nil {
			r.At, r.Told = int64(*l.At), true
		}
		all = append(all, r)
	}
	return all, nil
}
