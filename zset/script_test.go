package zset

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// step is one operation of a script. Every value of every byte is valid.
type step struct{ op, member, tie, score, amount byte }

const (
	stepAdd   = iota // 0-5: with a tie
	stepAddIf = iota + 5
	stepIncr
	stepIncrIf
	stepRemove
	stepRemoveRank
	stepRemoveRange
	stepRemoveScores
	stepPop
	stepMoveUp
	stepReplace
	stepKinds
)

// steps reads a script: five bytes each, bytes left over are ignored.
func steps(data []byte) (script []step) {
	for ; len(data) >= 5 && len(script) < 3000; data = data[5:] {
		script = append(script, step{data[0], data[1], data[2], data[3], data[4]})
	}
	return script
}

// kind returns the kind of operation.
func (s step) kind() int {
	k := int(s.op) % stepKinds
	if k < stepAddIf {
		return stepAdd
	}
	return k
}

// name returns one of 256 members. Most have up to 35 bytes; a few are too long for a listpack.
func (s step) name() string {
	name := strings.Repeat(string(rune('a'+s.member%3)), int(s.member)/8) + string(rune(s.member%64))
	if s.member >= 254 {
		name += strings.Repeat("long", 30)
	}
	return name
}

// tied returns one of four ties: three that differ in their first or last byte, and the highest tie.
func (s step) tied(width int) []byte {
	tie := make([]byte, width)
	switch kind := s.tie % 4; {
	case width == 0:
	case kind == 3:
		copy(tie, bytes.Repeat([]byte{255}, width))
	default:
		tie[0] = kind / 2
		binary.BigEndian.PutUint16(tie[width-2:], uint16(kind%2))
	}
	return tie
}

// scoreIn returns the step's score. It is 1 in half of the cases, so that equal scores fill leaves.
func scoreIn[S Score](s step) S {
	if s.score >= 128 {
		return 1
	}
	scores := pool[S]()
	return scores[int(s.score)%len(scores)]
}

func (s step) condition() Condition { return Condition(s.amount % 16) }

// String is what a failing test prints.
func (s step) String() string {
	return fmt.Sprintf("{kind %d, member %q, tie %d, score %d, amount %d}", s.kind(), s.name(), s.tie%4, s.score, s.amount)
}

// apply runs a step on the set and on the oracle.
func (p *pair[S]) apply(s step) error {
	name, score, n := s.name(), scoreIn[S](s), p.want.Len()
	lo := int(s.member) * n / 256
	switch s.kind() {
	case stepAdd:
		return p.add(name, s.tied(p.set.TieWidth()), score)
	case stepAddIf:
		return p.addIf(name, score, s.condition())
	case stepIncr:
		return p.incrIf(name, score, 0)
	case stepIncrIf:
		return p.incrIf(name, score, s.condition())
	case stepRemove:
		return p.remove(name)
	case stepRemoveRank:
		if n > 0 {
			return p.remove(p.want.Range(lo, lo+1)[0].Member)
		}
	case stepRemoveRange:
		return p.removeRange(lo-1, lo+int(s.amount%8))
	case stepRemoveScores:
		if s.amount < 32 { // equal scores are many
			return p.removeRange(p.set.ScoreInterval(BoundOf[S]{Score: score}, BoundOf[S]{Score: score}))
		}
	case stepPop:
		return p.pop(int(s.amount%8), s.tie%2 == 0)
	case stepMoveUp:
		if p.set.big() == nil && n > 0 && s.amount < 64 {
			p.set.moveUp()
		}
	case stepReplace:
		return p.replace(int(s.amount), lo)
	}
	return nil
}

// replace replaces the set by a copy, a rebuilt or reloaded set, or a range of it, or changes its thresholds, or takes its pages for a
// snapshot.
func (p *pair[S]) replace(how, lo int) error {
	switch how % 8 {
	case 0:
		p.keep(lo/4-1, p.want.Len()+1)
	case 1:
		p.set = p.set.Copy()
	case 2:
		return p.rebuild()
	case 3:
		return p.reload()
	case 4:
		p.set.SetListpack(lo%80, 40)
	case 5:
		p.set.Fit()
	case 6:
		return p.take()
	}
	return nil
}

// run applies steps to a set and the oracle, and compares both every few steps.
func run[S Score](set *SetOf[S], script []step) error {
	p := newPair(set)
	for i, s := range script {
		err := p.apply(s)
		if err == nil && (i%32 == 31 || i == len(script)-1) {
			err = p.compare()
		}
		if err != nil {
			return fmt.Errorf("step %d, %v: %w\n%#v", i, s, err, p.set)
		}
	}
	return nil
}
