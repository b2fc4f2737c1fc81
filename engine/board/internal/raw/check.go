package raw

import (
	"fmt"
	"slices"
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

// notArchived is the names of what no file has: see specs.Spec.Extras.
var notArchived = []string{"derived"}

// CheckArchive returns an error for a spec whose boards cannot be written to a file: ErrImmovable.
func CheckArchive(s specs.Spec) error {
	left := slices.DeleteFunc(s.Extras(), func(name string) bool { return !slices.Contains(notArchived, name) })
	if len(left) > 0 {
		return fmt.Errorf("%w: %q has %s", errs.ErrImmovable, s.Name, strings.Join(left, ", "))
	}
	return nil
}
