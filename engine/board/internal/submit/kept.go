package submit

import (
	"bytes"
	"fmt"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// The results that an operator keeps for a member in a period are the value of a private key: see rules.ApplyKept. They change in the
// transaction that applies a result, and stay until the member is removed or the period is dropped.

// readKept reads the results of all windows if the operator keeps some. Errors: those of the engine; one for results that cannot be read.
func (p *plan) readKept(tx *engine.Tx) (err error) {
	p.kept = p.kept[:0]
	if p.st.Rules.K() == 0 {
		return nil
	}
	for i := range p.outcomes {
		var k kept
		if p.outcomes[i].had {
			key, ok := p.keptKey(i), false
			if k.stored, _, err = tx.Get(key); err != nil {
				return err
			}
			if k.results, ok = p.st.Rules.DecodeKept(k.stored); !ok {
				return fmt.Errorf("board: the stored results %q cannot be read: %d bytes", key, len(k.stored))
			}
		}
		p.kept = append(p.kept, k)
	}
	return nil
}

// applyRules applies a result in window i. Errors: those of the rules.
func (p *plan) applyRules(i int, sub rules.Entry) (next rules.Entry, changed bool, err error) {
	o := &p.outcomes[i]
	if len(p.kept) == 0 {
		return p.st.Rules.Apply(o.old, o.had, sub)
	}
	next, changed, after, err := p.st.Rules.ApplyKept(o.old, o.had, p.kept[i].results, sub)
	if err == nil {
		p.kept[i].after = p.st.Rules.AppendKept(nil, after)
	}
	return next, changed, err
}

// storeKept stores the results to keep.
func (p *plan) storeKept(tx *engine.Tx) error {
	for i, k := range p.kept {
		if bytes.Equal(k.stored, k.after) {
			continue
		}
		if err := tx.Put(p.keptKey(i), k.after); err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) keptKey(i int) string {
	return boardkey.Kept(p.st.Name, p.st.Timelines[i].Window.Name, p.slots[i].Name, p.sub.Member)
}
