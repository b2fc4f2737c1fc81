package pages

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/internal/numbers"
	"github.com/zrankdb/zrank/internal/printable"
	"github.com/zrankdb/zrank/server/access"
)

const (
	placesShown = 40 // of a board
	awardsShown = 40
	boardsShown = 50
	// playerTime is how long the boards of a member are looked for.
	playerTime = 2 * time.Second
)

// Player is the page of a member.
type Player struct {
	Member     string
	Groups     []GroupOf
	Boards     []PlayerBoard
	Pager      Pager // of boards: a page ends where there are enough, or has looked for long enough
	Everywhere bool  // the member can be erased from all boards
}

// GroupOf is a group that a member is in.
type GroupOf struct{ Kind, Name string }

// PlayerBoard is what a board has of a member.
type PlayerBoard struct {
	Name           string
	Banned, Hidden bool
	Places         []board.Place // the newest first
	More           int           // places that are left out
	Awards         []awards.Award
	Actions        []string
}

func (s *Site) player(r Request) (any, error) {
	p := Player{Member: MemberOf(r.Query.Get("member"))}
	if p.Member == "" {
		return nil, fmt.Errorf("%w: no member is named", ErrInput)
	}
	names, err := s.names(r)
	if err != nil {
		return nil, err
	}
	from, err := r.number("from")
	if err != nil {
		return nil, err
	}
	if err := s.boardsOf(r, &p, names, min(max(from, 1), max(len(names), 1))); err != nil {
		return nil, err
	}
	if r.sees("") == nil {
		if p.Groups, err = s.groupsOf(r.Context, p.Member); err != nil {
			return nil, err
		}
	}
	p.Everywhere = r.Who.Can(access.Read, "") && r.acts("")
	return p, nil
}

// boardsOf looks for the member on the boards from one on, counted from 1, until there are enough.
func (s *Site) boardsOf(r Request, p *Player, names []string, from int) error {
	ctx, cancel := context.WithTimeout(r.Context, playerTime)
	defer cancel()
	i := from - 1
	for ; i < len(names) && len(p.Boards) < boardsShown && ctx.Err() == nil; i++ {
		b, err := s.Boards.Board(ctx, names[i])
		if err != nil {
			continue // dropped meanwhile
		}
		row, ok, err := playerBoard(ctx, b, p.Member)
		if err != nil && !gone(err) {
			return err
		}
		if ok {
			if !r.acts(names[i]) {
				row.Actions = nil
			}
			p.Boards = append(p.Boards, row)
		}
	}
	if from > 1 {
		p.Pager.Previous = to("player", "member", printable.Name(p.Member))
	}
	if i < len(names) {
		p.Pager.Next = to("player", "member", printable.Name(p.Member), "from", strconv.Itoa(i+1))
	}
	if p.Pager.Previous != "" || p.Pager.Next != "" {
		p.Pager.Text = fmt.Sprintf("boards %s to %s of %s", numbers.Count(from), numbers.Count(i), numbers.Count(len(names)))
	}
	return nil
}

// playerBoard returns what a board has of a member; ok is false if it has nothing.
func playerBoard(ctx context.Context, b board.Board, member string) (row PlayerBoard, ok bool, err error) {
	row.Name = b.Name()
	x, err := b.Member(ctx, member)
	if err != nil {
		return row, false, err
	}
	row.Banned, row.Hidden = x.Banned, x.Hidden
	for _, w := range x.Windows {
		places := slices.Clone(w.Places)
		slices.Reverse(places)
		row.Places = append(row.Places, places...)
	}
	if ok = len(row.Places) > 0 || x.Banned || x.Hidden; !ok {
		return row, false, nil
	}
	row.More = max(0, len(row.Places)-placesShown)
	row.Places = row.Places[:min(len(row.Places), placesShown)]
	all, err := b.AwardsOf(ctx, member)
	if err != nil && !errors.Is(err, board.ErrUnsupported) {
		return row, false, err
	}
	slices.Reverse(all)
	row.Awards = all[:min(len(all), awardsShown)]
	row.Actions = actionsOn(&x)
	return row, true, nil
}

// groupsOf returns the groups that a member is in; none where there are no kinds of groups.
func (s *Site) groupsOf(ctx context.Context, member string) (all []GroupOf, err error) {
	kinds, err := s.Boards.GroupKinds(ctx)
	if errors.Is(err, board.ErrUnsupported) {
		return nil, nil
	}
	for _, kind := range kinds {
		k, err := s.Boards.Groups(ctx, kind)
		if err != nil {
			return nil, err
		}
		name, ok, err := k.Of(ctx, member)
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, GroupOf{kind, name})
		}
	}
	return all, err
}
