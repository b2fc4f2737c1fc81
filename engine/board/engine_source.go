package board

import (
	"context"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/rules"
	"github.com/zrankdb/zrank/zset"
)

// formOf returns the form of the sets that hold entries of such rules.
func formOf(r *rules.Rules) engine.Form {
	return engine.Form{TieWidth: r.TieWidth(), ScoreTie: r.ScoreTie(), Dense: true}
}

// engineSource is a set of an engine. One that does not exist is empty.
type engineSource struct {
	e    *engine.Engine
	key  string
	form engine.Form
	meta func(tx *engine.Tx, member string) ([]byte, error) // reads the metadata of a member; nil: the board keeps none
}

func (s *engineSource) read(fn func(*zset.IntView, metaOf) error) error {
	return s.e.View([]string{s.key}, func(tx *engine.Tx) error {
		set, err := tx.IntSet(s.key, s.form)
		if err != nil {
			return err
		}
		if s.meta == nil {
			return fn(set.IntView, nil)
		}
		return fn(set.IntView, func(member string) ([]byte, error) { return s.meta(tx, member) })
	})
}

func (s *engineSource) copy(ctx context.Context) (*zset.IntSet, metaOf, error) {
	set, _, err := s.e.CopyInts(ctx, s.key, s.form)
	if err != nil || s.meta == nil {
		return set, nil, err
	}
	return set, s.metaNow, nil
}

// metaNow reads a member's metadata in a transaction of its own.
func (s *engineSource) metaNow(member string) (meta []byte, err error) {
	err = s.e.View(nil, func(tx *engine.Tx) (err error) {
		meta, err = s.meta(tx, member)
		return err
	})
	return meta, err
}
