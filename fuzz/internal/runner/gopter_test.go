package runner

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/commands"
	"github.com/leanovate/gopter/gen"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/engines"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/oracle"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// stateful is a configuration for gopter, with one oracle for all states.
type stateful struct {
	c        machine.Config
	o        machine.Reference
	contents []script.Op    // operations that read the contents
	run      map[string]int // how often each kind of operation began a command
}

// worldState is the oracle's world after a command, with the replies to the command and the contents.
type worldState struct {
	restore func()
	want    []string
}

// command is a block, or an operation between blocks.
type command struct {
	*stateful
	b script.Block
}

// Run runs the block on the machine and reads the contents.
func (c command) Run(m commands.SystemUnderTest) commands.Result {
	c.stateful.run[c.b.Lines()[0].Kind]++
	got := step(c.c, m.(machine.Machine), c.b)
	return append(got, everything(c.c, m.(machine.Machine), c.contents)...)
}

// NextState does the same on the oracle, from the world of the state.
func (c command) NextState(state commands.State) commands.State {
	state.(worldState).restore()
	want := step(c.c, c.o, c.b)
	want = append(want, everything(c.c, c.o, c.contents)...)
	return worldState{last(c.o.Save()), want}
}

// PreCondition refuses removals from empty sets, which would do nothing.
func (c command) PreCondition(state commands.State) bool {
	op := c.b.Lines()[0]
	if !slices.Contains([]string{"rem", "drain", "remrange", "remlex", "popmin", "popmax", "drop", "rename", "copy", "expire", "persist"}, op.Kind) {
		return true
	}
	state.(worldState).restore()
	return single(c.c, c.o, script.Block{Ops: []script.Op{{Kind: "len", Key: op.Key}}}) != "0"
}

// PostCondition compares the replies.
func (c command) PostCondition(state commands.State, result commands.Result) *gopter.PropResult {
	got, want := result.([]string), state.(worldState).want
	if slices.Equal(got, want) {
		return &gopter.PropResult{Status: gopter.PropTrue}
	}
	return &gopter.PropResult{Status: gopter.PropFalse, Labels: []string{fmt.Sprintf("%v\n got %q\nwant %q", c, got, want)}}
}

// String returns the block as lines of a script.
func (c command) String() string { return strings.TrimSpace(script.Print(c.b.Lines())) }

func last[T any](list []T) T { return list[len(list)-1] }

// genCommand draws a transaction of up to five operations one time in four, and otherwise an operation alone.
func (s *stateful) genCommand() gopter.Gen {
	return gen.SliceOfN(60, gen.UInt8()).Map(func(data []uint8) commands.Command {
		end := []string{"commit", "commit", "rollback", "panic"}[data[1]%4]
		ops := slices.DeleteFunc(s.c.Decode(data[2:], 6), func(op script.Op) bool {
			return op.Is(script.Ends) || op.Kind == "begin" || op.Kind == "plant" || op.Kind == "sleep"
		})
		switch {
		case len(ops) == 0:
			return command{s, script.Block{Ops: []script.Op{{Kind: "keys"}}}}
		case data[0]%4 > 0:
			return command{s, script.Block{Ops: ops[:1]}}
		}
		return command{s, script.Block{Ops: ops, End: end}}
	})
}

// property states that a configuration replies what its oracle replies. The configuration must lose nothing.
func (s *stateful) property() gopter.Prop {
	var ops []script.Op
	for _, key := range script.SetKeys {
		ops = append(ops, script.Op{Kind: "len", Key: key})
	}
	s.o, s.contents, s.run = oracle.New(), contents(s.c, ops), map[string]int{}
	first := worldState{restore: last(s.o.Save())}
	return commands.Prop(&commands.ProtoCommands{
		NewSystemUnderTestFunc: func(commands.State) commands.SystemUnderTest {
			m, err := s.c.Open()
			if err != nil {
				panic(err)
			}
			return m
		},
		DestroySystemUnderTestFunc: func(m commands.SystemUnderTest) {
			if err := m.(machine.Machine).Close(); err != nil {
				panic(err)
			}
		},
		InitialStateGen: gen.Const(first),
		GenCommandFunc:  func(commands.State) gopter.Gen { return s.genCommand() },
	})
}

// TestMachine lets gopter choose transactions and operations between them, also kills and power cuts at Sync. Gopter shrinks lists of
// commands that fail. TestMachine of zset does the same for one sorted set.
func TestMachine(t *testing.T) {
	parameters := gopter.DefaultTestParameters()
	parameters.MinSuccessfulTests, parameters.MaxSize = 12, 60
	t.Logf("seed %d", parameters.Seed())
	properties := gopter.NewProperties(parameters)
	for _, s := range []*stateful{
		{c: engines.Memory()},
		{c: engines.Config("sync", engine.Options{SnapshotBytes: 1 << 10}, true, 0)},
	} {
		properties.Property(s.c.Name+" answers as the oracle", s.property())
		defer func() { t.Logf("%s: %v", s.c.Name, s.run) }()
	}
	properties.TestingRun(t)
}

// keeping is a machine with a bug: it commits transactions that it should roll back.
type keeping struct{ machine.Machine }

func (k keeping) Run(b script.Block) ([]string, error) {
	if b.RolledBack() {
		b.End = "commit"
	}
	return k.Machine.Run(b)
}

// TestMachineFinds expects gopter to find a transaction that is not rolled back, and to shrink the commands to little more than that.
func TestMachineFinds(t *testing.T) {
	c := engines.Memory()
	open := c.Open
	c.Open = func() (machine.Machine, error) {
		m, err := open()
		return keeping{m}, err
	}
	parameters := gopter.DefaultTestParameters()
	result := (&stateful{c: c}).property().Check(parameters)
	require.Equal(t, gopter.TestFailed, result.Status)
	t.Logf("seed %d, after %d tests: %v", parameters.Seed(), result.Succeeded, result.Args)
	require.LessOrEqual(t, strings.Count(fmt.Sprint(result.Args), "begin"), 2)
}
