package place

import (
	"github.com/zrankdb/zrank/board/internal/entry"
	"github.com/zrankdb/zrank/board/rules"
)

// Past is what the member has in the period after some of its results: what a revert computes.
type Past struct {
	Had  bool // there is an entry
	Is   rules.Entry
	Kept []byte // what is kept beside it: results or times
}

// KeptBefore returns what a row of the journal has of the place beside the entry before a result:
// what is kept there, or the results of a rolling window around that one. Errors: those of the
// rules.
func (p *Place) KeptBefore(kept []byte, sub rules.Entry) ([]byte, error) {
	if p.roll == nil {
		return kept, nil
	}
	return p.roll.Around(p.Member, sub)
}

// Undo takes back a result that happened at a time, the newest of the member. kept is that of its
// row. Only a rolling window has results that go on by themselves: elsewhere the row has it all.
func (p *Place) Undo(at int64, kept []byte) error {
	if p.roll == nil {
		return nil
	}
	return p.roll.Undo(p.Member, at, kept)
}

// Advance makes of x what it is at a later time: results leave a rolling window. Of a sum it has the
// score only if that is asked for.
func (p *Place) Advance(x *Past, now int64, score bool) (err error) {
	if p.roll != nil {
		x.Is, x.Had, err = p.roll.Leave(p.Member, now, x.Is, score)
	}
	if !x.Had {
		x.Kept = nil
	}
	return err
}

// Replay applies a result to x. Errors: those of entry.Apply and of the engine.
func (p *Place) Replay(x *Past, sub rules.Entry) (err error) {
	if p.roll != nil {
		x.Is, err = p.roll.AddAgain(p.Member, x.Is, x.Had, sub)
	} else {
		x.Is, _, x.Kept, _, err = entry.Apply(p.State.Rules, x.Is, x.Had, x.Kept, sub)
	}
	x.Had = x.Had || err == nil
	return err
}

// Forget makes of x what it is after a removal of the member.
func (p *Place) Forget(x *Past) error {
	*x = Past{}
	if p.roll == nil {
		return nil
	}
	return p.roll.Remove(p.Member)
}
