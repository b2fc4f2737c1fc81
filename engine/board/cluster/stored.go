package cluster

import (
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/engine/board/internal/specs"
)

// storedBoard is a board in the catalog: its id, the number of its partitions and its spec.
type storedBoard struct {
	id         string
	partitions int
	spec       specs.Spec
}

func (s *storedBoard) encode() (string, error) {
	text, err := specs.Encode(s.spec, 1)
	return fmt.Sprintf("%s %d %s", s.id, s.partitions, text), err
}

func decodeBoard(name, stored string) (s storedBoard, err error) {
	id, rest, _ := strings.Cut(stored, " ")
	number, text, _ := strings.Cut(rest, " ")
	s.id = id
	if _, err := fmt.Sscan(number, &s.partitions); err != nil || s.partitions < 1 || s.partitions > MaxPartitions {
		return s, fmt.Errorf("%w: board %q has %q partitions", ErrCorrupt, name, number)
	}
	s.spec, _, err = specs.Decode([]byte(text))
	return s, err
}
