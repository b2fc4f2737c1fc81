package transfer

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
)

// complete returns a spec with its defaults, and for a derived board with the columns and windows of the board that it follows, if it leaves them out. Errors: ErrNoBoard,
// ErrNoGroups, ErrSpec for a derived board that cannot follow what there is.
func complete(c *catalog.Catalog, spec board.Spec) (board.Spec, error) {
	if spec.Derived == nil {
		return spec.WithDefaults(), nil
	}
	if _, err := c.Groups(spec.Derived.Groups); err != nil {
		return spec, err
	}
	all, err := c.Complete(spec)
	if err != nil {
		return spec, err
	}
	if len(spec.Columns) == 0 {
		spec.Columns, spec.Op = all.Columns, all.Op
	}
	if len(spec.Windows) == 0 {
		spec.Windows = all.Windows
	}
	return all, state.CheckComplete(spec, all)
}
