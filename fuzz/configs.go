package fuzz

import (
	"slices"

	"github.com/zrankdb/zrank/fuzz/internal/engines"
	"github.com/zrankdb/zrank/fuzz/internal/servers"
	"github.com/zrankdb/zrank/fuzz/internal/structures"
)

// All are all configurations.
func All() []Config {
	return slices.Concat(structures.Lists(), structures.Sets(), engines.Volatile(), engines.Durable(), engines.Boards(), servers.Configs())
}
