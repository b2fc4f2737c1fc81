package demo

import (
	"io"
	"time"

	"github.com/zrankdb/zrank/cmd/zrank/internal/season"
)

// demo plays a season, shows it, and compares all ranks after it has reopened the directory.
type demo struct {
	dir    string
	config season.Config
	serve  bool          // pages in a browser
	addr   string        // where they are
	lasts  time.Duration // how long the season takes, if it is served
	out    io.Writer
	errs   io.Writer
	me     string // the player in the middle of the arena
}
