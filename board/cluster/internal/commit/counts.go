package commit

import (
	"fmt"

	"github.com/zrankdb/zrank/board/cluster/internal/layout"
)

// Counts are the numbers of entries in one window that the ranks of a Move follow from, and the rows that it asks for.
type Counts struct {
	Before  int // entries before that of the member as it was, without the one that it has now
	After   int // entries before that of the member as it is
	Members int

	HasRows         bool     // Near and Overtaken are those of the moment of the commit
	Near, Overtaken []string // texts
}

// decodeCounts reads what the script of a ranked commit has counted. Error: layout.ErrCorrupt.
func decodeCounts(list []any) ([]Counts, error) {
	all := make([]Counts, len(list))
	for i, x := range list {
		fields, _ := x.([]any)
		if len(fields) != 5 {
			return nil, fmt.Errorf("%w: a script replied %v", layout.ErrCorrupt, x)
		}
		number := func(j int) int {
			n, _ := fields[j].(int64)
			return int(n)
		}
		texts := func(j int) (texts []string) {
			list, _ := fields[j].([]any)
			for _, x := range list {
				text, _ := x.(string)
				texts = append(texts, text)
			}
			return texts
		}
		all[i] = Counts{Before: number(0), After: number(1), Members: number(2), HasRows: true, Near: texts(3), Overtaken: texts(4)}
	}
	return all, nil
}
