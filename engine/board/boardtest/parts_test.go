package boardtest

import (
	"context"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/board"
)

// byArrival are the files in which members come to a score in the same microsecond: only in one set do they have the order of their arrival.
var byArrival = []string{"large-values.txt", "many-members.txt", "migrate-ties.txt", "migrate.txt", "overtaken.txt", "ties-first.txt", "ties-last.txt"}

// TestScenariosInParts plays the other files with every board in four parts that can be: the answers are the same.
func TestScenariosInParts(t *testing.T) {
	files := fstest.MapFS{}
	names, err := fs.Glob(Files(), "*.txt")
	require.NoError(t, err)
	for _, name := range names {
		text, err := fs.ReadFile(Files(), name)
		require.NoError(t, err)
		if !slices.Contains(byArrival, name) {
			files[name] = &fstest.MapFile{Data: text}
		}
	}
	scenarios, n := Run(t, files, "", func(now func() time.Time) (Backend, error) {
		b, err := memory(now)
		return divided{b}, err
	})
	t.Logf("%d scenarios, %d commands, %d answers", scenarios, n.Lines, n.Answers)
}

// divided puts boards in four parts, as far as that is possible.
type divided struct{ Backend }

func (d divided) Define(s board.Spec) (Board, error) { return d.Backend.Define(divide(s)) }

func (d divided) Migrate(ctx context.Context, s board.Spec) (Board, error) {
	return d.Backend.Migrate(ctx, divide(s))
}

func divide(s board.Spec) board.Spec {
	other := s
	if other.Parts = 4; s.Parts == 0 && other.Validate() == nil {
		return other
	}
	return s
}
