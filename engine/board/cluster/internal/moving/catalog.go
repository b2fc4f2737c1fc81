package moving

import (
	"strings"

	"github.com/zrankdb/zrank/engine/board/cluster/internal/servers"
	"github.com/zrankdb/zrank/engine/board/internal/specs"
)

// Catalog is where boards are stored by their names, and what this package needs to make them.
type Catalog interface {
	Servers() *servers.Servers
	// Key returns the key of the catalog, a hash. A field with the name of a board has what is stored of it; Hidden says which other fields there are.
	Key() string
	// New returns the stored form of a new board. Error: that of a spec that a cluster does not take.
	New(spec specs.Spec) (stored string, err error)
	// Of returns the board that a stored form is of.
	Of(name, stored string) (Board, error)
}

// The prefixes of fields of the catalog that are no boards. The name of a board follows.
const (
	comingField = "\x00coming\x00"
	leftField   = "\x00left\x00" // the value is the id of the board, a space, and the address
)

// IsHidden reports whether a field of the catalog is none of a board.
func IsHidden(field string) bool { return strings.HasPrefix(field, "\x00") }

// FieldsOf returns the fields of the catalog that say what is known of a name besides a board.
func FieldsOf(name string) (coming, left string) { return comingField + name, leftField + name }

// Left returns where a board has left for by the value of its field; "" if the field is that of an earlier board of the name.
func Left(id, field string) (address string) {
	of, address, _ := strings.Cut(field, " ")
	if of != id {
		return ""
	}
	return address
}
