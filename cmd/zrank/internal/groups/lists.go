package groups

import (
	"context"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
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

// groupInfo is a group.
type groupInfo struct {
	Kind     string    `json:"kind"`
	Group    string    `json:"group"`
	GroupHex string    `json:"groupHex,omitempty"` // of a group whose name is not UTF-8
	Members  int       `json:"members"`
	Created  time.Time `json:"created"`
	Meta     string    `json:"meta,omitempty"`
	MetaHex  string    `json:"metaHex,omitempty"` // of metadata that is not UTF-8
}

// groupOf describes a group with its metadata.
func groupOf(ctx context.Context, k board.Groups, group string) (groupInfo, error) {
	g, err := k.Info(ctx, group)
	meta := string(g.Meta)
	return groupInfo{k.Kind(), g.Name, show.Hex(g.Name), g.Members, g.Created.UTC(), meta, show.Hex(meta)}, err
}

// groupList writes groups, a line each.
var groupList = show.List[groupInfo]{
	Empty:   "no group",
	Sparse:  true,
	Columns: []string{"kind", "group", "members", "created", "meta"},
	Right:   []int{3},
	Cells: func(i groupInfo, people bool) []string {
		return []string{i.Kind, name(i.Group, people), strconv.Itoa(i.Members), i.Created.Format(time.RFC3339), i.Meta}
	},
}

// memberInfo is a member of a group, or one of none.
type memberInfo struct {
	Kind     string `json:"kind"`
	Group    string `json:"group,omitempty"`
	GroupHex string `json:"groupHex,omitempty"`
	Member   string `json:"member"`
	Hex      string `json:"memberHex,omitempty"`
}

func memberOf(k board.Groups, member, group string) memberInfo {
	return memberInfo{k.Kind(), group, show.Hex(group), member, show.Hex(member)}
}

// memberList writes members of groups, a line each.
var memberList = show.List[memberInfo]{
	Empty:   "no member",
	Columns: []string{"kind", "group", "member"},
	Cells: func(i memberInfo, people bool) []string {
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
