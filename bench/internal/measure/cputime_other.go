//go:build !linux

package measure

import "time"

// Wall time stands in where the CPU time of one thread cannot be asked for.
func threadTime() time.Duration  { return wallTime() }
func processTime() time.Duration { return wallTime() }
