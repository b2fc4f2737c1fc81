package submit

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// The results that an operator keeps for a member in a period are the value of a private key: see rules.ApplyKept. They change in the
// transaction that applies a result, and stay until the member is removed or the period is dropped.
//
// Times of results that an entry does not hold itself are stored in the same way, behind the board's version: see rules.ApplyTimed. A migration may
// change what they mean, so times of another version count as unknown.

// readKept reads what is stored beside the entries of all windows, if the operator keeps results or goes by their times. Errors: those of the engine;
// one for a value that cannot be read.
func (p *plan) readKept(tx *engine.Tx) (err error) {
	p.kept = p.keptArray[:0]
	r := p.st.Rules
	if r.K() == 0 && r.Timed() == 0 {
		return nil
	}
	for i := range p.outcomes {
		p.kept = append(p.kept, kept{})
		k, o := &p.kept[i], &p.outcomes[i]
		if o.roll != nil {
			k.after = o.roll.Times(p.member)
			continue
		}
		if !o.had {
			continue
		}
		stored, err := p.mayBeStored(tx, i)
		if err != nil {
			return err
		}
		if !stored {
			continue
		}
		key := p.keptKey(i)
		if k.stored, _, err = tx.Get(key); err != nil {
			return err
		}
		if !p.parseKept(k) {
			return fmt.Errorf("board: what is stored beside an entry, %q, cannot be read: %d bytes", key, len(k.stored))
		}
	}
	return nil
}

// parseKept parses a stored value: results, or times, which it puts in k.after. It returns false for one that cannot be read.
func (p *plan) parseKept(k *kept) (ok bool) {
	if p.st.Rules.K() > 0 {
		k.results, ok = p.st.Rules.DecodeKept(k.stored)
		return ok
	}
	switch {
	case len(k.stored) == 0:
		return true
	case len(k.stored) < versionWidth:
		return false
	case binary.BigEndian.Uint64(k.stored) != uint64(p.st.Version):
		return true
	}
	k.after = k.stored[versionWidth:]
	return len(k.after) == p.st.Rules.TimesWidth()
}

const versionWidth = 8 // of the board's version before stored times

// mayBeStored reports whether something may be stored beside the entry of window i. Few entries of most boards have times that they do not tell, so
// the timeline knows whether none of the window has any: then nobody needs the lock of the board's private keys. The first call finds out.
func (p *plan) mayBeStored(tx *engine.Tx, i int) (bool, error) {
	if t := p.lines[i]; p.st.Rules.K() == 0 && t.Times.Load() != state.SomeTimes {
		if t.Times.Load() == state.NoTimes {
			return false, nil
		}
		return p.findStored(tx, t)
	}
	return true, nil
}

// findStored finds out whether something is stored beside an entry of a window.
func (p *plan) findStored(tx *engine.Tx, t *state.Timeline) (bool, error) {
	for _, err := range tx.Scan(boardkey.KeptPrefix(p.st.Name, t.Window.Name)) {
		t.Times.Store(state.SomeTimes)
		return true, err
	}
	t.Times.Store(state.NoTimes)
	return false, nil
}

// applyRules computes the outcome of a result in window i. Errors: those of the rules.
func (p *plan) applyRules(i int, sub rules.Entry) (err error) {
	o, r := &p.outcomes[i], p.st.Rules
	if r.K() > 0 {
		k, after := &p.kept[i], []rules.Result(nil)
		if o.next, o.changed, after, err = r.ApplyKept(o.old, o.had, k.results, sub); err != nil {
			return err
		}
		if k.after = r.AppendKept(nil, after); !o.changed {
			o.ignored = r.IgnoresKept(k.results, sub)
		}
		return nil
	}
	var times []byte
	if len(p.kept) > 0 {
		k := &p.kept[i]
		times = k.after
		o.next, o.changed, k.after, err = r.ApplyTimed(o.old, o.had, times, sub)
	} else {
		o.next, o.changed, err = r.Apply(o.old, o.had, sub)
	}
	if err == nil && !o.changed {
		o.ignored = r.Ignores(o.old, times, sub)
	}
	return err
}

// storeKept stores what is to be kept beside the entries.
func (p *plan) storeKept(tx *engine.Tx) error {
	for i := range p.kept {
		k, t := &p.kept[i], p.lines[i]
		if p.outcomes[i].roll != nil {
			continue
		}
		if p.st.Rules.K() == 0 && len(k.after) > 0 {
			k.after = append(binary.BigEndian.AppendUint64(nil, uint64(p.st.Version)), k.after...)
		}
		if bytes.Equal(k.stored, k.after) {
			continue
		}
		if len(k.after) == 0 {
			if err := tx.Delete(p.keptKey(i)); err != nil {
				return err
			}
			continue
		}
		if err := tx.Put(p.keptKey(i), k.after); err != nil {
			return err
		}
		t.Times.Store(state.SomeTimes) // it has the lock of the board's private keys: no call that finds none comes later
	}
	return nil
}

func (p *plan) keptKey(i int) string {
	return boardkey.Kept(p.st.Name, p.lines[i].Window.Name, p.slots[i].Name, p.sub.Member)
}
