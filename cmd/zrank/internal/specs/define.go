package specs

import (
	"context"
	"errors"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
)

// Define makes a board, and the kind of groups that its spec names. Errors: those of local.Boards.
func Define(ctx context.Context, boards *local.Boards, s board.Spec) error {
	if s.Derived != nil {
		if _, err := boards.DefineGroups(ctx, s.Derived.Groups); err != nil {
			return err
		}
	}
	_, err := boards.Define(ctx, s)
	return err
}

// Complete returns valid specs, those of derived boards with what they have from the boards that they follow: from specs before them, or from boards that exist,
// whose specs stored returns. Errors: board.ErrSpec, those of stored.
func Complete(stored func(name string) (board.Spec, error), all []board.Spec) ([]board.Spec, error) {
	all = slices.Clone(all)
	for i, spec := range all {
		if spec.Derived == nil {
			continue
		}
		var source board.Spec
		if j := slices.IndexFunc(all[:i], func(s board.Spec) bool { return s.Name == spec.Derived.From }); j >= 0 {
			source = all[j]
		} else {
			var err error
			if source, err = stored(spec.Derived.From); err != nil {
				return nil, err
			}
		}
		var err error
		if all[i], err = spec.Complete(source); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// DefineDerived makes the derived boards of the specs that follow boards which exist. Errors: those of local.Boards.
func (s Specs) DefineDerived(ctx context.Context, boards *local.Boards) error {
	for _, spec := range s.derived {
		_, err := boards.Board(ctx, spec.Derived.From)
		if errors.Is(err, board.ErrNoBoard) {
			continue
		}
		if err == nil {
			err = Define(ctx, boards, spec)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
