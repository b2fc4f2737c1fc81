package ranking

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/zset"
)

// Look reads a ranking while its source keeps the set unchanged. Places in a Look count from 0, as ranks of the set do, and their intervals are
// half-open.
type Look struct {
	v         view
	n         int             // members of the ranking: the first entries of v
	ctx       context.Context // of the read, for meta
	meta      MetaOf
	vacancies Vacancies
	rules     *rules.Rules
	mode      rules.Mode
	source    Source // that opened is of; nil in a look of NewLook
	opened    Opened
	key       []byte          // a member beyond the best n
	texts     strings.Builder // backs the members of rows
	more      int             // rows that will be read after the present ones, for the size of texts
}

// NewLook returns a look at the first n entries of a set, or at all if it has fewer, with ordinal ranks and without metadata.
func NewLook(v *zset.IntView, n int, r *rules.Rules) *Look {
	return &Look{v: view{IntView: v}, n: min(n, v.Len()), rules: r}
}

// NewSetsLook is NewLook of sets of another store.
func NewSetsLook(s Sets, r *rules.Rules) *Look {
	return &Look{v: view{sets: s}, n: s.Len(), rules: r}
}

// Begin makes l a look at a ranking in parts, with ordinal ranks and without metadata.
func (l *Look) Begin(p *Parts, r *rules.Rules) {
	*l = Look{v: view{parts: p}, n: p.Len(), rules: r}
}

// Len returns the number of members.
func (l *Look) Len() int { return l.n }

// LenWithout returns the number of members other than one.
func (l *Look) LenWithout(member []byte) int {
	if _, ok := l.v.Score(member); ok {
		return l.n - 1
	}
	return l.n
}

// Others fills in where the candidates of a member stand. The ranking is in parts. O(parts log n) for each.
func (l *Look) Others(member []byte, all []Candidate) {
	l.v.parts.stand(member, all)
	own, ownTie, ok := l.v.Get(member)
	for i := range all {
		x := &all[i]
		if x.Others = x.Place; ok && (own < x.Score || own == x.Score && bytes.Compare(ownTie, x.Tie) < 0) {
			x.Others--
		}
	}
}

// first returns the number of members with a better score than s, which is also the place of the first member with that score. rules.Check
// has returned s. O(log n).
func (l *Look) first(s rules.Score) int {
	var buf [rules.MaxTie]byte
	return min(l.v.seek(l.rules.Prefix(buf[:0], s)), l.n)
}

// end returns the number of members with a better score than s, or the same. O(log n).
func (l *Look) end(s rules.Score) int {
	var buf [rules.MaxTie]byte
	return min(l.v.SeekAfter(l.rules.Prefix(buf[:0], s)), l.n)
}

// rank returns the rank, from 1, of the member at a place, in the ranking's mode. s is the member's score. O(log n) if there are no vacancies.
func (l *Look) rank(s rules.Score, place int) int {
	return l.closedUp(s, place) + l.vacant().member(s, place)
}

// vacant returns what counts the vacancies.
func (l *Look) vacant() vacant { return vacant{&l.v, l.vacancies, l.rules, l.mode} }

// closedUp is rank without vacancies.
func (l *Look) closedUp(s rules.Score, place int) int {
	switch l.mode {
	case rules.Competition:
		return l.first(s) + 1
	case rules.Modified:
		return l.end(s)
	case rules.Dense:
		return l.v.Distinct(l.first(s), l.rules.ScoreTie()) + 1
	default:
		return place + 1
	}
}

// newPlace returns the place that a new member with a score would take. O(log n).
func (l *Look) newPlace(s rules.Score) int {
	if l.rules.Ties() == rules.LastToReach {
		return l.first(s)
	}
	return l.end(s)
}

// fill sets a row to that of an entry, without its rank. It sets field by field: to make a Row and copy it takes half as long again.
func (l *Look) fill(row *board.Row, member string, score int64, tie []byte) (err error) {
	row.Member, row.Meta, row.Beyond, row.Within = member, nil, false, 0
	setReached(row, l.rules, l.rules.DecodeScore(&row.Score, score, tie))
	if l.meta != nil {
		row.Meta, err = l.meta(l.ctx, member)
	}
	return err
}

// SetRow sets a row to that of an entry, without metadata.
func SetRow(row *board.Row, r *rules.Rules, rank int, member string, e *rules.Entry) {
	row.Rank, row.Member, row.Score, row.Meta, row.Beyond, row.Within = rank, member, e.Score, nil, false, 0
	setReached(row, r, e.Reached)
}

// setReached sets when the score was reached, in microseconds after 1970.
func setReached(row *board.Row, r *rules.Rules, at int64) {
	if row.Reached = (time.Time{}); r.Ties() != rules.ByMember {
		row.Reached = time.UnixMicro(at).UTC()
	}
}

// Find returns a member's row and place, and false if it is not ranked. O(log n).
func (l *Look) Find(member string) (row board.Row, place int, ok bool, err error) {
	m := []byte(member)
	place, score, tie, ok := l.v.RankGet(m)
	if !ok {
		return row, 0, false, nil
	}
	if err = l.fill(&row, member, score, tie); err != nil {
		return board.Row{}, 0, false, err
	}
	if place >= l.n {
		SetBeyond(&row, l.n+l.vacancies.Before(score, tie))
		return row, l.n, true, nil
	}
	row.Rank = l.rank(row.Score, place)
	return row, place, true, nil
}

// SetBeyond makes the row that of a member beyond the best n, whose rank is not known.
func SetBeyond(row *board.Row, n int) { row.Rank, row.Within, row.Beyond = n+1, board.Unknown, true }

// SetBetween sets the rank of a member beyond the best n, which is from least to most, if that is known.
func SetBetween(row *board.Row, least, most int, known bool) {
	if known {
		row.Rank = (least + most) / 2
		row.Within = most - row.Rank
	}
}

// place returns the place of a member, and false if it is not among the members of the ranking. O(log n).
func (l *Look) place(member string) (place int, ok bool) {
	place, ok = l.v.Rank([]byte(member))
	return place, ok && place < l.n
}

// score returns a member's score, and false if it is not ranked. O(1).
func (l *Look) score(member string) (s rules.Score, ok bool) {
	score, tie, ok := l.v.Get([]byte(member))
	if !ok {
		return s, false
	}
	return l.rules.Decode(score, tie).Score, true
}

// at returns the row of a place, and false if the ranking has fewer members. O(log n).
func (l *Look) at(place int) (row board.Row, ok bool, err error) {
	if place < 0 || place >= l.n {
		return row, false, nil
	}
	var buf [1]board.Row
	rows, err := l.AppendRows(buf[:0], place, place+1)
	if err != nil || len(rows) == 0 {
		return row, false, err
	}
	return rows[0], true, nil
}

// Rows returns the rows of the places [lo, hi), without those outside the ranking. O(log n + rows).
func (l *Look) Rows(lo, hi int) ([]board.Row, error) { return l.AppendRows(nil, lo, hi) }

// AppendRows appends the rows of the places [lo, hi), without those outside the ranking. After an error it returns dst as it was. O(log n +
// rows).
func (l *Look) AppendRows(dst []board.Row, lo, hi int) ([]board.Row, error) {
	lo, hi = max(lo, 0), min(hi, l.n)
	if lo >= hi {
		return dst, nil
	}
	rows, err := slices.Grow(dst, hi-lo), error(nil)
	rows = rows[:len(dst)+hi-lo]
	i := len(dst)
	switch {
	case l.v.parts != nil:
		for l.v.parts.walk(lo, hi); i < len(rows) && err == nil; i++ {
			err = l.setRow(&rows[i], l.v.parts.next(), len(rows)-i)
		}
	case l.v.sets != nil:
		l.v.sets.Walk(lo, hi)
		for e := l.v.sets.Next(); e != nil && i < len(rows) && err == nil; e = l.v.sets.Next() {
			err = l.setRow(&rows[i], e, len(rows)-i)
			i++
		}
		if rows = rows[:i]; i == len(dst) { // they have left meanwhile
			return dst, err
		}
	default:
		for e := range l.v.Entries(lo, hi) {
			if err = l.setRow(&rows[i], &e, len(rows)-i); err != nil {
				break
			}
			i++
		}
	}
	if err != nil {
		return dst, err
	}
	l.assignRanks(rows[len(dst):], lo)
	return rows, nil
}

// setRow sets a row, which may be one that the caller does not need any more, to that of an entry. left is the number of rows to come, with this
// one.
func (l *Look) setRow(row *board.Row, e *zset.IntEntry, left int) error {
	member := row.Member
	switch {
	case member == "":
		member = l.text(e.Member, left)
	case member != string(e.Member):
		member = l.text(e.Member, min(left, fewTexts))
	}
	return l.fill(row, member, e.Score, e.Tie)
}

// text returns a string of a member. left is the number of strings to come, with this one; they share one allocation if they are about as
// long.
func (l *Look) text(member []byte, left int) string {
	if l.texts.Cap()-l.texts.Len() < len(member) {
		l.texts = strings.Builder{}
		l.texts.Grow(max(len(member), min((left+l.more)*(len(member)+2), maxText)))
	}
	from := l.texts.Len()
	l.texts.Write(member)
	return l.texts.String()[from:]
}

// fewTexts is how many members share an allocation in a slice that is used again, where most may keep theirs.
const fewTexts = 8

// maxText is how many bytes members share an allocation, so that a row that the caller keeps keeps no more.
const maxText = 4 << 10

// assignRanks sets the ranks of rows at consecutive places, the first at place. O(log n + rows) if there are no vacancies.
func (l *Look) assignRanks(rows []board.Row, place int) {
	if len(l.vacancies) > 0 {
		l.assignAmongVacancies(rows, place)
		return
	}
	n, first, last := len(rows), 0, 0
	if l.mode == rules.Modified {
		last = l.rank(rows[n-1].Score, place+n-1)
	} else {
		first = l.rank(rows[0].Score, place)
	}
	assign(l.mode, n, place, first, last,
		func(i int) bool { return rows[i].Score == rows[i-1].Score },
		func(i, rank int) { rows[i].Rank = rank })
}

// assignAmongVacancies is assignRanks in a ranking with vacancies. O(rows log n), and with Dense O(rows vacancies log n).
func (l *Look) assignAmongVacancies(rows []board.Row, place int) {
	if l.mode != rules.Ordinal {
		for i := range rows {
			if i > 0 && rows[i].Score == rows[i-1].Score {
				rows[i].Rank = rows[i-1].Rank
				continue
			}
			rows[i].Rank = l.rank(rows[i].Score, place+i)
		}
		return
	}
	a := l.vacant()
	before := a.at(place)
	for i := range rows {
		for before < len(a.list) && a.place(before) <= place+i {
			before++
		}
		rows[i].Rank = place + i + 1 + before
	}
}

// window returns an interval of size places that begins at lo, shifted if necessary so that it lies in the ranking. If the ranking has fewer
// places, the interval begins at a negative place.
func (l *Look) window(lo, size int) (int, int) {
	lo = min(max(lo, 0), l.n-size)
	return lo, lo + size
}
