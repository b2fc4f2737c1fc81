package engines

import (
	"context"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/zset"
)

// callOn runs an operation that is a call of the engine, outside any transaction.
func callOn(e *engine.Engine, op script.Op) string {
	ctx := context.Background()
	combine := zset.Combine[float64]{Aggregate: aggregateOf(op.How), Weights: []float64{op.Score, op.Step}}
	var n int
	var err error
	switch op.Kind {
	case "union":
		n, err = e.UnionStore(ctx, op.To, combine, op.Key, op.Other)
	case "inter":
		n, err = e.InterStore(ctx, op.To, combine, op.Key, op.Other)
	case "diff":
		n, err = e.DiffStore(ctx, op.To, op.Key, op.Other)
	case "rangestore":
		n, err = e.RangeStore(ctx, op.To, op.Key, func(*zset.View) (lo, hi int) { return op.Lo, op.Hi })
	case "clone":
		n, err = e.Copy(ctx, op.Key, op.Other)
	case "common":
		n, err = e.InterCard(ctx, max(op.Lo, 0), op.Key, op.Other)
	case "delete":
		n, err = e.Delete(ctx, op.Key, op.Other)
	case "renamenx":
		done, err := e.RenameIfAbsent(ctx, op.Key, op.Other)
		return apply.Outcome(done, err)
	case "clear":
		_, err := e.Clear(ctx) // the number may count expired sets
		return apply.Outcome("", err)
	}
	return apply.Outcome(n, err)
}

// aggregateOf reads an aggregate; an unknown word is sum.
func aggregateOf(word string) zset.Aggregate {
	return map[string]zset.Aggregate{"min": zset.Min, "max": zset.Max, "count": zset.Count}[word]
}
