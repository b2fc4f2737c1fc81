package zset

import (
	"fmt"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/commands"
	"github.com/leanovate/gopter/gen"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/matrix"
)

// command is a step for gopter, which removes steps from a failing list as long as it still fails. The state between steps is in the
// pair.
type command[S Score] struct{ step }

// Run does the step and compares everything.
func (c command[S]) Run(sut commands.SystemUnderTest) commands.Result {
	p := sut.(*pair[S])
	if err := p.apply(c.step); err != nil {
		return err
	}
	return p.compare()
}

// NextState keeps no state.
func (c command[S]) NextState(state commands.State) commands.State { return state }

// PreCondition lets every step follow every other.
func (c command[S]) PreCondition(commands.State) bool { return true }

// PostCondition says that nothing may differ.
func (c command[S]) PostCondition(_ commands.State, result commands.Result) *gopter.PropResult {
	if err, failed := result.(error); failed {
		return &gopter.PropResult{Status: gopter.PropFalse, Labels: []string{err.Error()}}
	}
	return &gopter.PropResult{Status: gopter.PropTrue}
}

// genStep generates steps over a few members, each of whose bytes is as likely as any other.
func genStep[S Score](members uint8) gopter.Gen {
	return gopter.CombineGens(gen.UInt8(), gen.UInt8Range(0, members), gen.UInt8(), gen.UInt8(), gen.UInt8()).Map(
		func(v []any) commands.Command {
			b := func(i int) byte { return v[i].(uint8) }
			return command[S]{step{b(0), b(1), b(2), b(3), b(4)}}
		})
}

// machine is the property that a set equals the oracle after every step.
func machine[S Score](v variant, tieWidth int, members uint8) gopter.Prop {
	return commands.Prop(&commands.ProtoCommands{
		NewSystemUnderTestFunc: func(commands.State) commands.SystemUnderTest { return newPair(freshOf[S](v, tieWidth)) },
		InitialStateGen:        gen.Const(0),
		GenCommandFunc:         func(commands.State) gopter.Gen { return genStep[S](members) },
	})
}

// TestMachine lets gopter choose the steps, and shrink lists of them that fail.
func TestMachine(t *testing.T) {
	parameters := gopter.DefaultTestParametersWithSeed(5)
	parameters.MinSuccessfulTests = matrix.Pick(8, 40)
	if invariants.Enabled {
		parameters.MinSuccessfulTests = 12 // each step takes longer, and its checks find bugs with fewer steps
	}
	parameters.MaxSize = 60
	properties := gopter.NewProperties(parameters)
	for _, v := range allVariants() {
		properties.Property(fmt.Sprintf("%s, float64, equals the oracle", v.name), machine[float64](v, 8, 255))
		properties.Property(fmt.Sprintf("%s, int64, equals the oracle", v.name), machine[int64](v, 0, 30))
	}
	properties.TestingRun(t)
}
