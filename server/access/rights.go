package access

import (
	"fmt"
	"strings"
)

// Rights say what a caller may do. Read is part of each of the others, and All has all of them.
type Rights uint8

const (
	readBit Rights = 1 << iota
	submitBit
	moderateBit
	allBit
)

const (
	// Read lets a caller read boards, rankings, members, periods, groups and the feed.
	Read = readBit
	// Submit lets a caller submit results, issue score tickets, claim awards for members and change who is in which group.
	Submit = submitBit | Read
	// Moderate lets a caller hide, ban, erase, rename and merge members, revert and correct results, and read audit logs.
	Moderate = moderateBit | Read
	// All lets a caller do everything: also define, migrate and drop boards, close and settle periods, and export.
	All = allBit | Submit | Moderate
)

var rightNames = []struct {
	name   string
	rights Rights
}{{"all", All}, {"submit", Submit}, {"moderate", Moderate}, {"read", Read}}

// ParseRights returns the rights of a text: all, or names of rights with commas between them, such as "submit,moderate".
func ParseRights(text string) (rights Rights, err error) {
next:
	for name := range strings.SplitSeq(text, ",") {
		for _, known := range rightNames {
			if strings.TrimSpace(name) == known.name {
				rights |= known.rights
				continue next
			}
		}
		return 0, fmt.Errorf("access: no right %q: want all, or some of read, submit, moderate", name)
	}
	return rights, nil
}

// Valid reports whether the rights are one of those above, or some of them together.
func (r Rights) Valid() bool {
	var known Rights
	for _, n := range rightNames {
		if r.has(n.rights) {
			known |= n.rights
		}
	}
	return r != 0 && known == r
}

// has reports whether the rights include others, of which there is one at least.
func (r Rights) has(others Rights) bool { return others != 0 && r&others == others }

// String returns the text that ParseRights reads: the fewest names.
func (r Rights) String() string {
	if !r.Valid() {
		return "none"
	}
	var names []string
	var named Rights
	for _, n := range rightNames {
		if r.has(n.rights) && !named.has(n.rights) {
			names, named = append(names, n.name), named|n.rights
		}
	}
	return strings.Join(names, ",")
}

// MarshalText implements encoding.TextMarshaler.
func (r Rights) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler. Errors: those of ParseRights.
func (r *Rights) UnmarshalText(text []byte) (err error) {
	*r, err = ParseRights(string(text))
	return err
}
