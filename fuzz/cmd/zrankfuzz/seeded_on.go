//go:build seeded

package main

import (
	"os"

	"github.com/zrankdb/zrank/internal/seeded"
)

const hasBugs = true

// The bug of this process, and of the engines that it starts.
func init() { seeded.Set(os.Getenv(bugVariable)) }
