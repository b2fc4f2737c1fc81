package boardtest

import (
	"context"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// byArrival are the files in which members come to a score in the same microsecond: only in one set do they have the order of their arrival. Groups of the best
// members need one set too.
var byArrival = []string{"guilds-best.txt", "large-values.txt", "many-members.txt", "migrate-ties.txt", "migrate.txt", "overtaken.txt", "ties-first.txt", "ties-last.txt"}

// byRank are the files that show at which ranks a member was that an operator has renamed: in parts nobody counts them.
var byRank = []string{"moderated-moves.txt"}

// TestScenariosInParts plays the other files with every board in four parts that can be, and with a part for every two members, so that parts are split and
// merged all the time: the answers are the same.
func TestScenariosInParts(t *testing.T) {
	for _, parts := range []board.Spec{{Parts: 4}, {PartMembers: 2}} {
		playInParts(t, parts)
	}
}

// playInParts plays the files with boards that have the parts of a spec.
func playInParts(t *testing.T, parts board.Spec) {
	files := fstest.MapFS{}
	names, err := fs.Glob(Files(), "*.txt")
	require.NoError(t, err)
	for _, name := range names {
		text, err := fs.ReadFile(Files(), name)
		require.NoError(t, err)
		if !slices.Contains(byArrival, name) && !slices.Contains(byRank, name) {
			files[name] = &fstest.MapFile{Data: text}
		}
	}
	scenarios, n := Run(t, files, "", func(now func() time.Time) (Backend, error) {
		b, err := memory(now)
		return divided{b, parts}, err
	})
	t.Logf("%d scenarios, %d commands, %d answers", scenarios, n.Lines, n.Answers)
}

// divided gives boards the parts of a spec, as far as that is possible.
type divided struct {
	Backend
	parts board.Spec
}

func (d divided) Define(ctx context.Context, s board.Spec) (board.Board, error) {
	return d.Backend.Define(ctx, d.divide(s))
}

func (d divided) Migrate(ctx context.Context, s board.Spec) (board.Board, error) {
	return d.Backend.Migrate(ctx, d.divide(s))
}

func (d divided) divide(s board.Spec) board.Spec {
	other := s
	other.Parts, other.PartMembers = d.parts.Parts, d.parts.PartMembers
	if s.Parts == 0 && s.PartMembers == 0 && other.Validate() == nil {
		return other
	}
	return s
}
