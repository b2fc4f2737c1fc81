package board

import (
	"context"
	"hash/fnv"

	"github.com/zrankdb/zrank/engine/board/rules"
	"github.com/zrankdb/zrank/zset"
)

// ranking is the Ranking of a source. Each of its methods checks what it was given, takes one look, and asks that.
type ranking struct {
	src   source
	rules *rules.Rules
	info  func() Info // without Mode
	id    uint64      // what its cursors are of
	mode  Mode
	plain bool // rows have no metadata
}

// newRanking returns the ranking of a set with forms of the rules. Its cursors are good for every ranking of the same key, which
// must be another one after a migration. info is asked each time.
func newRanking(src source, r *rules.Rules, key string, info func() Info) Ranking {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key)) // never fails
	return &ranking{src: src, rules: r, info: info, id: h.Sum64()}
}

// Info implements Ranking.
func (r *ranking) Info() Info {
	info := r.info()
	info.Mode = r.mode
	return info
}

// By implements Ranking.
func (r *ranking) By(mode Mode) Ranking {
	other := *r
	other.mode = mode
	return &other
}

// bare returns the same ranking without metadata.
func (r *ranking) bare() *ranking {
	other := *r
	other.plain = true
	return &other
}

// View implements Ranking.
func (r *ranking) View(fn func(Ranking) error) error {
	if err := r.mode.validate(); err != nil {
		return r.fault(err)
	}
	return r.src.read(func(v *zset.IntView, meta metaOf) error {
		src := &viewSource{v, meta}
		defer func() { src.v = nil }()
		still := *r
		still.src = src
		return fn(&still)
	})
}

// Pin implements Ranking.
func (r *ranking) Pin(ctx context.Context) (Ranking, error) {
	if err := r.mode.validate(); err != nil {
		return nil, r.fault(err)
	}
	set, meta, err := r.src.copy(ctx)
	if err != nil {
		return nil, err
	}
	info := r.info()
	pinned := *r
	pinned.src = pinnedSource{set.View(), meta}
	pinned.info = func() Info { return info }
	return &pinned, nil
}

// look runs fn on the ranking as it is.
func (r *ranking) look(fn func(*look) error) error {
	if err := r.mode.validate(); err != nil {
		return r.fault(err)
	}
	return r.src.read(func(v *zset.IntView, meta metaOf) error {
		if r.plain {
			meta = nil
		}
		return fn(&look{v: v, meta: meta, rules: r.rules, mode: r.mode})
	})
}
