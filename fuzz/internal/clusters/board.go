package clusters

import (
	"context"
	"errors"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
)

// errAbsent is returned by calls that package cluster does not have. No reply of an oracle has it.
var errAbsent = errors.New("fuzz: boards on a cluster do not have this")

// leaderboard is a board as operations use it.
type leaderboard struct {
	onCluster
	absentCalls
}

// onCluster makes the calls of a dump come before those of the board.
type onCluster struct{ board.Board }

// absentCalls are calls of a dump, which say that there is nothing.
type absentCalls struct{}

func (absentCalls) Jobs(context.Context) ([]board.Job, error) { return nil, nil }

func (absentCalls) Settlements(context.Context, string) ([]awards.Settlement, error) { return nil, nil }

func (absentCalls) BestRank(context.Context, string, string) (rank int, ok bool, err error) {
	return 0, false, nil
}
