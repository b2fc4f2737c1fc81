package main

import (
	"fmt"
	_ "time/tzdata" // boards have zones, and not every machine has them
)

const (
	exitFailed = 1
	exitUsage  = 2
)

// usageError is a mistake in how the command was called.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }
