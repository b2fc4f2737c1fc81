//go:build !linux

package measure

import "time"

var began = time.Now()

// Wall time stands in where the CPU time of one thread cannot be asked for.
func threadTime() time.Duration  { return time.Since(began) }
func processTime() time.Duration { return time.Since(began) }
