package main

import (
	"fmt"
)

const (
	exitFailed = 1
	exitUsage  = 2
)

// usageError is a mistake in how the command was called.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }
