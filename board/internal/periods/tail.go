package periods

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/tail"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// topSource is the ranking of the best members of a period. It finds the others in their buckets.
type topSource struct {
	boardSource
	t    *state.Timeline
	slot *state.Slot
}

func (s topSource) Open(ctx context.Context, o *ranking.Opened) error {
	o.Top = s.t.Top.N
	return s.boardSource.Open(ctx, o)
}

// HasPlaces implements ranking.Tailed.
func (s topSource) HasPlaces() bool { return s.slot.Tail.HasPlaces() }

// Ahead implements ranking.Tailed.
func (s topSource) Ahead(p ranking.Place) (a ranking.Ahead, ok bool) {
	a, ok = ahead(s.slot.Tail, p)
	return a, ok && a.Head >= 0
}

// ahead returns how many members come before a place behind the head, as the tail has counted them. ok is false while it has not.
func ahead(t *buckets.Tail, p ranking.Place) (a ranking.Ahead, ok bool) {
	k := buckets.Key{Score: p.Score, Tie: p.Tie, Member: p.Member, After: p.Side == ranking.Behind}
	var own *buckets.Key
	if p.Side == ranking.Own {
		own = &k
	}
	b, head, ok := t.Before(&k, own)
	return ranking.Ahead{Head: head, Least: b.Least, Most: b.Most}, ok
}

func (s topSource) Copy(ctx context.Context) (ranking.Copied, error) {
	c, err := s.boardSource.Copy(ctx)
	if err == nil {
		c.Set.RemoveRange(s.t.Top.N, c.Set.Len())
	}
	return c, err
}

// OpenOther implements ranking.Tailed.
func (s topSource) OpenOther(ctx context.Context, member string, o *ranking.Opened) (ok bool, err error) {
	b := tail.BucketOf(s.slot, []byte(member))
	tx, err := s.owner.BeginView(ctx, b.Key, s.meta == nil && !s.HasPlaces()) // a guest would see an entry that is not counted any more
	if err != nil {
		return false, err
	}
	set, err := tx.IntSet(b.Key, s.form)
	if err == nil {
		err = s.b.CheckReadable(s.st)
	}
	if err != nil || !b.IsOf(s.slot) {
		s.owner.EndView(tx)
		return false, err
	}
	if o.Set, o.Tx, o.Top, o.Vacancies = set.IntView, tx, s.t.Top.N, s.vacancies(); s.meta != nil {
		o.Meta = func(_ context.Context, member string) ([]byte, error) { return s.meta(tx, member) }
	}
	if s.final() && !s.b.Env().IsStopped() {
		s.b.Env().Idle.NoteRead(s.b.Engine().Now(), b.Key)
	}
	return true, nil
}

// Beyond implements ranking.Tailed.
func (s topSource) Beyond(ctx context.Context, member string, found func(o ranking.Opened, other *zset.IntView) error) error {
	hash := buckets.Hash([]byte(member))
	for {
		number, ok := s.slot.Tail.Find(hash)
		if ok {
			again, err := s.beyond(ctx, number, hash, found)
			if !again || err != nil {
				return err
			}
		}
		s.slot.Tail.WaitForSteps()
	}
}

// beyond is Beyond for a member in a bucket. It reports whether the member has another bucket by now.
func (s topSource) beyond(ctx context.Context, number uint32, hash uint64, found func(o ranking.Opened, other *zset.IntView) error) (again bool, err error) {
	key := s.t.BucketKey(s.slot.Name, number)
	if s.final() {
		defer func() { s.b.Env().Idle.NoteRead(s.b.Engine().Now(), key) }()
	}
	err = s.e.View(ctx, func(tx *engine.Tx) error {
		if now, ok := s.slot.Tail.Find(hash); !ok || now != number {
			again = true
			return nil
		}
		if err := s.b.CheckReadable(s.st); err != nil {
			return err
		}
		o := ranking.Opened{Top: s.t.Top.N, Tx: tx, Vacancies: s.vacancies()}
		head, err := tx.IntSet(s.key, s.form)
		if err != nil {
			return err
		}
		if o.Set = head.IntView; s.meta != nil {
			o.Meta = func(_ context.Context, member string) ([]byte, error) { return s.meta(tx, member) }
		}
		bucket, err := tx.IntSet(key, s.st.Form)
		if err != nil {
			return err
		}
		return found(o, bucket.IntView)
	}, key, s.key)
	return again, err
}
