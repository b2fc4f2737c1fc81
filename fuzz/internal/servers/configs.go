package servers

import (
	"slices"
	"strings"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/engines"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/oracle"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// respHas reports whether the protocol has an operation: F6. It has no ties, no private keys, no rollback, and no copy of a key to itself.
func respHas(op script.Op) bool {
	switch op.Kind {
	case "addt", "rollback", "panic", "open", "stat", "expect", "absent":
		return false
	case "copy", "clone":
		if op.Key == op.Other {
			return false
		}
	}
	return !op.Is(script.Private) && !slices.ContainsFunc(op.Keys(), func(key string) bool { return strings.HasPrefix(key, "t") })
}

// Configs returns configurations of servers, in both versions of the protocol. Those with a disk get one command for each operation:
// a pipeline may make several commits, of which a power cut may leave some.
func Configs() []machine.Config {
	of := func(name string, o engine.Options, stored bool, protocol int, pipeline bool, pairs ...any) machine.Config {
		return machine.Config{Name: "resp/" + name, Layer: "resp", Rates: machine.Rates(pairs...), Light: !stored, Has: respHas, Oracle: oracle.NewResp, Open: func() (machine.Machine, error) {
			return newResp(engines.New(o, stored, 0), protocol, pipeline)
		}}
	}
	none := engine.Options{Durability: engine.None, SnapshotBytes: -1}
	return []machine.Config{
		of("memory,RESP2", engine.Options{}, false, 2, false),
		of("memory,RESP3,pipeline", engine.Options{}, false, 3, true),
		of("sync,RESP3,kill=20", engine.Options{SnapshotBytes: 1 << 10}, true, 3, false, "kill", 20, "reopen", 33, "snapshot", 9),
		of("none,RESP2,cut=25", none, true, 2, false, "cut 50", 25, "flush", 8, "snapshot", 31),
	}
}
