package traffic

import (
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/redis"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

func TestEverySystemOfEveryCase(t *testing.T) {
	program, err := redis.Find()
	require.NoError(t, err)
	for _, c := range Cases {
		assert.LessOrEqual(t, utf8.RuneCountInString(c.Describe()), 30, c.Describe())
		for _, system := range c.Systems {
			if OfRedis(system) && program == "" {
				continue
			}
			t.Run(c.Name+"/"+system, func(t *testing.T) {
				o := Options{Case: c.Name, System: system, Dir: t.TempDir(), Server: program, N: 1500, Sets: 30, Seed: 1, For: 10 * time.Millisecond}
				s, err := Start(t.Context(), o)
				require.NoError(t, err)
				for range Spots {
					require.NoError(t, s.Turn())
				}
				lines, err := s.End()
				require.NoError(t, err)
				require.Len(t, lines, Spots)
				calls := 0.0
				for line, f := range lines {
					assert.Positive(t, f[figure.Rate], line)
					calls += f[figure.Rate]
				}
				t.Logf("%.0f calls/s on average", calls/float64(Spots))
			})
		}
	}
}

// TestCallsMixReadsAndWrites counts them.
func TestCallsMixReadsAndWrites(t *testing.T) {
	for _, mix := range Mixes {
		c := &counter{}
		l := newLoad(Case{}, 0, 100, 7)
		g := &goroutine{client: c, load: l, id: 3, of: 8}
		for range 2 * l.calls.Len() {
			require.NoError(t, g.next(mix.writes))
		}
		calls := float64(c.reads + c.writes)
		assert.InDelta(t, float64(mix.writes)/100, float64(c.writes)/calls, 0.03, mix.Title)
		assert.Len(t, c.sets, 100)
		assert.Equal(t, 1, g.pass, "the stream is read again")
		assert.InDelta(t, 11, c.score-l.lastWrite(mix.writes), 0.5, "the second time with another score")
		t.Logf("%s: %d reads, %d writes", mix.Title, c.reads, c.writes)
	}
}

// lastWrite returns the score of the last write of the stream, the first time.
func (l *load) lastWrite(writes int) float64 {
	for i := l.calls.Len() - 1; ; i-- {
		if int(l.dice[i]) < writes {
			return l.calls.Score(i)
		}
	}
}

// counter is a client that counts.
type counter struct {
	atOnce
	reads, writes int
	sets          map[int]bool
	score         float64 // of the last write
}

func (c *counter) write(set int, _ workload.Key, score float64) error {
	c.writes++
	c.score = score
	return c.see(set)
}

func (c *counter) read(set int, _ workload.Key) error {
	c.reads++
	return c.see(set)
}

func (c *counter) see(set int) error {
	if c.sets == nil {
		c.sets = map[int]bool{}
	}
	c.sets[set] = true
	return nil
}

func TestWhatThereIsNot(t *testing.T) {
	_, err := Start(t.Context(), Options{Case: "cold"})
	assert.ErrorContains(t, err, `no case "cold"`)
	_, err = Start(t.Context(), Options{Case: "hot/sync", System: "valkey"})
	assert.ErrorContains(t, err, `no system "valkey"`)
}

// TestMembersThatAreNotThereAreSeen has every system answer for a member that nobody put in.
func TestMembersThatAreNotThereAreSeen(t *testing.T) {
	program, err := redis.Find()
	require.NoError(t, err)
	c, err := Named("many/memory")
	require.NoError(t, err)
	for _, system := range c.Systems {
		if OfRedis(system) && program == "" {
			continue
		}
		l := newLoad(c, 0, 3, 1)
		s, err := open(t.Context(), Options{System: system, Server: program, Dir: t.TempDir()}, c, l)
		require.NoError(t, err)
		x, err := s.caller()
		require.NoError(t, err)
		err = x.read(1, l.calls.Key(0))
		if err == nil {
			err = x.answered()
		}
		assert.Error(t, err, system)
		require.NoError(t, s.Close())
	}
}
