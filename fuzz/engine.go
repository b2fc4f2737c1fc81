package fuzz

import (
	"errors"
	"slices"

	"github.com/zrankdb/zrank/engine"
)

// engineMachine is an engine in memory, or on a file system in memory.
type engineMachine struct {
	e       *engine.Engine
	options engine.Options
	durable bool
}

// newEngine makes an engine. With options.FS it is durable.
func newEngine(o engine.Options) (machine, error) {
	m := &engineMachine{options: o, durable: o.FS != nil}
	var err error
	if m.e, err = engine.New(o); m.durable {
		m.e, err = engine.Open("data", o)
	}
	return m, err
}

// txState is a transaction as what a block works on.
type txState struct{ *engine.Tx }

func (t txState) set(key string) (sortedSet, error) {
	if w := tieWidth(key); w > 0 {
		return t.SetTied(key, w)
	}
	return t.Set(key)
}

var (
	errRollback = errors.New("fuzz: rollback")
	readers     = []string{"len", "score", "rank", "range", "revrange", "count", "lex", "dump", "get", "scan"}
	private     = []string{"put", "del", "get", "scan"}
)

// run makes a transaction of a block; an operation alone that only reads is a View.
func (m *engineMachine) run(b block) (replies []string, err error) {
	transact := m.e.Update
	if b.end == "" && slices.Contains(readers, b.ops[0].Kind) {
		transact = m.e.View
	}
	var keys []string
	for _, op := range b.ops {
		if !slices.Contains(private, op.Kind) {
			keys = append(keys, op.Key)
		}
	}
	defer func() {
		if r := recover(); r != nil && r != any(errRollback) {
			panic(r)
		}
	}()
	err = transact(keys, func(tx *engine.Tx) error {
		for _, op := range b.ops {
			replies = append(replies, apply(txState{tx}, op))
		}
		switch {
		case b.end == "panic":
			panic(errRollback)
		case b.rolledBack():
			return errRollback
		}
		return nil
	})
	if b.rolledBack() && errors.Is(err, errRollback) {
		err = nil
	}
	return replies, err
}

func (m *engineMachine) keys() ([]string, error) { return m.e.Keys("") }

func (m *engineMachine) between(kind string) error {
	switch kind {
	case "snapshot":
		return m.e.Snapshot()
	case "flush":
		return m.e.Flush()
	}
	if !m.durable {
		return nil
	}
	if err := m.e.Close(); err != nil {
		return err
	}
	var err error
	m.e, err = engine.Open("data", m.options)
	return err
}

func (m *engineMachine) close() error { return m.e.Close() }
