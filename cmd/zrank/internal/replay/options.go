package replay

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/specs"
	"github.com/zrankdb/zrank/engine"
)

// replayFlags has the flags of "zrank replay".
type replayFlags struct {
	dir, format, ranks, durability, stdinName string

	specs        specs.Flags
	reading      readingFlags
	top, batch   int
	memoryLimit  flags.ByteSize
	skipBad      bool
	resumeEdited bool

	engine engine.Options // set by parse
	mode   board.Mode
	shown  show.Format
}
