package session

import (
	"errors"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
)

// EachKey calls f with the engine's key of each key of the step.
func (c *Client) EachKey(s Step, f func(name string)) {
	s.Command.Each(s.DB, s.Args, func(db int, key []byte) { f(c.Names.Of(db, key)) })
}

// Lookup returns the name of a key, and its value.
func (t *Txn) Lookup(key []byte) (name string, v keyspace.Value, err error) {
	name = t.Name(key)
	v, err = t.Get(name)
	return name, v, err
}

// Do executes one command. After an error the transaction must be undone.
func (t *Txn) Do(s Step) error {
	t.Step, t.DB = s, s.DB
	if s.Command.Flags&command.Write == 0 || !t.Space.Watching() {
		return t.answer(s)
	}
	var absent []string
	t.Client.EachKey(s, func(name string) { absent = t.AppendAbsent(absent, name) })
	err := t.answer(s)
	t.MarkCreated(absent)
	return err
}

// answer executes a command and writes its reply.
func (t *Txn) answer(s Step) error {
	mark := t.Out.Len()
	var err error
	if s.Command.Tx != nil {
		err = s.Command.Tx(t, s.Args)
	} else {
		err = s.Command.Alone(t.Client, s.Args)
	}
	if err == nil {
		if t.Out.Over() != nil {
			return t.Client.Cut()
		}
		return nil
	}
	var r command.Refusal // not before there is an error: it allocates
	if errors.As(err, &r) {
		t.Out.Truncate(mark)
		t.Out.Error(string(r))
		return nil
	}
	return err
}

// Transact runs fn in a transaction that locks these keys of the engine. The transaction is fn's until it returns. fn must not call Transact.
// fn may run more than once, if it uses several plain values, and one is not free; what it has
// written to the output is dropped before it runs again.
func (c *Client) Transact(keys []string, writes bool, fn func(*Txn) error) error {
	t := &c.txn
	*t = Txn{Tx: c.Host.Space.NewTx(&c.Names, c.DB), Client: c, Out: &c.Out}
	mark := c.Out.Len()
	defer func() { *t = Txn{} }()
	if !writes {
		return c.Host.Engine.View(c.Host.Work, func(tx *engine.Tx) error {
			t.begin(tx, mark)
			err := fn(t)
			c.Seq = max(c.Seq, tx.Saw())
			return err
		}, keys...)
	}
	seq, err := c.Host.Engine.UpdateLater(c.Host.Work, func(tx *engine.Tx) error {
		t.begin(tx, mark)
		return fn(t)
	}, keys...)
	c.Seq = max(c.Seq, seq)
	t.CleanUp(c.Host.Work)
	return err
}

// begin begins a run of the transaction. One that is repeated begins as the first one has, with mark
// bytes of output.
func (t *Txn) begin(tx *engine.Tx, mark int) {
	if t.repeated {
		t.Out.Truncate(mark)
		t.Deferrable, t.Deferred = false, nil
	}
	t.repeated = true
	t.Begin(tx)
}

// Supersede drops the plain value of a key in which the engine has stored a result, which is empty if the engine has stored none. A command
// that stores a plain value drops the sorted set, so if both exist, the plain value is the older one.
func (c *Client) Supersede(name string, empty bool) error {
	if !c.Host.Space.MayBePlain(name) {
		return nil
	}
	return c.Transact([]string{name}, true, func(t *Txn) error {
		exists, err := t.SortedExists(name)
		if err == nil && (exists || empty) {
			_, err = t.DropPlain(name)
		}
		return err
	})
}
