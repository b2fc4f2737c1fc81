package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/internal/model"
	"github.com/zrankdb/zrank/zset"
)

// Operations of a script on sets with int64 scores; see ops_test.go. WIDTH is that of the ties, and says the whole form: intForm.
//
//	iadd SET WIDTH MEMBER SCORE TIE    iincr SET WIDTH MEMBER DELTA    iremove SET WIDTH MEMBER    ipopmin SET WIDTH N
//	ipopmax SET WIDTH N                icut SET WIDTH LO HI            iexpect SET WIDTH MEMBER SCORE
//	iexpire SET WIDTH SECONDS          iread SET WIDTH                 ifill SET WIDTH FROM TO SCORE
//
// TIE is a byte that all of the tie consists of, in hexadecimal; "-" is Add, which leaves the tie.

// intForm returns the form that goes with a width of ties.
func intForm(width int) Form {
	return Form{TieWidth: width, ScoreTie: width / 16 * 8, Dense: width%16 == 8}
}

func int64Of(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// tieArg returns the tie that is meant, nil for none.
func tieArg(s string, width int) []byte {
	if s == "-" {
		return nil
	}
	return slices.Repeat(tieOf(s), width)
}

func engineIntOp(tx *Tx, f []string) string {
	width := integer(f[2])
	s, err := tx.IntSet(f[1], intForm(width))
	if err != nil {
		return errText(err)
	}
	switch f[0] {
	case "iadd":
		if tie := tieArg(f[5], width); tie != nil {
			return answer(s.AddTied([]byte(f[3]), tie, int64Of(f[4])))
		}
		return answer(s.Add([]byte(f[3]), int64Of(f[4])))
	case "iincr":
		return answer(s.IncrBy([]byte(f[3]), int64Of(f[4])))
	case "iremove":
		return answer(s.Remove([]byte(f[3])))
	case "ipopmin":
		entries, err := s.PopMin(integer(f[3]))
		return answer(intsText(entries), err)
	case "ipopmax":
		entries, err := s.PopMax(integer(f[3]))
		return answer(intsText(entries), err)
	case "icut":
		return answer(s.RemoveRange(integer(f[3]), integer(f[4])))
	case "iexpect":
		return answer("", s.ExpectScore([]byte(f[3]), int64Of(f[4])))
	case "iexpire":
		return answer(s.ExpireIn(time.Duration(integer(f[3])) * time.Second))
	case "iread":
		return fmt.Sprint(s.Version(), intsText(s.Append(nil, 0, s.Len())))
	case "ifill":
		for i := integer(f[3]); i < integer(f[4]); i++ {
			if _, err := s.Add([]byte(wide(i)), int64Of(f[5])); err != nil {
				return errText(err)
			}
		}
		return ""
	}
	panic("no such operation: " + f[0])
}

func intsText(entries []zset.IntEntry) (text string) {
	for _, e := range entries {
		text += fmt.Sprintf(" %q=%v/%x", e.Member, e.Score, e.Tie)
	}
	return text
}

// The oracle keeps int64 scores in front of the ties, so that they order as they should: intEntry, and back.

func intEntry(member, tie string, score int64) model.Entry {
	return model.Entry{Tie: string(binary.BigEndian.AppendUint64(nil, uint64(score)^1<<63)) + tie, Member: member}
}

func intScore(e model.Entry) int64 { return int64(binary.BigEndian.Uint64([]byte(e.Tie)) ^ 1<<63) }

// text is entriesText, of sets of either kind.
func (o *oracle) text(entries []model.Entry) (text string) {
	if o.form == nil {
		return entriesText(entries)
	}
	for _, e := range entries {
		text += fmt.Sprintf(" %q=%v/%x", e.Member, intScore(e), e.Tie[8:])
	}
	return text
}

// intSet returns a set as Tx.IntSet does, or the error's text.
func (m *modelTx) intSet(key string, f Form) (*oracle, string) {
	o, failed := m.any(key)
	if failed != "" {
		return nil, failed
	}
	if o.fresh && o.Len() == 0 {
		o.form, o.width = &f, f.TieWidth
	}
	switch {
	case o.form == nil:
		return nil, errText(ErrKind)
	case *o.form != f:
		return nil, errText(ErrTieWidth)
	}
	return o, ""
}

// intOp does one operation on the oracle.
func (m *modelTx) intOp(f []string) string {
	o, failed := m.intSet(f[1], intForm(integer(f[2])))
	if failed != "" {
		return failed
	}
	switch f[0] {
	case "iread":
		return fmt.Sprint(o.version, o.text(o.All()))
	case "iexpire":
		return m.expire(f[1], o, integer(f[3]))
	case "iexpect":
		e, had := o.Get(f[3])
		return conflictUnless(had && intScore(e) == int64Of(f[4]))
	case "ipopmin":
		return o.pop(o.Range(0, integer(f[3])))
	case "ipopmax":
		top := o.Range(o.Len()-integer(f[3]), o.Len())
		slices.Reverse(top)
		return o.pop(top)
	case "icut":
		return o.cut(o.Range(integer(f[3]), integer(f[4])))
	case "ifill":
		for i := integer(f[3]); i < integer(f[4]); i++ {
			o.version++
			o.putInt(wide(i), nil, int64Of(f[5]))
		}
		return ""
	}
	o.version++
	switch f[0] {
	case "iremove":
		return fmt.Sprint(o.Remove(f[3]))
	case "iincr":
		return o.incrInt(f[3], int64Of(f[4]))
	}
	return fmt.Sprint(o.putInt(f[3], tieArg(f[5], o.width), int64Of(f[4])))
}

// incrInt adds by hand what must not overflow.
func (o *oracle) incrInt(member string, delta int64) string {
	old := int64(0)
	if e, had := o.Get(member); had {
		old = intScore(e)
	}
	if delta > 0 && old > math.MaxInt64-delta || delta < 0 && old < math.MinInt64-delta {
		return errText(zset.ErrOverflow)
	}
	o.putInt(member, nil, old+delta)
	return fmt.Sprint(old + delta)
}

func (o *oracle) putInt(member string, tie []byte, score int64) (added bool) {
	if e, had := o.Get(member); tie == nil && had {
		tie = []byte(e.Tie[8:])
	}
	if tie == nil {
		tie = make([]byte, o.width)
	}
	return o.Put(intEntry(member, string(tie), score))
}

// readIntSet is readSet.
func readIntSet(s *IntSet) (*oracle, error) {
	f := formOf(facts.LayoutOf(s.IntView))
	o := &oracle{Set: model.New(), width: s.TieWidth(), form: &f, version: s.Version()}
	if at, ok := s.Expiry(); ok {
		o.expires = at.Unix()
	}
	var entries []model.Entry
	for _, e := range s.Append(nil, 0, s.Len()) {
		entries = append(entries, intEntry(string(e.Member), string(e.Tie), e.Score))
	}
	return o, o.fill(s.Key(), entries, s.Rank)
}

func (g *generator) int() string {
	return g.pick("-9223372036854775808", "9223372036854775807", "9007199254740993", "9007199254740992", "-1", "0", "1", "5")
}

// intOp returns one of these operations on a set.
func (g *generator) intOp(key string) string {
	at := key + " " + map[string]string{"n": "24", "o": "40"}[key]
	if at == key+" " || g.rng.IntN(12) == 0 {
		at = key + " " + g.pick("0", "24", "40", "8")
	}
	switch p := g.rng.IntN(20); {
	case p < 8:
		return fmt.Sprintf("iadd %s %s %s %s", at, g.member(), g.int(), g.pick("-", "00", "01", "ff"))
	case p < 11:
		return fmt.Sprintf("iincr %s %s %s", at, g.member(), g.int())
	case p < 13:
		return fmt.Sprintf("iremove %s %s", at, g.member())
	case p < 14:
		return fmt.Sprintf("%s %s %d", g.pick("ipopmin", "ipopmax"), at, g.rng.IntN(4))
	case p < 15:
		lo := g.rng.IntN(9) - 2
		return fmt.Sprintf("icut %s %d %d", at, lo, lo+g.rng.IntN(5)-1)
	case p < 16:
		return fmt.Sprintf("iexpect %s %s %s", at, g.member(), g.int())
	case p < 17:
		return fmt.Sprintf("iexpire %s %d", at, g.rng.IntN(20)-2)
	case p < 18 && key == "o":
		from := g.rng.IntN(300)
		return fmt.Sprintf("ifill %s %d %d %s", at, from, from+g.rng.IntN(330), g.int())
	}
	return "iread " + at
}

// The lines of a script that are not transactions:
//
//	unload SET...    store FROM TO WIDTH    (a copy by hand of what FROM has, if it has the form)

// store copies a set by hand and stores the copy under another key.
func (r *runner) store(from, to string, width int) error {
	now := r.clock.Load()
	m := r.now().begin([]string{from, to}, now)
	o, failed := m.intSet(from, intForm(width))
	z, seq, err := r.e.CopyInts(context.Background(), from, intForm(width))
	if failed != "" || err != nil {
		if errText(err) != failed {
			return fmt.Errorf("copy: %w, want %s", err, failed)
		}
		return nil
	}
	if got, want := intsText(z.Append(nil, 0, z.Len())), o.text(o.All()); got != want || (seq == 0) != (o.Len() == 0) {
		return fmt.Errorf("copy as of %d is %s, want %s", seq, got, want)
	}
	if r.now().sets[to] != nil && r.now().sets[to].expired(now) {
		return nil // whether it has been dropped by now is not worth knowing
	}
	c := o.clone()
	c.version, c.fresh, c.origin, c.expires = uint64(o.Len()), true, nil, 0
	m = r.now().begin([]string{to}, now)
	if m.w.sets[to] = c; o.Len() == 0 && r.now().sets[to] == nil {
		delete(m.w.sets, to)
	}
	w, changed := m.commit()
	if changed {
		r.commit(w)
	}
	if err := r.e.StoreInts(context.Background(), to, z); err != nil {
		return err
	}
	if r.o.Durability == Sync {
		r.acked.Store(r.lastSeq())
	}
	return nil
}
