package raw

import (
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/specs"
)

// step is how many entries are read or stored at a time.
const step = 500

// Check returns an error for a spec whose boards cannot move: ErrImmovable.
func Check(s specs.Spec) error {
	if extras := s.Extras(); extras != nil {
		return fmt.Errorf("%w: %q has %s", errs.ErrImmovable, s.Name, strings.Join(extras, ", "))
	}
	return nil
}
