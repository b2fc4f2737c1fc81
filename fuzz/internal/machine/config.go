package machine

import "github.com/zrankdb/zrank/fuzz/internal/script"

// Config is a configuration: which layer a script runs on, how it is set up, and what the runner does to it in between.
type Config struct {
	Name  string
	Layer string // the topmost one: "listpack", "skiplist", "zset", "engine", "board" or "resp"
	Rates []Rate
	Light bool // without a disk: a script takes a small part of the time that it takes with one

	Open   func() (Machine, error)
	Oracle func() Reference     // nil: newOracle
	Has    func(script.Op) bool // what the layer has: F6; nil: everything
}

// Rate puts an operation in after every so many blocks.
type Rate struct {
	Op    script.Op
	Every int
}

// Can reports whether the configuration runs an operation, or skips it.
func (c Config) Can(op script.Op) bool {
	return (c.Layer == "board" || !op.Is(script.OnBoard)) && (c.Has == nil || c.Has(op))
}

// Rates reads pairs of an operation and how often it is put in: "cut 50", 7, "reopen", 20.
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
