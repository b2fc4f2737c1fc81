package auditlog

import (
	"fmt"
	"unicode/utf8"

	"github.com/zrankdb/zrank/engine/board/internal/errs"
)

// Action says who moderates a board and why: see board.Action.
type Action struct {
	By        string
	Reason    string
	DryRun    bool
	KeepRanks bool
}

const (
	// maxBy is the length of the longest By, in bytes.
	maxBy = 256
	// maxReason is the length of the longest Reason, in bytes.
	maxReason = 4 << 10
)

// Validate checks the action of a change of a kind. Error: ErrAction.
func (a Action) Validate(kind Kind) error {
	switch {
	case a.By == "":
		return fmt.Errorf("%w: By is empty: the audit log wants to know who", errs.ErrAction)
	case len(a.By) > maxBy || !utf8.ValidString(a.By):
		return fmt.Errorf("%w: By has %d bytes, want at most %d of UTF-8", errs.ErrAction, len(a.By), maxBy)
	case len(a.Reason) > maxReason || !utf8.ValidString(a.Reason):
		return fmt.Errorf("%w: Reason has %d bytes, want at most %d of UTF-8", errs.ErrAction, len(a.Reason), maxReason)
	case a.KeepRanks && kind != Ban && kind != Erase:
		return fmt.Errorf("%w: KeepRanks: only Ban and Erase keep the ranks of closed periods", errs.ErrAction)
	}
	return nil
}
