package auth

import "slices"

// Kind says which commands a user may run: see resp.UserKind.
type Kind uint8

// The kinds of users. Each from Read on may run what the kinds before it may.
const (
	Any      Kind = iota // all commands
	Read                 // those that change nothing and tell nothing of the server and its users
	Write                // also those that change keys
	Moderate             // also those that change what boards keep of a member, and those that read their audit logs
)

var kindNames = []string{Any: "any", Read: "read", Write: "write", Moderate: "moderate"}

// String returns the name that ParseKind reads.
func (k Kind) String() string {
	if !k.Valid() {
		return "unknown"
	}
	return kindNames[k]
}

// Valid reports whether there is such a kind.
func (k Kind) Valid() bool { return int(k) < len(kindNames) }

// ParseKind returns the kind of a name.
func ParseKind(name string) (k Kind, ok bool) {
	i := slices.Index(kindNames, name)
	return Kind(max(i, 0)), i >= 0
}
