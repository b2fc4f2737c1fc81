package ranking

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
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
