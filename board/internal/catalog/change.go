package catalog

import (
	"github.com/zrankdb/zrank/engine"
)

// Changed tells the observers of a change, in their order. Errors: those of the observers.
func (b *Board) Changed(tx *engine.Tx, c *Change) error {
	for _, o := range b.observers(c) {
		if err := o.Changed(tx, b, c); err != nil {
			return err
		}
	}
	return nil
}

// OnCommit is what is noted of a transaction if it commits, while its sets are still locked. It
// must not use the engine or wait.
type OnCommit func()

// Ended implements owner.Ender.
func (f OnCommit) Ended(committed bool) {
	if committed {
		f()
	}
}

// observers returns what is told of a change.
func (b *Board) observers(c *Change) []Observer {
	if c.Closed {
		return b.env.OfClosed
	}
	return b.env.Observers
}
