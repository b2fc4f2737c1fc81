package board

import (
	"fmt"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Row is one place of a ranking.
type Row struct {
	Rank   int // from 1
	Member string
	Score  float64
}

// Ranking is one period of a board, live or past. Each of its methods reads the ranking as it is at that moment. The first to
// touch a ranking since the engine was opened reads it from the disk, O(members); the costs below are those after that.
type Ranking struct {
	b      *Board
	window Window
	period string
	key    string
}

// Live returns the ranking of a window's present period, by the engine's clock. It may be empty, and stays with that period
// when the next one begins. Errors: ErrNoWindow.
func (b *Board) Live(w Window) (Ranking, error) {
	if err := b.has(w); err != nil {
		return Ranking{}, err
	}
	period := w.Period(b.e.Now())
	return Ranking{b, w, period, b.spec.key(w, period)}, nil
}

// Period returns the ranking of a window's period by its name. Errors: ErrNoWindow, ErrNoPeriod if nobody has scored in it,
// those of the engine.
func (b *Board) Period(w Window, period string) (Ranking, error) {
	if err := b.has(w); err != nil {
		return Ranking{}, err
	}
	r := Ranking{b, w, period, b.spec.key(w, period)}
	n, err := r.Len()
	if err == nil && n == 0 {
		err = fmt.Errorf("%w: %q has nobody in %s %q", ErrNoPeriod, b.spec.Name, w, period)
	}
	return r, err
}

// Board returns the board that the ranking belongs to.
func (r Ranking) Board() *Board { return r.b }

// Window returns the window that the ranking's period is a run of.
func (r Ranking) Window() Window { return r.window }

// Period returns the name of the ranking's period.
func (r Ranking) Period() string { return r.period }

// view runs fn on the ranking's set.
func (r Ranking) view(fn func(v *zset.View)) error {
	return r.b.e.View([]string{r.key}, func(tx *engine.Tx) error {
		s, err := tx.Set(r.key)
		if err == nil {
			fn(s.View)
		}
		return err
	})
}

// Len returns the number of members ranked. O(1). Errors: those of the engine.
func (r Ranking) Len() (n int, err error) {
	err = r.view(func(v *zset.View) { n = v.Len() })
	return n, err
}

// Top returns the n best, best first; fewer if there are fewer. O(log members + n). Errors: those of the engine.
func (r Ranking) Top(n int) (rows []Row, err error) {
	err = r.view(func(v *zset.View) { rows = r.b.rows(v, 0, n) })
	return rows, err
}

// Places returns the places with ranks first to last, both included, best first; ranks that nobody has are left out.
// O(log members + last - first). Errors: those of the engine.
func (r Ranking) Places(first, last int) (rows []Row, err error) {
	err = r.view(func(v *zset.View) { rows = r.b.rows(v, max(first, 1)-1, last) })
	return rows, err
}

// Rank returns a member's place, and false if it is not ranked. O(log members). Errors: those of the engine.
func (r Ranking) Rank(member string) (row Row, ok bool, err error) {
	err = r.view(func(v *zset.View) { row, ok = r.b.row(v, member) })
	return row, ok, err
}

// Score returns a member's score, and false if it is not ranked. O(1). Errors: those of the engine.
func (r Ranking) Score(member string) (score float64, ok bool, err error) {
	err = r.view(func(v *zset.View) {
		var stored float64
		stored, ok = v.Score([]byte(member))
		score = r.b.spec.read(stored, nil).score
	})
	return score, ok, err
}

// Around returns a member's place with n places before it and n after, best first, and false if it is not ranked. Near an
// end of the ranking the other side gives more, so that there are 2n+1 rows wherever there are so many members.
// O(log members + n). Errors: those of the engine.
func (r Ranking) Around(member string, n int) (rows []Row, ok bool, err error) {
	err = r.view(func(v *zset.View) {
		var rank int
		if rank, ok = v.Rank([]byte(member)); !ok {
			return
		}
		n = min(max(n, 0), v.Len())
		lo := min(rank-n, v.Len()-(2*n+1))
		lo = max(lo, 0)
		rows = r.b.rows(v, lo, lo+2*n+1)
	})
	return rows, ok, err
}

// row returns a member's place.
func (b *Board) row(v *zset.View, member string) (Row, bool) {
	m := []byte(member)
	rank, ok := v.Rank(m)
	if !ok {
		return Row{}, false
	}
	stored, _ := v.Score(m)
	return Row{Rank: rank + 1, Member: member, Score: b.spec.read(stored, nil).score}, true
}

// rows returns the places [lo, hi), counted from 0.
func (b *Board) rows(v *zset.View, lo, hi int) []Row {
	lo, hi = max(lo, 0), max(min(hi, v.Len()), 0)
	rows := make([]Row, 0, max(hi-lo, 0))
	for member, stored := range v.Range(lo, hi) {
		rows = append(rows, Row{Rank: lo + len(rows) + 1, Member: string(member), Score: b.spec.read(stored, nil).score})
	}
	return rows
}
