package listpack

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"github.com/zrankdb/zrank/internal/model"
)

// The machine runs one list of operations on a List and on the oracle and compares them after each. The property tests and
// the fuzzer below only differ in where the operations come from.

// op is an operation and its two arguments, each of which may be any byte.
type op struct{ kind, member, order byte }

const (
	opPut    = iota // 0-3: give the member the order, new or not
	opDelete = 4    // delete the member
	opAt     = 5    // delete the entry of a rank
	opMove   = 6    // give the entry of a rank the order
	opSeek   = 7    // count the entries before an order
	opDecode = 8    // go on with what Decode makes of AppendTo
	opClear  = 9    // once in 8 times
	opKinds  = 10
)

var tieWidths = []int{0, 8, 16, 24, 32, 40}

var memberLens = []int{0, 1, 20, 7, 254, 255, 64 << 10}

// memberOf maps a byte to one of about 38 members. Members of the longest kind all have the same letter but one.
func memberOf(b byte) string {
	n := memberLens[int(b)%len(memberLens)]
	letters := byte(7)
	if n > 1000 {
		letters = 2
	}
	return strings.Repeat(string('a'+b/byte(len(memberLens))%letters), n)
}

// orderOf maps a byte to one of 3 keys and 3 ties, so that equal keys and equal ties occur.
func orderOf(b byte, tieWidth int) (key uint64, tie []byte) {
	tie = make([]byte, tieWidth)
	if tieWidth > 0 {
		tie[tieWidth-1] = b / 3 % 3
	}
	return uint64(b % 3), tie
}

type machine struct {
	list  List
	model *model.Set
}

func newMachine(tieWidth int) *machine {
	return &machine{list: New(tieWidth), model: model.New()}
}

func modelEntry(key uint64, tie, member []byte) model.Entry {
	return model.Entry{Score: float64(key), Tie: string(tie), Member: string(member)}
}

// apply runs an operation on the list and on the oracle, and returns what differs. Every other operation first converts the list to
// blocks and back.
func (m *machine) apply(o op) error {
	if block, rows := m.list.Blocks(); o.order%2 == 0 {
		m.list.Adopt(m.list.TieWidth(), block, rows)
	}
	key, tie := orderOf(o.order, m.list.TieWidth())
	switch kind := o.kind % opKinds; kind {
	case opDelete:
		p, _, ok := m.list.Find([]byte(memberOf(o.member)))
		if ok {
			m.list.Delete(p)
		}
		if m.model.Remove(memberOf(o.member)) != ok {
			return fmt.Errorf("delete: found %v", ok)
		}
	case opAt:
		if n := m.list.Len(); n > 0 {
			p := m.list.At(int(o.member) % n)
			m.model.Remove(modelEntry(m.list.Entry(p)).Member)
			m.list.Delete(p)
		}
	case opMove:
		if n := m.list.Len(); n > 0 {
			p := m.list.At(int(o.member) % n)
			return m.replace(p, key, tie)
		}
	case opSeek:
		limit := model.Entry{Score: float64(key), Tie: string(tie), Member: memberOf(o.member)}
		rank := m.list.Seek(key, append(tie, limit.Member...))
		if want := m.model.CountBefore(func(e model.Entry) bool { return model.Less(e, limit) }); rank != want {
			return fmt.Errorf("seek: rank %d, want %d", rank, want)
		}
	case opDecode:
		encoded := m.list.AppendTo(nil)
		l, err := Decode(encoded)
		if err != nil || !bytes.Equal(l.AppendTo(nil), encoded) {
			return fmt.Errorf("decode: %w", err)
		}
		m.list = l
	case opClear:
		if o.member%8 == 0 {
			m.list.Clear()
			m.model = model.New()
		}
	default:
		return m.put(key, tie, memberOf(o.member))
	}
	return nil
}

func (m *machine) put(key uint64, tie []byte, member string) error {
	if p, _, ok := m.list.Find([]byte(member)); ok {
		return m.replace(p, key, tie)
	}
	got := m.list.Insert(key, tie, []byte(member))
	m.model.Put(model.Entry{Score: float64(key), Tie: string(tie), Member: member})
	if want, _ := m.model.Rank(member); got != want {
		return fmt.Errorf("insert: rank %d, want %d", got, want)
	}
	return nil
}

func (m *machine) replace(p Pos, key uint64, tie []byte) error {
	member := modelEntry(m.list.Entry(p)).Member
	got := m.list.Replace(p, key, tie)
	m.model.Put(model.Entry{Score: float64(key), Tie: string(tie), Member: member})
	if want, _ := m.model.Rank(member); got != want {
		return fmt.Errorf("replace: rank %d, want %d", got, want)
	}
	return nil
}

// compare compares the whole list with the oracle, by every method that reads it.
func (m *machine) compare() error {
	l, want := &m.list, m.model.All()
	if f := verify(l); f != nil {
		return fmt.Errorf("violates %s at %d: %s", f.rule, f.at, f.found)
	}
	if l.Len() != len(want) {
		return fmt.Errorf("len %d, want %d", l.Len(), len(want))
	}
	p := l.Begin()
	for rank, w := range want {
		if got := modelEntry(l.Entry(p)); got != w {
			return fmt.Errorf("entry %d is %.60v, want %.60v", rank, got, w)
		}
		if seek := l.Seek(uint64(w.Score), []byte(w.Tie+w.Member)); seek != rank {
			return fmt.Errorf("Seek of entry %d = %d", rank, seek)
		}
		if at := l.At(rank); at != p {
			return fmt.Errorf("At(%d) = %d, want %d", rank, at, p)
		}
		if fp, r, ok := l.Find([]byte(w.Member)); !ok || fp != p || r != rank {
			return fmt.Errorf("Find(%.60q) = %d %d %v, want %d %d", w.Member, fp, r, ok, p, rank)
		}
		next := l.Next(p)
		if prev := l.Prev(next); prev != p {
			return fmt.Errorf("Prev(Next(%d)) = %d", p, prev)
		}
		p = next
	}
	if p != l.End() || l.At(l.Len()) != p || l.Next(p) != l.Begin() || l.Prev(l.Begin()) != p {
		return fmt.Errorf("the walk ends at %d, want %d", p, l.End())
	}
	if fp, r, ok := l.Find([]byte("nobody")); ok || fp != p || r != len(want) {
		return fmt.Errorf("Find of nobody = %d %d %v", fp, r, ok)
	}
	return nil
}

// run applies ops and returns the first difference.
func run(tieWidth int, ops []op) error {
	m := newMachine(tieWidth)
	for i, o := range ops {
		err := m.apply(o)
		if err == nil {
			err = m.compare()
		}
		if err != nil {
			return fmt.Errorf("tie %d, operation %d %+v: %w\n%#v", tieWidth, i, o, err, m.list)
		}
	}
	return nil
}

func TestModelProperty(t *testing.T) {
	params := gopter.DefaultTestParameters()
	params.MinSuccessfulTests, params.MaxSize = 60, 120
	t.Logf("seed %d", params.Seed())
	genOp := gopter.CombineGens(gen.UInt8(), gen.UInt8(), gen.UInt8()).Map(func(v []any) op {
		return op{kind: v[0].(uint8), member: v[1].(uint8), order: v[2].(uint8)}
	})
	properties := gopter.NewProperties(params)
	for _, width := range tieWidths {
		same := func(ops []op) (bool, error) {
			err := run(width, ops)
			return err == nil, err
		}
		name := fmt.Sprintf("a list with ties of %d bytes is the model", width)
		properties.Property(name, prop.ForAll(same, gen.SliceOf(genOp)))
	}
	properties.TestingRun(t)
}

// FuzzList reads its input as a tie width and operations of 3 bytes.
func FuzzList(f *testing.F) {
	r := rand.NewChaCha8([32]byte{1})
	for width := range tieWidths {
		seed := make([]byte, 1+3*40)
		_, _ = r.Read(seed)
		seed[0] = byte(width)
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) == 0 {
			return
		}
		var ops []op
		for b := in[1:]; len(b) >= 3 && len(ops) < 200; b = b[3:] {
			ops = append(ops, op{b[0], b[1], b[2]})
		}
		if err := run(tieWidths[int(in[0])%len(tieWidths)], ops); err != nil {
			t.Fatal(err)
		}
	})
}
