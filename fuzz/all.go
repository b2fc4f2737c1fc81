package fuzz

import (
	"slices"
)

// All are all configurations.
func All() []Config {
	return slices.Concat(Structures(), Sets(), Volatile(), Durable(), Boards(), Servers())
}
