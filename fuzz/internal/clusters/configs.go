package clusters

import (
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/fuzz/internal/boardspecs"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/oracle"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// Configs returns boards in one partition on a server, and in three on a cluster. Between blocks the servers forget their scripts, and other processes take over.
func Configs(server *redis.Client, cluster *redis.ClusterClient) []machine.Config {
	return []machine.Config{
		config(server, "cluster/partitions=1", 1, supported),
		config(server, "cluster/partitions=1,ties=member", 1, byMember),
		config(cluster, "cluster/partitions=3", 3, supported),
	}
}

// config returns a configuration with specs that a function makes of those of boardspecs.
func config(client redis.UniversalClient, name string, partitions int, make func(board.Spec) board.Spec) machine.Config {
	first := func(name string) board.Spec { return make(boardspecs.Of(name, 0)) }
	inParts := func(name string) board.Spec {
		spec := first(name)
		if partitions > 1 {
			spec.Parts = partitions
		}
		return spec
	}
	return machine.Config{Name: name, Layer: "board", Rates: machine.Rates("reopen", 13, "evict", 17),
		Open:   func() (machine.Machine, error) { return open(client, partitions, first) },
		Oracle: func() machine.Reference { return oracle.NewBoardsOf(inParts) },
		Has: func(op script.Op) bool {
			return has(op, partitions) && (partitions > 1 || first(op.Key).Ties == board.ByMember || op.Kind != "hide")
		},
	}
}

// absent are the operations that package cluster does not have, and those that it does otherwise.
var absent = []string{"claim", "withhold", "release", "resettle", "settier", "revert", "migrate", "unite",
	"united", "stored", "journal", "league"}

// has reports whether boards in so many partitions have an operation. There are no sets and no rollback; with several partitions a Once key counts for some members only, two members may be in
// two, and a batch is one commit a member.
func has(op script.Op, partitions int) bool {
	once := op.Kind == "submit" && strings.HasPrefix(op.Low, "once=")
	return op.Is(script.OnBoard) && !slices.Contains(absent, op.Kind) && (partitions == 1 || !once && !slices.Contains([]string{"renamed", "merge", "batch"}, op.Kind))
}

// supported returns a spec without what package cluster refuses.
func supported(spec board.Spec) board.Spec {
	spec.Top, spec.Parts, spec.PartMembers, spec.BestRanks, spec.Journal, spec.Awards, spec.Leagues, spec.Feed = nil, 0, 0, false, 0, nil, nil, nil
	spec.Windows = slices.DeleteFunc(slices.Clone(spec.Windows), func(w board.Window) bool { return w.Kind == window.Rolling })
	return spec
}

// byMember returns a spec whose ties go by the names of members. A member that is hidden while a ranking becomes empty keeps its place among equals of one microsecond here,
// and not in an engine, which begins to count the arrivals anew: so hide is left out with other ties.
func byMember(spec board.Spec) board.Spec {
	spec = supported(spec)
	spec.Ties = board.ByMember
	return spec
}
