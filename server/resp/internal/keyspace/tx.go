package keyspace

import (
	"cmp"
	"errors"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/zset"
)

// NewTx returns a transaction of commands on a database. Begin binds it to a transaction of the engine.
func (s *Space) NewTx(n *Names, db int) Tx { return Tx{Space: s, names: n, DB: db} }

// Begin binds the transaction to one of the engine. A transaction that is repeated begins several times.
func (t *Tx) Begin(tx *engine.Tx) { t.tx = tx }

// Name returns the engine's key of a key of the command's database.
func (t *Tx) Name(key []byte) string { return t.names.Of(t.DB, key) }

// Now returns the time of the transaction.
func (t *Tx) Now() time.Time { return t.tx.Now() }

// Change returns the sorted set of a key for changing; without a value it is empty, and its first member creates it. Errors: ErrWrongType,
// ErrReadOnly.
func (t *Tx) Change(key []byte) (*engine.Set, error) {
	name := t.Name(key)
	if kind, err := t.plainKind(name); err != nil || kind != None {
		return nil, cmp.Or(err, error(command.ErrWrongType))
	}
	s, err := t.tx.Set(name)
	if errors.Is(err, engine.ErrKind) || engine.Reserved(name) {
		return nil, command.ErrReadOnly
	}
	return s, err
}

// Put stores entries as a sorted set in place of a key's value and its expiry. Errors: ErrReadOnly.
func (t *Tx) Put(name string, list []zset.Entry) error {
	if _, err := t.Drop(name); err != nil || len(list) == 0 {
		return err
	}
	s, err := t.tx.Set(name)
	if err != nil {
		return err
	}
	for _, e := range list {
		if _, err := s.Add(e.Member, e.Score); err != nil {
			return err
		}
	}
	return nil
}

// PutSet is Put of a whole set, which belongs to the engine from then on.
func (t *Tx) PutSet(name string, z *zset.Set) error {
	_, err := t.Drop(name)
	if err != nil || z.Len() == 0 {
		return err
	}
	return t.tx.StoreSet(name, z)
}

// EngineKeys returns the names of keys of the command's database.
func (t *Tx) EngineKeys(keys [][]byte) []string {
	list := make([]string, len(keys))
	for i, key := range keys {
		list[i] = t.Name(key)
	}
	return list
}
