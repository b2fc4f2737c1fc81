package moving

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/servers"
)

// Catalog is where boards are stored by their names, and what this package needs to make them.
type Catalog interface {
	Servers() *servers.Servers
	// Key returns the key of the catalog, a hash. A field with the name of a board has what is stored of it; package layout says which other fields there are.
	Key() string
	// New returns the stored form of a new board. Error: that of a spec that a cluster does not take.
	New(spec board.Spec) (stored string, err error)
	// Of returns the board that a stored form is of.
	Of(name, stored string) (Board, error)
}
