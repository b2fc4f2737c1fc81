package rdbfile

import (
	"context"
	"errors"
	"time"

	"github.com/zrankdb/zrank/internal/glob"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/zset"
)

// importer is an import under way.
type importer struct {
	ctx    context.Context
	space  *keyspace.Space
	o      ImportOptions
	match  func(string) bool
	report *ImportReport
	seen   int64 // keys that have been read, counted or put into the batch
	done   bool  // the whole file has been imported

	batch  []value // small values that wait for their transaction
	weight int     // about their bytes
}

// value is the value of a key that is to be stored.
type value struct {
	db      int
	key     []byte
	name    string // the engine's key
	kind    string
	expires time.Time
	plain   keyspace.Plain
	set     *zset.Set // a sorted set
	members int
}

// bigBytes is the memory from which on a sorted set is stored by itself, and not in a batch.
const bigBytes = 256 << 10

func newImporter(ctx context.Context, space *keyspace.Space, o ImportOptions) *importer {
	if o.Match == "" {
		o.Match = "*"
	}
	return &importer{ctx: ctx, space: space, o: o, match: glob.Compile(o.Match), report: newReport()}
}

// errStoring is an error of the engine, and not of the file.
var errStoring = errors.New("rdbfile: storing")

// outcome is what has become of a value.
type outcome struct {
	stored, existing bool
	refused          string
}
