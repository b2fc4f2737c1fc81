package rdbfile

import (
	"errors"
	"fmt"
	"io"

	"github.com/zrankdb/zrank/rdb"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
)

// AnyDatabase is every database of a file.
const AnyDatabase = keyspace.AnyDatabase

// ImportOptions say what is imported. The zero value imports database 0; DB: AnyDatabase imports all.
type ImportOptions struct {
	// Match is a pattern of keys, as of the command KEYS; "": all.
	Match string
	// DB is the database whose keys are imported, to the same one; AnyDatabase: all.
	DB int
	// Replace replaces values that keys have. Otherwise these stay, and are counted.
	Replace bool
	// DryRun stores nothing.
	DryRun bool
	// Resume is a name of the file, the same for each call with it. If it is not "", the engine keeps under it how far the import has come, and a later call goes on there. Other
	// options than those of the earlier call make it another import.
	Resume string
	// AnyVersion reads files of later versions than are known: see rdb.ReadOptions.
	AnyVersion bool
	// Take is offered each sorted set that Match and DB choose and that has not expired, before anything else is done with it. If it returns true, it has read the set, and the key is
	// counted as taken. The key is valid during the call.
	Take func(key *rdb.Key) (taken bool, err error)
	// Behind gets what stands behind the end of the file, from an offset on, when its keys are stored: the commands of an append-only file that begins with one. nil: it
	// is not read.
	Behind func(offset int64, r io.Reader) error
	// Progress is called now and then with what has been done so far. It must not keep the report.
	Progress func(*ImportReport)
}

// Validate names every problem.
func (o ImportOptions) Validate() error {
	if o.DB != AnyDatabase && (o.DB < 0 || o.DB >= keyspace.MaxDatabases) {
		return fmt.Errorf("rdbfile: DB is %d, want AnyDatabase or 0 to %d", o.DB, keyspace.MaxDatabases-1)
	}
	return nil
}

// ErrTwice is returned for a value with a member that comes twice.
var ErrTwice = errors.New("rdbfile: a member comes twice")
