package journal

import (
	"fmt"

	"github.com/zrankdb/zrank/zset"
)

// Check checks J1 and the stored form of all rows, and returns what is wrong with the first bad one, "" if there is none. O(bytes).
func Check(v *zset.IntView) string {
	last := int64(0)
	var r Row
	for x := range v.Entries(0, v.Len()) {
		switch {
		case x.Score <= last:
			return fmt.Sprintf("row %d comes after row %d", x.Score, last)
		case !r.decode(x.Member):
			return fmt.Sprintf("row %d cannot be read", x.Score)
		case r.Number != uint64(x.Score):
			return fmt.Sprintf("row %d has the number %d", x.Score, r.Number)
		}
		last = x.Score
	}
	return ""
}
