package machine

import "github.com/zrankdb/zrank/fuzz/internal/script"

// Config is a configuration: the layer that a script runs on, its options, and the operations that the runner adds between blocks.
type Config struct {
	Name  string
	Layer string // the topmost layer: "listpack", "skiplist", "zset", "engine", "board" or "resp"
	Rates []Rate
	Light bool // no disk: scripts run many times faster than with one

	Open   func() (Machine, error)
	Oracle func() Reference     // nil: the oracle for engines
	Has    func(script.Op) bool // whether the layer has an operation: F6; nil: it has all
}

// Rate is an operation that the runner adds after each run of Every blocks.
type Rate struct {
	Op    script.Op
	Every int
}

// Can reports whether the configuration runs an operation; otherwise it skips it: F6.
func (c Config) Can(op script.Op) bool {
	return (c.Layer == "board" || !op.Is(script.OnBoard)) && (c.Has == nil || c.Has(op))
}

// Rates reads pairs of an operation and a number of blocks: "cut 50", 7, "reopen", 20.
func Rates(pairs ...any) (list []Rate) {
	for i := 0; i < len(pairs); i += 2 {
		op, err := script.ParseOp(pairs[i].(string))
		if err != nil {
			panic(err)
		}
		list = append(list, Rate{op, pairs[i+1].(int)})
	}
	return list
}

// Generate makes a script of n operations from a seed, of the kinds that the layer has.
func (c Config) Generate(seed uint64, n int) []script.Op { return script.Generate(c.Layer, seed, n) }

// Decode makes a script of at most n operations from any bytes, of the kinds that the layer has.
func (c Config) Decode(data []byte, n int) []script.Op { return script.Decode(c.Layer, data, n) }
