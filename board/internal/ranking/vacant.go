package ranking

import (
	"sort"

	"github.com/zrankdb/zrank/board/rules"
)

// vacant counts the vacancies of a ranking that is being read.
type vacant struct {
	v     *view
	list  Vacancies
	rules *rules.Rules
	mode  rules.Mode
}

// place returns the place before which a vacancy is. O(log n).
func (a vacant) place(i int) int {
	var buf [rules.MaxTie]byte
	next := append(buf[:0], a.list[i].Tie...)
	for j := len(next) - 1; j >= 0; j-- { // the tie that follows sorts behind all texts of entries with the tie
		if next[j]++; next[j] != 0 {
			return a.v.seek(a.list[i].Score, next)
		}
	}
	return a.v.SeekAfter(a.list[i].Score, nil)
}

// at returns the number of vacancies before a place. O(log vacancies log n).
func (a vacant) at(place int) int {
	return sort.Search(len(a.list), func(i int) bool { return a.place(i) > place })
}

// member returns by how much vacancies raise the rank of the member at a place, whose score is s. O(log vacancies log n), and with Dense O(vacancies log n).
func (a vacant) member(s rules.Score, place int) int {
	switch {
	case len(a.list) == 0:
		return 0
	case a.mode == rules.Ordinal:
		return a.at(place)
	}
	var buf [rules.MaxTie]byte
	return a.score(a.rules.Prefix(buf[:0], s))
}

// newMember returns by how much vacancies raise the rank of a new member with a score. O(log vacancies), and with Dense O(vacancies log n).
func (a vacant) newMember(s rules.Score) int {
	if len(a.list) == 0 {
		return 0
	}
	var buf [rules.MaxTie]byte
	score, columns := a.rules.Prefix(buf[:0], s)
	switch {
	case a.mode != rules.Ordinal:
		return a.score(score, columns)
	case a.rules.Ties() == rules.LastToReach:
		return a.list.Before(score, columns)
	default:
		return a.list.through(score, columns)
	}
}

// beyond returns at least and at most by how much vacancies raise the rank of an entry that is not in the head of a ranking: with Dense the score of a vacancy
// behind the head may be that of a member too.
func (a vacant) beyond(own Place) (least, most int) {
	columns := own.Tie[:a.rules.ScoreTie()]
	switch a.mode {
	case rules.Ordinal:
		most = a.list.Before(own.Score, own.Tie)
		return most, most
	case rules.Dense:
		all := a.list.Before(own.Score, columns)
		return a.scores(min(all, a.at(a.v.Len()-1))), a.scores(all)
	default:
		most = a.score(own.Score, columns)
		return most, most
	}
}

// score returns by how much vacancies raise the rank of a score, of which columns is the part in the tie. The mode is not Ordinal.
func (a vacant) score(score int64, columns []byte) int {
	switch a.mode {
	case rules.Competition:
		return a.list.Before(score, columns)
	case rules.Modified:
		return a.list.through(score, columns)
	default:
		return a.scores(a.list.Before(score, columns))
	}
}

// scores returns the number of scores that some of the first vacancies have and no member.
func (a vacant) scores(first int) (n int) {
	columns := a.rules.ScoreTie()
	for i, x := range a.list[:first] {
		if i > 0 && a.list[i-1].compare(x.Score, x.Tie, columns) == 0 {
			continue
		}
		if a.v.seek(x.Score, begin(x.Tie, columns)) == a.v.SeekAfter(x.Score, begin(x.Tie, columns)) {
			n++
		}
	}
	return n
}
