package ranking

import (
	"bytes"
	"cmp"
	"slices"
	"sort"

	"github.com/zrankdb/zrank/engine/board/rules"
)

// Vacancy is where an entry was that has left a closed ranking and has kept its rank, so that nobody has it. It has the score and the tie of the entry, and
// not the member, which may be erased.
type Vacancy struct {
	Score int64
	Tie   []byte
}

// Vacancies are the vacancies of a ranking.
//
//   - V1: they are in the order of the ranking. The slice is never modified, only replaced.
//   - V2: ranks count the vacancies before a member as if they were members; places do not. A vacancy is behind the members of the same score and tie.
type Vacancies []Vacancy

// compare compares a vacancy with an entry by the score and the first n bytes of the ties.
func (g Vacancy) compare(score int64, tie []byte, n int) int {
	return cmp.Or(cmp.Compare(g.Score, score), bytes.Compare(begin(g.Tie, n), begin(tie, n)))
}

// begin returns the first n bytes of a tie.
func begin(tie []byte, n int) []byte { return tie[:min(n, len(tie))] }

// NewVacancies returns vacancies in order. It takes the slice.
func NewVacancies(all []Vacancy) Vacancies {
	slices.SortFunc(all, func(a, b Vacancy) int { return a.compare(b.Score, b.Tie, max(len(a.Tie), len(b.Tie))) })
	return all
}

// With returns the vacancies with that of one entry more. O(vacancies).
func (g Vacancies) With(score int64, tie []byte) Vacancies {
	return slices.Insert(slices.Clone(g), g.through(score, tie), Vacancy{score, bytes.Clone(tie)})
}

// Before returns the number of vacancies before an entry, or before all entries whose ties begin with a text. O(log vacancies).
func (g Vacancies) Before(score int64, tie []byte) int {
	return sort.Search(len(g), func(i int) bool { return g[i].compare(score, tie, len(tie)) >= 0 })
}

// through returns the number of vacancies before an entry, or equal to it, or whose ties begin with a text. O(log vacancies).
func (g Vacancies) through(score int64, tie []byte) int {
	return sort.Search(len(g), func(i int) bool { return g[i].compare(score, tie, len(tie)) > 0 })
}

// vacantPlace returns the place before which a vacancy is. O(log n).
func (l *Look) vacantPlace(i int) int {
	var buf [rules.MaxTie]byte
	next := append(buf[:0], l.vacancies[i].Tie...)
	for j := len(next) - 1; j >= 0; j-- { // the tie that follows sorts behind all texts of entries with the tie
		if next[j]++; next[j] != 0 {
			return l.v.seek(l.vacancies[i].Score, next)
		}
	}
	return l.v.SeekAfter(l.vacancies[i].Score, nil)
}

// vacantAt returns the number of vacancies before a place. O(log vacancies log n).
func (l *Look) vacantAt(place int) int {
	return sort.Search(len(l.vacancies), func(i int) bool { return l.vacantPlace(i) > place })
}

// missing returns by how much vacancies raise the rank of the member at a place, in the ranking's mode. s is the member's score. O(log vacancies log n), and with
// Dense O(vacancies log n).
func (l *Look) missing(s rules.Score, place int) int {
	if len(l.vacancies) == 0 {
		return 0
	}
	if l.mode == Ordinal {
		return l.vacantAt(place)
	}
	var buf [rules.MaxTie]byte
	score, columns := l.rules.Prefix(buf[:0], s)
	return l.missingIn(score, columns)
}

// missingIn is missing in a mode that ranks by the score, of which columns is the part in the tie.
func (l *Look) missingIn(score int64, columns []byte) int {
	switch l.mode {
	case Competition:
		return l.vacancies.Before(score, columns)
	case Modified:
		return l.vacancies.through(score, columns)
	default:
		return l.missingScores(l.vacancies.Before(score, columns))
	}
}

// missingScores returns the number of scores that some of the first vacancies have and no member.
func (l *Look) missingScores(vacancies int) (n int) {
	columns := l.rules.ScoreTie()
	for i, g := range l.vacancies[:vacancies] {
		if i > 0 && l.vacancies[i-1].compare(g.Score, g.Tie, columns) == 0 {
			continue
		}
		if l.v.seek(g.Score, begin(g.Tie, columns)) == l.v.SeekAfter(g.Score, begin(g.Tie, columns)) {
			n++
		}
	}
	return n
}

// missingBeyond returns at least and at most by how much vacancies raise the rank of a member that is beyond the best n: with Dense the score of a vacancy behind the
// head may be that of a member too.
func (l *Look) missingBeyond(own Place) (least, most int) {
	columns := own.Tie[:l.rules.ScoreTie()]
	if l.mode == Ordinal {
		most = l.vacancies.Before(own.Score, own.Tie)
	} else {
		most = l.missingIn(own.Score, columns)
	}
	if l.mode != Dense {
		return most, most
	}
	return l.missingScores(min(l.vacancies.Before(own.Score, columns), l.vacantAt(l.v.Len()-1))), most
}

// missingBefore returns by how much vacancies raise the rank of a new member with a score. O(log vacancies).
func (l *Look) missingBefore(s rules.Score) int {
	if len(l.vacancies) == 0 {
		return 0
	}
	if l.mode != Ordinal {
		return l.missing(s, 0)
	}
	var buf [rules.MaxTie]byte
	score, columns := l.rules.Prefix(buf[:0], s)
	if l.rules.Ties() == rules.LastToReach {
		return l.vacancies.Before(score, columns)
	}
	return l.vacancies.through(score, columns)
}

// assignAmongVacancies sets the ranks of rows at consecutive places, the first at place. O(rows log n), and with Dense O(rows vacancies log n).
func (l *Look) assignAmongVacancies(rows []Row, place int) {
	if l.mode != Ordinal {
		for i := range rows {
			if i > 0 && rows[i].Score == rows[i-1].Score {
				rows[i].Rank = rows[i-1].Rank
				continue
			}
			rows[i].Rank = l.rank(rows[i].Score, place+i)
		}
		return
	}
	before := l.vacantAt(place)
	for i := range rows {
		for before < len(l.vacancies) && l.vacantPlace(before) <= place+i {
			before++
		}
		rows[i].Rank = place + i + 1 + before
	}
}
