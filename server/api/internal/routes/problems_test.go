package routes

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/problem"
)

// TestRetryAfter: a problem that passes by itself says when to come again; that of a failed disk, which needs a restart, does not.
func TestRetryAfter(t *testing.T) {
	for cause, want := range map[error]int64{engine.ErrStalled: 1, engine.ErrPersistence: 0, engine.ErrDiskFull: 0} {
		var p *problem.Problem
		require.True(t, errors.As((&Router{}).problem(fmt.Errorf("%w: why", cause)), &p))
		require.Equal(t, want, p.RetryAfter, cause)
	}
}
