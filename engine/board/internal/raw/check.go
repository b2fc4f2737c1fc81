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

// CheckArchive returns an error for a spec whose boards cannot be written to a file: ErrImmovable.
func CheckArchive(s specs.Spec) error {
	if d := s.Derived; d != nil && d.Points != "" && d.Points != specs.Follow {
		return fmt.Errorf("%w: %q has derived points that do not follow the member", errs.ErrImmovable, s.Name)
	}
	return nil
}
