package moderation

import (
	"bytes"
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// spot is a member's entry in the ranking of one period.
type spot struct {
	place.Place
	record *state.Record // of a closed period, else nil
	next   *state.Record // after the change, if the entry of a closed period has changed

	beside bool // the entry may be beside the ranking
	hidden bool // it is, or would be: it has no rank

	begun    bool       // the first reverted row has been met
	past     place.Past // then: what the member has without the reverted rows so far
	metaGone bool       // the metadata is that of a reverted row, or has left a rolling window
	stepDue  bool       // a step of the tail
}

// appendKeys appends the keys of the sets that have the entry.
func (s *spot) appendKeys(dst []string) []string {
	if s.beside {
		dst = append(dst, s.HiddenKey())
	}
	return s.AppendKeys(dst, false)
}

// open opens the place in a transaction. hidden says whether an entry of the member would be beside
// the ranking; that of a closed period is where it is: a job may not have moved it yet.
func (s *spot) open(tx *engine.Tx, hidden bool) (err error) {
	s.begun, s.past, s.metaGone, s.stepDue, s.hidden, s.next = false, place.Past{}, false, false, false, nil
	if err := s.Open(tx); err != nil || !s.beside {
		return err
	}
	_, _, ranked := s.Get()
	if err := s.OpenHidden(tx); err != nil {
		return err
	}
	_, _, has := s.Get()
	s.hidden = has || hidden && !ranked
	if s.hidden {
		return nil
	}
	return s.Open(tx)
}

// store gives the ranking the entry that the replay has found, and returns the place, and false if
// the entry is the same.
func (s *spot) store(tx *engine.Tx) (p board.Place, changed bool, err error) {
	if err := s.Advance(&s.past, tx.Now().UnixMicro(), true); err != nil {
		return p, false, err
	}
	if s.record == nil || s.hidden {
		return s.replace(tx)
	}
	var before, after int // ranks that nobody has
	if score, tie, ok := s.Get(); ok {
		before = s.record.VacantBefore(s.State.Version, score, tie)
	}
	if p, changed, err = s.replace(tx); s.past.Had {
		score, tie := s.State.Rules.Encode(nil, s.past.Is)
		after = s.record.VacantBefore(s.State.Version, score, tie)
	}
	p.Rank, p.NewRank = p.Rank+before, p.NewRank+after
	return p, changed, err
}

// replace is store without regard to ranks that nobody has.
func (s *spot) replace(tx *engine.Tx) (p board.Place, changed bool, err error) {
	p = board.Place{Window: s.T.Window.Name, Period: s.Slot.Name, Closed: s.record != nil, Hidden: s.hidden}
	if s.record != nil {
		p.Members = s.record.Members
	}
	var c catalog.Change
	s.BeginChange(&c, feed.Reverted)
	rank := s.Rank() + 1
	c.Has, c.Is = s.past.Had, s.past.Is
	if c.Had {
		p.Rank, p.Score = rank, c.Was.Score
	}
	if c.Has {
		p.NewRank, p.NewScore = rank, c.Is.Score
		if err := s.storeBeside(); err != nil {
			return p, false, err
		}
	}
	if !c.Had && !c.Has || c.Had && c.Has && s.has(c.Is) {
		return p, false, nil
	}
	if err := s.Change(&c); err != nil {
		return p, false, err
	}
	if c.Has {
		p.NewRank = c.After + 1
		s.stepDue = s.IsStepDue(true)
	}
	return p, true, s.storeRecord(tx, &c, &p)
}

// storeRecord corrects the record of a closed period, and tells the place how many others have
// another one. A member that is removed leaves the index; the places of the others are indexed
// again, in the background.
func (s *spot) storeRecord(tx *engine.Tx, c *catalog.Change, p *board.Place) error {
	if s.record == nil {
		return nil
	}
	members, sum := 0, uint64(0) // what the number of members and the digest rise by
	if c.Had {
		members, sum = -1, -s.hash(c.Was)
	}
	if c.Has {
		members, sum = members+1, sum+s.hash(c.Is)
	}
	if s.next = s.record.Changed(s.State.Version, members, sum); s.hidden {
		s.next = s.record.ChangedHidden(members)
	}
	if p.Moved = max(p.Rank-p.NewRank, p.NewRank-p.Rank); !s.past.Had {
		if p.Rank > 0 { // not in parts
			p.Moved = s.record.Members - p.Rank
		}
		if err := places.Delete(tx, s.State.Name, s.Name, places.Place{Window: s.T.Window.Name, Period: s.Slot.Name}); err != nil {
			return err
		}
	}
	return places.PutRecord(tx, s.T, s.next)
}

// has reports whether the place has an entry already.
func (s *spot) has(e rules.Entry) bool {
	score, tie, _ := s.Get()
	newScore, newTie := s.State.Rules.Encode(nil, e)
	return score == newScore && bytes.Equal(tie, newTie)
}

// hash returns the hash of an entry of the member.
func (s *spot) hash(e rules.Entry) uint64 {
	score, tie := s.State.Rules.Encode(nil, e)
	return s.Board.Owner().EntryHash(score, tie, s.Name)
}

// storeBeside stores what is kept beside the entry, and deletes the metadata of a reverted row.
func (s *spot) storeBeside() error {
	if s.metaGone {
		if err := s.PutMeta(nil); err != nil {
			return err
		}
	}
	was, err := s.Kept()
	if err != nil {
		return err
	}
	return s.PutKept(was, s.past.Kept)
}

// committed notes the new record, and makes the step that the commit has made due.
func (s *spot) committed(ctx context.Context) {
	if s.record != nil {
		s.Board.Env().Idle.NoteRead(s.Board.Engine().Now(), s.T.SetKeys(s.Slot.Name)...) // the evictor evicts them again
		return
	}
	if s.stepDue {
		s.Maintain(context.WithoutCancel(ctx))
	}
}
