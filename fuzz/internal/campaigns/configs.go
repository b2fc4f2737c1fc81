package campaigns

import (
	"slices"

	"github.com/zrankdb/zrank/fuzz/internal/engines"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/servers"
	"github.com/zrankdb/zrank/fuzz/internal/structures"
)

// All returns all configurations but those of Processes.
func All() []machine.Config {
	return slices.Concat(structures.Lists(), structures.Sets(), engines.Volatile(), engines.Durable(), engines.Boards(), servers.Configs())
}
