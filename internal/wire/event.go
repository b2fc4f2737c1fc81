package wire

import (
	"time"

	"github.com/zrankdb/zrank/board/feed"
)

// Event is feed.Event.
type Event struct {
	Position string    `json:"position" doc:"Behind this event: a feed after it goes on with the next one."`
	Kind     string    `json:"kind"`
	Board    string    `json:"board"`
	Window   string    `json:"window,omitempty"`
	Period   string    `json:"period,omitempty"`
	Member   Text      `json:"member,omitempty" doc:"Whom the event is about."`
	At       time.Time `json:"at"`
	By       Text      `json:"by,omitempty" doc:"Who has caused it: a member, or who has moderated."`
	Other    Text      `json:"other,omitempty" doc:"Another member: the leader before, the new name."`
	Rank     int       `json:"rank,omitempty" doc:"Of the member now, from 1."`
	Before   int       `json:"before,omitempty" doc:"Its rank before."`
	Score    Score     `json:"score,omitempty" doc:"Of the member now."`
	Was      Score     `json:"was,omitempty" doc:"Its score before."`
	Groups   string    `json:"groups,omitempty" doc:"A kind of groups."`
	Group    Text      `json:"group,omitempty"`
	Award    string    `json:"award,omitempty"`
	Count    int       `json:"count,omitempty" doc:"Of members or awards."`
	Audit    uint64    `json:"audit,omitempty" doc:"The number of an entry of the audit log."`
}

// EventOf returns an event as JSON has it.
func EventOf(e feed.Event) Event {
	return Event{e.Position.String(), e.Kind.String(), e.Board, e.Window, e.Period, Text(e.Member), e.At, Text(e.By), Text(e.Other), e.Rank, e.Before, ScoreOf(e.Score),
		ScoreOf(e.Was), e.Groups, Text(e.Group), e.Award, e.Count, e.Audit}
}

// Event is the inverse of EventOf. Errors: feed.ErrPosition, feed.ErrKind.
func (e Event) Event() (feed.Event, error) {
	position, err := feed.ParsePosition(e.Position)
	if err != nil {
		return feed.Event{}, err
	}
	kind, err := feed.ParseKind(e.Kind)
	return feed.Event{Position: position, Kind: kind, Board: e.Board, Window: e.Window, Period: e.Period, Member: string(e.Member), At: e.At, By: string(e.By),
		Other: string(e.Other), Rank: e.Rank, Before: e.Before, Score: e.Score.Board(), Was: e.Was.Board(), Groups: e.Groups, Group: string(e.Group), Award: e.Award,
		Count: e.Count, Audit: e.Audit}, err
}
