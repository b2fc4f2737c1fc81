package groups

import (
	"context"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/internal/boardjson"
)

// kindInfo is a kind of groups.
type kindInfo struct {
	Kind    string `json:"kind"`
	Groups  int    `json:"groups"`
	Members int    `json:"members"` // in all groups
}

func kindOf(ctx context.Context, k board.Groups) (kindInfo, error) {
	i := kindInfo{Kind: k.Kind()}
	all, err := k.All(ctx)
	for _, g := range all {
		i.Groups++
		i.Members += g.Members
	}
	return i, err
}

// kindList writes kinds of groups, a line each.
var kindList = show.List[kindInfo]{
	Empty:   "no kind of groups is defined yet",
	Columns: []string{"kind", "groups", "members"},
	Right:   []int{2, 3},
	Cells: func(i kindInfo, _ bool) []string {
		return []string{i.Kind, strconv.Itoa(i.Groups), strconv.Itoa(i.Members)}
	},
}

// group is a group with its kind.
type group struct {
	Kind string `json:"kind"`
	board.GroupInfo
}

// MarshalJSON implements json.Marshaler.
func (g group) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&g) }

// groupOf describes a group with its metadata.
func groupOf(ctx context.Context, k board.Groups, name string) (group, error) {
	g, err := k.Info(ctx, name)
	g.Created = g.Created.UTC()
	return group{k.Kind(), g}, err
}

// groupList writes groups, a line each.
var groupList = show.List[group]{
	Empty:   "no group",
	Sparse:  true,
	Columns: []string{"kind", "group", "members", "created", "meta"},
	Right:   []int{3},
	Cells: func(i group, people bool) []string {
		return []string{i.Kind, name(i.Name, people), strconv.Itoa(i.Members), i.Created.Format(time.RFC3339), string(i.Meta)}
	},
}

// member is a member of a group, or one of none.
type member struct {
	Kind   string `json:"kind"`
	Group  string `json:"group,text,omitempty"`
	Member string `json:"member,text"`
}

// memberList writes members of groups, a line each.
var memberList = show.List[member]{
	Empty:   "no member",
	Columns: []string{"kind", "group", "member"},
	Cells: func(i member, people bool) []string {
		return []string{i.Kind, name(i.Group, people), name(i.Member, people)}
	},
}

// name returns the name of a member or a group, for people or for programs.
func name(text string, people bool) string {
	if people {
		return show.Name(text)
	}
	return text
}
