package resp

import (
	"errors"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// txn is a transaction of a client as commands see it: its keys, and where the reply goes.
type txn struct {
	keyTx
	c    *client
	w    *wire.Writer
	step step // the command that runs
	// deferrable: a command that is too long for a transaction may set deferred to what to do after it, and end it with an error.
	deferrable bool
	deferred   func() error
}

// step is a command to execute.
type step struct {
	m  *command
	a  [][]byte
	db int
}

// eachKey calls f with the engine's key of each key of the step.
func (c *client) eachKey(s step, f func(name string)) {
	s.m.each(s.db, s.a, func(db int, key []byte) { f(c.names.of(db, key)) })
}

// do executes one command. After an error the transaction must be undone.
func (t *txn) do(s step) error {
	t.step, t.db = s, s.db
	if s.m.flags&write == 0 || !t.space.watching() {
		return t.answer(s)
	}
	var absent []string
	t.c.eachKey(s, func(name string) { absent = t.appendAbsent(absent, name) })
	err := t.answer(s)
	t.markCreated(absent)
	return err
}

// answer executes a command and writes its reply.
func (t *txn) answer(s step) error {
	mark := t.w.Len()
	var err error
	if s.m.tx != nil {
		err = s.m.tx(t, s.a)
	} else {
		err = s.m.alone(t.c, s.a)
	}
	if err == nil {
		if t.w.Over() != nil {
			return t.c.cut()
		}
		return nil
	}
	var r refusal // not before there is an error: it allocates
	if errors.As(err, &r) {
		t.w.Truncate(mark)
		t.w.Error(string(r))
		return nil
	}
	return err
}

// transact runs fn in a transaction that locks these keys of the engine.
func (c *client) transact(keys []string, writes bool, fn func(*txn) error) error {
	t := txn{keyTx: c.host.space.newTx(&c.names, c.db), c: c, w: &c.out}
	if !writes {
		return c.host.e.View(keys, func(tx *engine.Tx) error {
			t.begin(tx)
			err := fn(&t)
			c.seq = max(c.seq, tx.Saw())
			return err
		})
	}
	seq, err := c.host.e.UpdateLater(keys, func(tx *engine.Tx) error {
		t.begin(tx)
		return fn(&t)
	})
	c.seq = max(c.seq, seq)
	t.settle()
	return err
}
