package raw

import (
	"context"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/following"
	"github.com/zrankdb/zrank/engine/board/internal/specs"
)

// checkDerived returns an error for the spec of a derived board that cannot follow what there is. Errors: ErrNoBoard, ErrNoGroups, ErrSpec.
func checkDerived(c *catalog.Catalog, spec specs.Spec) error {
	if spec.Derived == nil {
		return nil
	}
	if _, err := c.Groups(spec.Derived.Groups); err != nil {
		return err
	}
	complete, err := c.Complete(spec)
	if err != nil {
		return err
	}
	if diff := complete.Differences(spec); diff != nil {
		return fmt.Errorf("%w: %q follows %q: %s", errs.ErrSpec, spec.Name, spec.Derived.From, strings.Join(diff, "; "))
	}
	return nil
}

// openDerived is target.Open of a derived board. Open periods that do not have the scores which follow from the members, because these or the groups are others
// than they were, are corrected.
func openDerived(ctx context.Context, t *target) error {
	stored := false
	b, err := t.c.InstallFollower(t.st, t.standings, func() (err error) {
		if stored, err = t.exists(ctx); stored {
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	_, err = following.Rebuild(context.WithoutCancel(ctx), b)
	return err
}
