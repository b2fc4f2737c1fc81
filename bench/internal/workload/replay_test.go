package workload

import (
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// written writes a file, compressed if its name says so.
func written(t *testing.T, name, text string) string {
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	require.NoError(t, err)
	defer f.Close()
	if strings.HasSuffix(name, ".gz") {
		z := gzip.NewWriter(f)
		_, err = z.Write([]byte(text))
		require.NoError(t, err)
		require.NoError(t, z.Close())
	} else {
		_, err = f.WriteString(text)
		require.NoError(t, err)
	}
	return path
}

// lines are events: each of 150 members gets 1, on two boards, and then the even ones get 5 more.
func lines(header string) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for i := range 150 {
		fmt.Fprintf(&b, "2026-11-22T00:00:00Z,b%d,\"team, %03d\",1\n", i%2, i)
	}
	for i := 0; i < 150; i += 2 {
		fmt.Fprintf(&b, "2026-11-22T00:00:00Z,b0,\"team, %03d\",5\n", i)
	}
	return b.String()
}

func TestAReplayIsTheFileInItsOrder(t *testing.T) {
	for _, c := range []struct {
		name, header, query string
		adds                bool
	}{
		{"plain.csv", "time,board,member,delta", "", true},
		{"scores.csv", "time,board,member,score", "", false},
		{"packed.csv.gz", "time,board,member,delta", "", true},
		{"bom.csv", "\ufefftime,board,member,score", "", false},
		{"other.csv", "when,league,team,points", "?delta=points&member=team&board=league", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := Find(written(t, c.name, lines(c.header)) + c.query)
			require.NoError(t, err)
			assert.Equal(t, 150, w.N)
			assert.Equal(t, 9, w.MemberBytes)
			assert.Contains(t, w.What, "replay of "+c.name+": 225 events of 150 members on 2 boards")

			l := w.Draw(7, 400, 1)
			assert.Equal(t, l, w.Draw(7, 400, 1))
			assert.Equal(t, 2, l.Boards)
			assert.Equal(t, c.adds, l.Events.Adds)
			require.Equal(t, 225, l.Events.Len())
			final := map[string]float64{}
			for i := range l.Events.Len() {
				k := l.Events.Key(i)
				assert.Equal(t, i < 150, l.Events.Fresh[i])
				if i >= 150 {
					assert.Equal(t, fmt.Sprintf("team, %03d", (i-150)*2), k.Name)
				}
				if !c.adds {
					final[k.Name] = 0
				}
				final[k.Name] += l.Events.Score(i)
			}
			require.Equal(t, 150, l.Build.Len())
			for i := range 150 {
				k := l.Build.Key(i)
				assert.Equal(t, fmt.Sprintf("team, %03d", i), k.Name)
				assert.Equal(t, k.Name, string(k.Raw))
				assert.Equal(t, i%2, l.Build.Board(i))
				assert.Equal(t, final[k.Name], l.Build.Score(i))
			}
			for _, p := range l.Pages {
				assert.Equal(t, Page{Board: p.Board, Hi: 75}, p)
			}
			assert.InDelta(t, 2.0/3, evenShare(&l.Lookup), 0.1, "members come as often as in the file")
		})
	}
}

// evenShare is that of the members on the first board.
func evenShare(s *Stream) float64 {
	n := 0
	for i := range s.Len() {
		n += 1 - s.Board(i)
	}
	return float64(n) / float64(s.Len())
}

func TestFilesThatCannotBeReplayed(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "it is empty; the first line names the columns",
		"time,board\n":                    `it has no column "member"; there are time, board`,
		"member,points\n":                 `it has no column "delta" or "score"; there are member, points`,
		"member,delta,score\n":            `it has both a column "delta" and a column "score"`,
		"member,delta\n":                  "it has no events",
		"member,delta\nann,1\nbob,2\n":    "it has 2 members; 100 or more are needed",
		"member,delta\nann,1\nbob,many\n": `line 3: the delta "many" is not a finite number`,
		"member,score\nann,1\n\n\"b\nob\",1\nc,\n": `line 6: the score "" is not a finite number`,
		"member,score\nann,NaN\n":                  `line 2: the score "NaN" is not a finite number`,
		"member,score\nann,-inf\n":                 `line 2: the score "-inf" is not a finite number`,
		"member,score\n,1\n":                       "line 2: the member is empty",
		"member,score\nann,1,2\n":                  "record on line 2: wrong number of fields",
		"member,score\na\"n,1\n":                   `line 2, column 2: bare "`,
		"member,delta\nann,1e308\nann,1e308\n":     `line 3: the score of "ann" grows beyond every number`,
	} {
		path := written(t, "events.csv", text)
		_, err := Find(path)
		require.ErrorContains(t, err, want)
		assert.ErrorContains(t, err, "workload "+path+": ")
		assert.Equal(t, 1, strings.Count(err.Error(), path), err)
	}
	good := written(t, "good.csv", lines("time,board,member,delta"))
	for query, want := range map[string]string{
		"?dleta=x":     `column "dleta" is none of member, board, delta, score`,
		"?delta=goals": `it has no column "goals"; there are time, board, member, delta`,
		"?%zz":         "invalid URL escape",
	} {
		_, err := Find(good + query)
		assert.ErrorContains(t, err, want)
	}
	_, err := Find(filepath.Join(t.TempDir(), "none.csv"))
	assert.ErrorIs(t, err, os.ErrNotExist)
	_, err = Find(written(t, "bad.csv", lines("time,board,member,delta")) + ".gz")
	assert.ErrorIs(t, err, os.ErrNotExist)
	bad := written(t, "bad.csv", "this is no gzip, and long enough")
	require.NoError(t, os.Rename(bad, bad+".gz"))
	_, err = Find(bad + ".gz")
	assert.ErrorIs(t, err, gzip.ErrHeader)
	assert.ErrorContains(t, err, "bad.csv.gz: decompress: ")
}
