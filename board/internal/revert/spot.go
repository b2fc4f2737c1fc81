package revert

import (
	"bytes"
	"context"
	"encoding/binary"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/tail"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// spot is a member's entry in the ranking of one period.
type spot struct {
	t    *state.Timeline
	slot *state.Slot

	record *state.Record // of a closed period, else nil
	next   *state.Record // after the change, if the entry of a closed period has changed

	beside bool // the entry may be beside the ranking
	hidden bool // it is, or would be: it has no rank

	set  *engine.IntSet
	tail *tail.Sets // of a ranking of the best members, else nil

	begun    bool // the first reverted row has been met: the next four are what the member has without the reverted rows so far
	had      bool
	entry    rules.Entry
	kept     []byte // what is stored beside the entry: results or times
	metaGone bool   // the metadata is that of a reverted row
	stepDue  bool   // a step of the tail
}

// appendKeys appends the keys of the sets that have the entry.
func (s *spot) appendKeys(dst []string, member []byte) []string {
	if s.beside {
		dst = append(dst, s.t.HiddenKey(s.slot.Name))
	}
	if tail.Has(s.t) {
		dst = append(dst, tail.BucketOf(s.slot, member).Key)
	}
	return append(dst, s.slot.Key)
}

// open opens the sets in a transaction. hidden says whether an entry of the member would be beside the ranking; that of a closed period is where it is.
func (s *spot) open(tx *engine.Tx, b *catalog.Board, st *state.State, member []byte, hidden bool) (err error) {
	s.begun, s.had, s.metaGone, s.stepDue, s.tail, s.next = false, false, false, false, nil, nil
	if err := s.find(tx, st, member, hidden); err != nil || s.hidden || !tail.Has(s.t) {
		return err
	}
	s.tail = new(tail.Sets)
	if err := s.tail.OpenAny(tx, st, s.t, s.slot, s.set, member); err != nil {
		return err
	}
	if s.tail.HasPlaces() {
		b.Owner().NoteEnd(tx, s.tail)
	}
	return nil
}

// find finds the set that has the entry, or the head of a ranking of the best members. A job may not have moved the entry of a closed period yet, so one that is
// there stays in its set.
func (s *spot) find(tx *engine.Tx, st *state.State, member []byte, hidden bool) (err error) {
	s.hidden = false
	if s.set, err = tx.IntSet(s.slot.Key, st.Form); err != nil || !s.beside {
		return err
	}
	beside, err := tx.IntSet(s.t.HiddenKey(s.slot.Name), st.Form)
	if err != nil {
		return err
	}
	_, has := beside.Score(member)
	if !has && hidden {
		ranked, err := s.isRanked(tx, st, member)
		if err != nil {
			return err
		}
		has = !ranked
	}
	if s.hidden = has; has {
		s.set = beside
	}
	return nil
}

// isRanked reports whether the ranking has the member.
func (s *spot) isRanked(tx *engine.Tx, st *state.State, member []byte) (bool, error) {
	if _, ok := s.set.Score(member); ok || !tail.Has(s.t) {
		return ok, nil
	}
	bucket, err := tail.In(tx, st, s.t, s.slot, member)
	if err != nil {
		return false, err
	}
	_, ok := bucket.Score(member)
	return ok, nil
}

// now returns the entry that the member has, as it is stored, and its rank from 1, 0 if it is hidden; false if it has none. The tie is valid until the set changes.
func (s *spot) now(member []byte) (score int64, tie []byte, rank int, ok bool) {
	if s.tail != nil {
		score, tie, ok = s.tail.Get()
		return score, tie, s.tail.Rank() + 1, ok
	}
	if s.hidden {
		score, tie, ok = s.set.Get(member)
		return score, tie, 0, ok
	}
	rank, score, tie, ok = s.set.RankGet(member)
	return score, tie, rank + 1, ok
}

// store gives the ranking the entry that the replay has found, and returns the place, and false if the entry is the same.
func (s *spot) store(tx *engine.Tx, own engine.Owner, st *state.State, member []byte) (p board.Place, changed bool, err error) {
	if s.record == nil || s.hidden {
		return s.replace(tx, own, st, member)
	}
	var before, after int // ranks that nobody has
	if score, tie, _, ok := s.now(member); ok {
		before = s.record.VacantBefore(st.Version, score, tie)
	}
	if p, changed, err = s.replace(tx, own, st, member); s.had {
		score, tie := st.Rules.Encode(nil, s.entry)
		after = s.record.VacantBefore(st.Version, score, tie)
	}
	p.Rank, p.NewRank = p.Rank+before, p.NewRank+after
	return p, changed, err
}

// replace is store without regard to ranks that nobody has.
func (s *spot) replace(tx *engine.Tx, own engine.Owner, st *state.State, member []byte) (p board.Place, changed bool, err error) {
	p = board.Place{Window: s.t.Window.Name, Period: s.slot.Name, Closed: s.record != nil, Hidden: s.hidden}
	if s.record != nil {
		p.Members = s.record.Members
	}
	score, tie, rank, ok := s.now(member)
	sum, members := uint64(0), 0 // what the digest and the number of members rise by
	if ok {
		p.Rank, p.Score = rank, st.Rules.Decode(score, tie).Score
		sum, members = -own.EntryHash(score, tie, string(member)), -1
	}
	if err := s.storeBeside(tx, st, string(member)); err != nil {
		return p, false, err
	}
	if !s.had {
		if ok {
			err = s.remove(member)
		}
		if ok && err == nil {
			err = s.storeRecord(tx, st, string(member), &p, members, sum)
		}
		return p, ok, err
	}
	var tieArray [rules.MaxTie]byte
	newScore, newTie := st.Rules.Encode(tieArray[:0], s.entry)
	if p.NewScore, p.NewRank = s.entry.Score, rank; ok && score == newScore && bytes.Equal(tie, newTie) {
		return p, false, nil
	}
	if p.NewRank, err = s.put(member, newTie, newScore); err == nil {
		err = s.storeRecord(tx, st, string(member), &p, members+1, sum+own.EntryHash(newScore, newTie, string(member)))
	}
	return p, true, err
}

// storeRecord corrects the record of a closed period, and tells the place how many others have another one. A member that is removed leaves the index; the
// places of the others are indexed again, in the background.
func (s *spot) storeRecord(tx *engine.Tx, st *state.State, member string, p *board.Place, members int, sum uint64) error {
	if s.record == nil {
		return nil
	}
	if s.next = s.record.Changed(st.Version, members, sum); s.hidden {
		s.next = s.record.ChangedHidden(members)
	}
	if p.Moved = max(p.Rank-p.NewRank, p.NewRank-p.Rank); !s.had {
		if !s.hidden {
			p.Moved = s.record.Members - p.Rank
		}
		if err := places.Delete(tx, st.Name, member, places.Place{Window: s.t.Window.Name, Period: s.slot.Name}); err != nil {
			return err
		}
	}
	return places.PutRecord(tx, s.t, s.next)
}

func (s *spot) remove(member []byte) (err error) {
	if s.tail != nil {
		return s.tail.Remove()
	}
	_, err = s.set.Remove(member)
	return err
}

// put gives the member an entry, and returns its rank from 1.
func (s *spot) put(member, tie []byte, score int64) (rank int, err error) {
	if s.tail != nil {
		_, rank, err = s.tail.Put(tie, score)
		s.stepDue = s.tail.IsStepDue()
		return rank + 1, err
	}
	moved, err := s.set.Put(member, tie, score)
	if s.hidden {
		return 0, err
	}
	return moved.After + 1, err
}

// storeBeside stores what is kept beside the entry, and deletes the metadata of a reverted row or of an entry that goes.
func (s *spot) storeBeside(tx *engine.Tx, st *state.State, member string) error {
	if st.Spec.MaxMeta > 0 && (s.metaGone || !s.had) {
		if err := tx.Delete(boardkey.Meta(st.Name, s.t.Window.Name, s.slot.Name, member)); err != nil {
			return err
		}
	}
	if st.Rules.K() == 0 && st.Rules.Timed() == 0 {
		return nil
	}
	key := boardkey.Kept(st.Name, s.t.Window.Name, s.slot.Name, member)
	if !s.had || len(s.kept) == 0 {
		return tx.Delete(key)
	}
	s.t.Times.Store(state.SomeTimes)
	if st.Rules.K() > 0 {
		return tx.Put(key, s.kept)
	}
	return tx.Put(key, append(binary.BigEndian.AppendUint64(nil, uint64(st.Version)), s.kept...))
}

// committed notes the new record, and makes the step that the commit has made due.
func (s *spot) committed(ctx context.Context, b *catalog.Board, st *state.State, member []byte) {
	if s.record != nil {
		b.Env().Idle.NoteRead(b.Engine().Now(), s.t.SetKeys(s.slot.Name)...) // the evictor evicts them again
	}
	if s.record != nil || !s.stepDue {
		return
	}
	if err := tail.Maintain(context.WithoutCancel(ctx), b, st, s.t, s.slot, member); err != nil {
		b.Log().Error("board: entries cannot be moved", "board", st.Name, "err", err)
	}
}
