package transfer

import (
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/state"
)

// step is how many entries are read or stored at a time.
const step = 500

// Check returns an error for a spec whose boards cannot move: ErrImmovable.
func Check(s board.Spec) error {
	if extras := state.Extras(s); extras != nil {
		return fmt.Errorf("%w: %q has %s", board.ErrImmovable, s.Name, strings.Join(extras, ", "))
	}
	return nil
}
