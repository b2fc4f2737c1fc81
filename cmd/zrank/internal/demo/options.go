package demo

import (
	"io"

	"github.com/zrankdb/zrank/cmd/zrank/internal/season"
)

// demo plays a season, shows it, and proves that it is still there after the directory has been opened again.
type demo struct {
	dir    string
	config season.Config
	out    io.Writer
	errs   io.Writer
	me     string // the player in the middle of the arena
}
