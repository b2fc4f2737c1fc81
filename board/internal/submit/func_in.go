package submit

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/entry"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// FuncIn submits the score that a function computes in the caller's transaction: see
// InTx.SubmitFunc. The function runs before the submission and without the right to change reserved
// keys, so it may use the transaction, and submit to the same board.
func FuncIn(b *catalog.Board, tx *engine.Tx, sub board.Submission, score entry.ScoreFunc) (board.Change, error) {
	if score == nil {
		return In(b, tx, sub)
	}
	var member seen
	p, err := planIn(b, tx, sub)
	if err == nil {
		err = p.errorIn(b.Owner().In(tx, func() (err error) {
			member, err = p.see(tx)
			return err
		}))
	}
	if err != nil {
		return board.Change{}, err
	}
	if member.duplicate {
		return In(b, tx, sub)
	}
	next, ok := score(member.row, member.ranked)
	return in(b, tx, sub, func(board.Row, bool) (rules.Score, bool) { return next, ok })
}

// seen is what the function of a submission is told.
type seen struct {
	row       board.Row // in the first window
	ranked    bool
	duplicate bool // the submission has been counted: the function is not called
}

// see returns the member of the submission as the transaction has it, and the errors that the
// submission would have whatever its score is.
func (p *plan) see(tx *engine.Tx) (s seen, err error) {
	if err := p.b.CheckWritable(p.st); err != nil {
		return s, err
	}
	if s.duplicate, err = p.isDuplicate(tx); err != nil || s.duplicate {
		return s, err
	}
	if err := p.readEntries(tx); err != nil {
		return s, err
	}
	if err := p.mayChange(tx.Now()); err != nil {
		return s, err
	}
	s.row, err = p.was()
	s.ranked = p.outcomes[0].Had
	return s, err
}
