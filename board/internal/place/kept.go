package place

import (
	"encoding/binary"
	"fmt"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Beside the entry of a member in a period private keys have its metadata, and what its operator
// keeps: results (rules.ApplyKept), or times that an entry does not tell (rules.ApplyTimed), behind
// the board's version. A migration may change what times mean, so those of another version count as
// unknown. They stay until the member is removed or the period is dropped. Those of a rolling
// window are in its own sets.

// versionWidth is that of the board's version before stored times.
const versionWidth = 8

// Kept is what is kept beside an entry.
type Kept struct {
	Value  []byte // results, or times; nil: none, or none that count
	stored bool   // under the key
}

// KeepsAny reports whether something may be kept beside entries of a board.
func KeepsAny(st *state.State) bool { return st.Rules.K() > 0 || st.Rules.Timed() > 0 }

// Kept reads what is kept beside the entry of the place. Few entries of most boards have times that
// they do not tell, so the timeline knows whether none of the window has any: then nobody needs the
// lock of the board's private keys. Errors: those of the engine, of a value that cannot be read.
func (p *Place) Kept() (k Kept, err error) {
	switch {
	case !KeepsAny(p.State):
		return k, nil
	case p.T.Roll != nil:
		if p.roll != nil {
			k.Value = p.roll.Times(p.Member)
		}
		return k, nil
	}
	if p.State.Rules.K() == 0 && p.T.Times.Load() != state.SomeTimes {
		if p.T.Times.Load() == state.UnknownTimes {
			err = p.findTimes()
		}
		if err != nil || p.T.Times.Load() == state.NoTimes {
			return k, err
		}
	}
	key := p.keptKey()
	if k.Value, k.stored, err = p.tx.Get(key); err != nil || p.State.Rules.K() > 0 || !k.stored {
		return k, err
	}
	times := k.Value
	switch k.Value = nil; {
	case len(times) < versionWidth:
	case binary.BigEndian.Uint64(times) != uint64(p.State.Version):
		return k, nil
	case len(times) == versionWidth+p.State.Rules.TimesWidth():
		k.Value = times[versionWidth:]
		return k, nil
	}
	return k, fmt.Errorf("board: what is stored beside an entry, %q, cannot be read: %d bytes", key, len(times))
}

// findTimes finds out whether times are stored beside any entry of the window.
func (p *Place) findTimes() error {
	for _, err := range p.tx.Scan(boardkey.KeptPrefix(p.State.Name, p.T.Window.Name)) {
		p.T.Times.Store(state.SomeTimes)
		return err
	}
	p.T.Times.Store(state.NoTimes)
	return nil
}

// PutKept stores what is to be kept beside the entry, in place of what was.
func (p *Place) PutKept(was Kept, value []byte) error {
	switch {
	case p.T.Roll != nil, len(value) == 0 && !was.stored, len(value) > 0 && string(was.Value) == string(value):
		return nil
	case len(value) == 0:
		return p.tx.Delete(p.keptKey())
	case p.State.Rules.K() == 0:
		value = append(binary.BigEndian.AppendUint64(nil, uint64(p.State.Version)), value...)
	}
	if err := p.tx.Put(p.keptKey(), value); err != nil {
		return err
	}
	p.T.Times.Store(state.SomeTimes) // the transaction has the lock of the board's private keys: no call that finds none comes later
	return nil
}

func (p *Place) keptKey() string {
	return boardkey.Kept(p.State.Name, p.T.Window.Name, p.Slot.Name, p.Name)
}

// Meta reads the metadata of the entry, nil for none.
func (p *Place) Meta() (meta []byte, err error) {
	meta, _, err = p.tx.Get(p.metaKey())
	return meta, err
}

// PutMeta stores the metadata of the entry; empty metadata is none.
func (p *Place) PutMeta(meta []byte) error {
	if len(meta) == 0 {
		return p.tx.Delete(p.metaKey())
	}
	return p.tx.Put(p.metaKey(), meta)
}

func (p *Place) metaKey() string {
	return boardkey.Meta(p.State.Name, p.T.Window.Name, p.Slot.Name, p.Name)
}

// DeleteBeside deletes what is stored beside an entry that is gone.
func (p *Place) DeleteBeside(tx *engine.Tx) error {
	if err := tx.Delete(p.keptKey()); err != nil {
		return err
	}
	return tx.Delete(p.metaKey())
}
