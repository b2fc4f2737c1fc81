package board

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/zrankdb/zrank/engine/board/rules"
	"github.com/zrankdb/zrank/engine/board/window"
)

type Spec struct {
	Name      string
	Columns   []Column
	Op        Op
	Ties      Ties
	Windows   []Window
	MaxMeta   int
	BestRanks bool
	OnceFor   window.Duration
}

func (s Spec) Validate() error { return nil }
func (s Spec) withDefaults() Spec {
	if len(s.Windows) == 0 {
		s.Windows = []Window{All}
	}
	s = s.clone()
	for i := range s.Windows {
		if s.Windows[i].Name == "" {
			s.Windows[i].Name = string(s.Windows[i].Kind)
		}
	}
	if s.OnceFor == 0 {
		s.OnceFor = window.Duration(24 * time.Hour)
	}
	return s
}
func (s Spec) Differences(o Spec) []string { return nil }
func (s Spec) clone() Spec                 { s.Windows = slices.Clone(s.Windows); return s }

type storedSpec struct {
	Version int
	Spec    Spec
}

func (s Spec) encode(version int) ([]byte, error) { return json.Marshal(storedSpec{version, s}) }
func decodeSpec(b []byte) (Spec, int, error) {
	var x storedSpec
	err := json.Unmarshal(b, &x)
	return x.Spec, x.Version, err
}
func convert(from, to Spec) (func(rules.Entry) (rules.Entry, error), error) {
	a, err := rules.New(from.Columns, from.Op, from.Ties)
	if err != nil {
		return nil, err
	}
	b, err := rules.New(to.Columns, to.Op, to.Ties)
	if err != nil {
		return nil, err
	}
	return rules.Convert(a, b), nil
}
