package submit

import (
	"slices"

	"github.com/zrankdb/zrank/board/internal/journal"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// beginRow begins the row of the journal with what the member had, if the board has a journal, and
// returns the row's number, else 0.
func (p *plan) beginRow(tx *engine.Tx, sub rules.Entry) (number uint64, err error) {
	if !p.st.HasJournal() {
		return 0, nil
	}
	if p.logged == nil {
		p.logged = new(logged)
	}
	g := p.logged
	if g.log, err = journal.Open(tx, p.st); err != nil {
		return 0, err
	}
	g.ties = g.ties[:0]
	g.row = journal.Row{Number: g.log.Next(), Kind: journal.Submission, Meta: p.sub.Meta != nil, Version: p.st.Version, Arrived: tx.Now().UnixMicro(), At: sub.Reached,
		Member: p.member, Once: []byte(p.sub.Once), Score: sub.Score, Befores: slices.Grow(g.row.Befores[:0], len(p.st.Timelines))}
	for range p.st.Timelines {
		g.row.Befores = append(g.row.Befores, journal.Before{Outside: true})
	}
	for i := range p.outcomes {
		o := &p.outcomes[i]
		b := p.rowBefore(o)
		if *b = (journal.Before{Had: o.Had}); !o.Had {
			continue
		}
		at := len(g.ties)
		b.Score, g.ties = p.st.Rules.Encode(g.ties, o.Was)
		b.Tie = g.ties[at:]
	}
	return g.row.Number, nil
}

// rowBefore returns what the row says of the window of an outcome.
func (p *plan) rowBefore(o *outcome) *journal.Before {
	return &p.logged.row.Befores[slices.Index(p.st.Timelines, o.T)]
}

// storeRow adds the row to the journal, if the board has one.
func (p *plan) storeRow() (err error) {
	if !p.st.HasJournal() {
		return nil
	}
	g := p.logged
	for i := range p.outcomes {
		o := &p.outcomes[i]
		p.rowBefore(o).Changed = o.changed
	}
	g.buf, err = g.log.Append(&g.row, g.buf)
	return err
}
