package revert

import (
	"bytes"
	"context"
	"encoding/binary"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/board/internal/state"
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
	at     place.Place

	begun    bool // the first reverted row has been met: the next four are what the member has without the reverted rows so far
	had      bool
	entry    rules.Entry
	kept     []byte // what is stored beside the entry: results or times
	metaGone bool   // the metadata is that of a reverted row
	stepDue  bool   // a step of the tail
}

// appendKeys appends the keys of the sets that have the entry.
func (s *spot) appendKeys(dst []string, member []byte) []string {
	s.at = place.Of(s.t, s.slot, member)
	if s.beside {
		dst = append(dst, s.t.HiddenKey(s.slot.Name))
	}
	return s.at.AppendKeys(dst)
}

// open opens the place in a transaction. hidden says whether an entry of the member would be beside the ranking; that of a closed period is where it is: a job may not
// have moved it yet.
func (s *spot) open(tx *engine.Tx, b *catalog.Board, st *state.State, hidden bool) (err error) {
	s.begun, s.had, s.metaGone, s.stepDue, s.hidden, s.next = false, false, false, false, false, nil
	if err := s.at.Open(tx, b, st, nil); err != nil || !s.beside {
		return err
	}
	_, _, ranked := s.at.Get()
	if err := s.at.OpenHidden(tx, st); err != nil {
		return err
	}
	_, _, has := s.at.Get()
	s.hidden = has || hidden && !ranked
	if s.hidden {
		return nil
	}
	return s.at.Open(tx, b, st, nil)
}

// store gives the ranking the entry that the replay has found, and returns the place, and false if the entry is the same.
func (s *spot) store(tx *engine.Tx, own engine.Owner, st *state.State, member []byte) (p board.Place, changed bool, err error) {
	if s.record == nil || s.hidden {
		return s.replace(tx, own, st, member)
	}
	var before, after int // ranks that nobody has
	if score, tie, ok := s.at.Get(); ok {
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
	score, tie, ok := s.at.Get()
	rank := s.at.Rank() + 1
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
			err = s.at.Remove()
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
	_, after, err := s.at.Put(newTie, newScore)
	p.NewRank = after + 1
	if err == nil {
		s.stepDue = s.at.IsStepDue(true)
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
func (s *spot) committed(ctx context.Context, b *catalog.Board, st *state.State) {
	if s.record != nil {
		b.Env().Idle.NoteRead(b.Engine().Now(), s.t.SetKeys(s.slot.Name)...) // the evictor evicts them again
	}
	if s.record != nil || !s.stepDue {
		return
	}
	s.at.Maintain(context.WithoutCancel(ctx), b, st)
}
