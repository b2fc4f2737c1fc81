package peers

import (
	"strings"

	"github.com/zrankdb/zrank/bench/internal/workload"
)

// gomap is a bare Go map: the floor for look-ups and memory, and no order.
type gomap map[string]float64

func newGomap() Board { return gomap{} }

func (m gomap) Insert(k workload.Key, score float64) { m[strings.Clone(k.Name)] = score }

func (m gomap) Remove(k workload.Key) { delete(m, k.Name) }

func (m gomap) Score(k workload.Key) (float64, bool) {
	score, ok := m[k.Name]
	return score, ok
}

func (m gomap) Len() int { return len(m) }
