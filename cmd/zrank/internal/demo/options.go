package demo

import (
	"io"

	"github.com/zrankdb/zrank/cmd/zrank/internal/season"
)

// demo plays a season, shows it, and compares all ranks after it has reopened the directory.
type demo struct {
	dir    string
	config season.Config
	out    io.Writer
	errs   io.Writer
	me     string // the player in the middle of the arena
}
