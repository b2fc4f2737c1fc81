package access

import (
	"context"
	"fmt"
	"slices"
)

// Principal is the caller of a request: a server key, a player, or anybody, where access is open. The zero value may do nothing.
type Principal struct {
	// Name is the name of the key, for logs and audit logs. For a player it is the member, and "open" where access is open.
	Name string
	// Member is the member that the player is; "" for all others.
	Member  string
	rights  Rights
	limited bool     // to boards
	boards  []string // if it is limited
}

// IsPlayer reports whether the caller is a player.
func (p Principal) IsPlayer() bool { return p.Member != "" }

// IsKey reports whether the caller has a server key.
func (p Principal) IsKey() bool { return p.rights != 0 && !p.IsPlayer() && p.Name != openName }

// Is reports whether the caller is the player that a member is.
func (p Principal) Is(member string) bool { return member != "" && p.Member == member }

// Rights returns what the caller may do with its boards.
func (p Principal) Rights() Rights { return p.rights }

// Can reports whether the caller has all of some rights on a board. "" means on all boards, those to come included: a caller that is limited to
// some boards never has them. O(boards it is limited to).
func (p Principal) Can(rights Rights, board string) bool {
	return p.rights.has(rights) && (!p.limited || board != "" && slices.Contains(p.boards, board))
}

// Need returns ErrForbidden if Can would be false, or nil.
func (p Principal) Need(rights Rights, board string) error {
	switch {
	case p.Can(rights, board):
		return nil
	case board == "":
		return fmt.Errorf("%w: it needs the right to %v on all boards", ErrForbidden, rights)
	default:
		return fmt.Errorf("%w: it needs the right to %v on board %q", ErrForbidden, rights, board)
	}
}

// ID is a text that no other caller has, for counting by caller: "key:" or "player:" and the name, "open", or "" for the zero Principal.
func (p Principal) ID() string {
	switch {
	case p.IsPlayer():
		return "player:" + p.Member
	case p.rights == 0:
		return ""
	case p.Name == openName:
		return openName
	default:
		return "key:" + p.Name
	}
}

// openName is the name of callers where access is open. No key has it.
const openName = "open"

// everybody is the caller where access is open.
var everybody = Anybody(All)

type principalKey struct{}

// NewContext returns a context that has the caller.
func NewContext(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

// FromContext returns the caller of a context made by NewContext; else the zero Principal, which may do nothing.
func FromContext(ctx context.Context) Principal {
	p, _ := ctx.Value(principalKey{}).(Principal)
	return p
}

// Anybody returns the caller who is nobody in particular, with the rights that everybody has.
func Anybody(rights Rights) Principal { return Principal{Name: openName, rights: rights} }
