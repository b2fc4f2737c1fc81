package cluster

import "fmt"

// counts are the numbers of entries in one window that the ranks of a Move follow from, and the rows that it asks for.
type counts struct {
	before  int // entries before that of the member as it was, without the one that it has now
	after   int // entries before that of the member as it is
	members int

	hasRows         bool // near and overtaken are those of the moment of the commit
	near, overtaken []string
}

// decodeCounts reads what the script of a ranked commit has counted. Error: ErrCorrupt.
func decodeCounts(list []any) ([]counts, error) {
	all := make([]counts, len(list))
	for i, x := range list {
		fields, _ := x.([]any)
		if len(fields) != 5 {
			return nil, fmt.Errorf("%w: a script replied %v", ErrCorrupt, x)
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
		all[i] = counts{before: number(0), after: number(1), members: number(2), hasRows: true, near: texts(3), overtaken: texts(4)}
	}
	return all, nil
}
