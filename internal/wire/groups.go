package wire

import (
	"time"

	"github.com/zrankdb/zrank/board"
)

// Group is board.GroupInfo.
type Group struct {
	Name    Text      `json:"name"`
	Members int       `json:"members" doc:"Who are in it, with a score or not."`
	Created time.Time `json:"created"`
	Meta    *Text     `json:"meta,omitempty"`
}

// GroupOf returns a group as JSON has it.
func GroupOf(g board.GroupInfo) Group {
	return Group{Text(g.Name), g.Members, g.Created, textOf(g.Meta)}
}

// GroupsOf returns groups as JSON has them.
func GroupsOf(all []board.GroupInfo) []Group { return list(all, GroupOf) }

// Board is the inverse of GroupOf.
func (g Group) Board() board.GroupInfo {
	return board.GroupInfo{Name: string(g.Name), Members: g.Members, Created: g.Created, Meta: BytesOf(g.Meta)}
}

// BoardGroups is the inverse of GroupsOf.
func BoardGroups(all []Group) []board.GroupInfo { return each(all, Group.Board) }

// Joining is board.Joining.
type Joining struct {
	Member Text `json:"member"`
	Group  Text `json:"group"`
}

// JoiningsOf returns joinings as JSON has them.
func JoiningsOf(all []board.Joining) []Joining {
	return list(all, func(j board.Joining) Joining { return Joining{Text(j.Member), Text(j.Group)} })
}

// BoardJoinings is the inverse of JoiningsOf.
func BoardJoinings(all []Joining) []board.Joining {
	return each(all, func(j Joining) board.Joining { return board.Joining{Member: string(j.Member), Group: string(j.Group)} })
}
