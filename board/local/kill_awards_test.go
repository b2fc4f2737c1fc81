package local

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/testclock"
)

// killChild is the environment variable that makes the test program the child process that is killed: it holds the directory and a seed.
const killChild = "ZRANK_TEST_AWARDS_CHILD"

const killMembers = 150 // so that a period takes three transactions

// TestKillAwardsChild is the child: it plays days, and each midnight it settles the day and pays, until it is killed.
func TestKillAwardsChild(t *testing.T) {
	f := strings.Fields(os.Getenv(killChild))
	if len(f) == 0 {
		t.Skip("runs as a child process only")
	}
	seed, err := strconv.ParseUint(f[1], 10, 64)
	require.NoError(t, err)
	k, err := openKilled(f[0])
	require.NoError(t, err)
	fmt.Println("opened")
	failed := make(chan error)
	go func() { failed <- k.submitAll(rand.New(rand.NewPCG(seed, 1))) }()
	go func() { failed <- k.days() }()
	require.NoError(t, <-failed)
}

// killed is a board in a directory, with a clock that goes on after a restart where it was.
type killed struct {
	dir   string
	clock *testclock.Clock
	e     *engine.Engine
	bs    *Boards
	b     board.Board
}

func openKilled(dir string) (k *killed, err error) {
	k = &killed{dir: dir, clock: testclock.New()}
	if text, err := os.ReadFile(filepath.Join(dir, "clock")); err == nil {
		n, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil {
			return nil, err
		}
		k.clock.Set(time.UnixMicro(n))
	}
	if k.e, err = engine.Open(filepath.Join(dir, "db"), engine.Options{Clock: k.clock.Now}); err != nil {
		return nil, err
	}
	if k.bs, err = Open(k.e, Options{}); err == nil {
		k.b, err = k.bs.Define(context.Background(), daily(awards.Plan{Tiers: medals}, 0))
	}
	return k, err
}

// jump moves the clock, and stores it first: it never goes back.
func (k *killed) jump(d time.Duration) error {
	name, next := filepath.Join(k.dir, "clock"), k.clock.Now().Add(d)
	if err := os.WriteFile(name+".new", strconv.AppendInt(nil, next.UnixMicro(), 10), 0o666); err != nil {
		return err
	}
	if err := os.Rename(name+".new", name); err != nil {
		return err
	}
	k.clock.Set(next)
	return nil
}

// submitAll submits without end.
func (k *killed) submitAll(rng *rand.Rand) error {
	for {
		subs := make([]board.Submission, 50)
		for i := range subs {
			subs[i] = board.Submission{Member: fmt.Sprint("m", rng.IntN(killMembers)), Score: board.Ints(int64(rng.IntN(500)))}
		}
		if _, err := k.b.SubmitAll(context.Background(), subs); err != nil && !errors.Is(err, board.ErrPeriodClosed) { // midnight has passed during the call
			return err
		}
	}
}

// days lets days pass without end. One payment in a hundred fails.
func (k *killed) days() error {
	err := k.bs.Deliver(k.b.Name(), "day", Delivery{Grant: func(ctx context.Context, tx *engine.Tx, a awards.Award) error {
		if err := pay(ctx, tx, a); err != nil || rand.IntN(100) > 0 {
			return err
		}
		return errors.New("not now")
	}})
	for err == nil {
		if err = k.jump(24 * time.Hour); err == nil {
			_, err = k.bs.SettleDue(context.Background())
		}
		fmt.Println("settled")
	}
	return err
}

// look opens the directory that the last process has left, lets everything be delivered, and compares the coins of each member with what the rankings of all
// days say. It returns the number of awards.
func (k *killed) look() (awards int, err error) {
	rep, err := CheckDir(context.Background(), filepath.Join(k.dir, "db"), engine.Options{}, nil)
	if errors.Is(err, engine.ErrNotStore) {
		return 0, nil
	}
	if err = problemsError(rep, err); err != nil {
		return 0, err
	}
	k, err = openKilled(k.dir)
	if err != nil {
		return 0, err
	}
	if err = k.jump(48 * time.Hour); err == nil {
		err = k.bs.Deliver(k.b.Name(), "day", Delivery{Grant: pay})
	}
	if err == nil {
		_, err = k.bs.SettleDue(context.Background())
	}
	want := map[string]int{}
	if err == nil {
		awards, err = k.wages(want)
	}
	if err == nil {
		err = (&game{e: k.e}).checkCoins(want)
	}
	return awards, errors.Join(err, k.bs.Close(), k.e.Close())
}

// wages adds what the members get by the rankings of all days.
func (k *killed) wages(want map[string]int) (awards int, err error) {
	ctx := context.Background()
	all, err := k.b.Periods(ctx, "day")
	if err != nil {
		return 0, err
	}
	for _, u := range all {
		r, err := k.b.Period(ctx, "day", u.Period)
		if err != nil {
			return 0, err
		}
		rows, err := r.Top(ctx, killMembers)
		if err != nil {
			return 0, err
		}
		if !u.Closed {
			return 0, fmt.Errorf("%s is not closed", u.Period)
		}
		for i, row := range rows {
			want[row.Member] += []int{100, 50, 50, 1}[min(i, 3)]
			awards++
		}
	}
	return awards, nil
}

// kill starts a process, and kills it some time after it has opened the directory. It returns how many days the process has settled.
func (k *killed) kill(seed uint64, life time.Duration) (days int, err error) {
	c := exec.Command(os.Args[0], "-test.run=^TestKillAwardsChild$")
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d", killChild, k.dir, seed))
	c.Stderr = os.Stderr
	pipe, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return 0, err
	}
	other := ""
	for lines := bufio.NewScanner(pipe); lines.Scan(); {
		switch text := lines.Text(); text {
		case "opened":
			defer time.AfterFunc(life, func() { _ = c.Process.Kill() }).Stop()
		case "settled":
			days++
		default:
			other += text + "\n"
		}
	}
	if err = c.Wait(); c.ProcessState.ExitCode() != -1 {
		return days, fmt.Errorf("child: %w: %s", err, other)
	}
	return days, nil
}

// TestKillAroundMidnight kills a process that plays, settles and pays days. After each kill the coins of each member are exact.
func TestKillAroundMidnight(t *testing.T) {
	kills := matrix.Pick(4, 200)
	rng := rand.New(rand.NewPCG(uint64(kills), 3))
	k, days, awards := &killed{}, 0, 0
	for i := range kills {
		if i%20 == 0 { // a new directory, so that rankings do not become too many
			k.dir = t.TempDir()
		}
		n, err := k.kill(rng.Uint64(), time.Duration(rng.IntN(300))*time.Millisecond)
		require.NoError(t, err)
		days += n
		paid, err := k.look()
		require.NoError(t, err, "kill %d", i)
		awards = max(awards, paid)
	}
	t.Logf("%d kills, %d days settled by processes that were killed, up to %d awards in a directory, all coins exact", kills, days, awards)
}
