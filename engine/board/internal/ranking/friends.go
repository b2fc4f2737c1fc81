package ranking

import "slices"

// Among implements Ranking.
func (r *reader) Among(members ...string) (list []Standing, err error) {
	l, err := r.look()
	if err != nil {
		return nil, err
	}
	defer l.done()
	return l.among(members)
}

// among returns the standings of those members that are ranked. O(members log n).
func (l *Look) among(members []string) ([]Standing, error) {
	places := make([]int, 0, len(members))
	for _, member := range members {
		if place, ok := l.v.Rank([]byte(member)); ok {
			places = append(places, place)
		}
	}
	slices.Sort(places)
	places = slices.Compact(places)
	list := make([]Standing, len(places))
	for i, place := range places {
		row, _, err := l.at(place)
		if err != nil {
			return nil, err
		}
		list[i].Row = row
	}
	l.mode.assign(len(list), 0, 1, len(list),
		func(i int) bool { return list[i].Score == list[i-1].Score },
		func(i, rank int) { list[i].Local = rank })
	return list, nil
}
