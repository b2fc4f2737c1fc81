package resp

import "github.com/zrankdb/zrank/engine"

// readInts returns a set with int64 scores, of a board or of the program, as clients read it.
func (t *txn) readInts(name string, stat engine.Stat) (sorted, error) {
	return nil, errReadOnly
}
