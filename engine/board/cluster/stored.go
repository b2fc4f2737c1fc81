package cluster

import (
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/engine/board/internal/specs"
)

// storedBoard is a board in the catalog: the number of its partitions and its spec.
type storedBoard struct {
	partitions int
	spec       specs.Spec
}

func (s *storedBoard) encode() (string, error) {
	text, err := specs.Encode(s.spec, 1)
	return fmt.Sprintf("%d %s", s.partitions, text), err
}

func decodeBoard(name, stored string) (s storedBoard, err error) {
	var text string
	number, text, _ := strings.Cut(stored, " ")
	if _, err := fmt.Sscan(number, &s.partitions); err != nil || s.partitions < 1 || s.partitions > MaxPartitions {
		return s, fmt.Errorf("%w: board %q has %q partitions", ErrCorrupt, name, number)
	}
	s.spec, _, err = specs.Decode([]byte(text))
	return s, err
}
