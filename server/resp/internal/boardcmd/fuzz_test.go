package boardcmd

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/server/resp/internal/sessiontest"
)

// words are what the words of requests are made of, beside those of the syntax.
var words = []string{"b", "arena", "all", "day", "ada", "bea", "guild", "wolves", "0", "1", "-1", "5.0", "1e+3", "99999999999999999999", "#1", "2026-11-20", "2026-11-20T12:00:00Z", "1795176000",
	"latest", "closed", "dense", "granted", "ban", "low", "", "\xff\x00", "-", "1,2", "x", "[", "NaN"}

// request makes a request of an operation: mostly as its syntax says, with a word left out, put in or changed now and then.
func (s *syntax) random(rng *rand.Rand) [][]byte {
	pick := func() string { return words[rng.IntN(len(words))] }
	request := []string{s.name}
	for _, p := range s.places {
		switch {
		case p.literal != "":
			request = append(request, p.literal)
		case p.choice != nil:
			request = append(request, p.choice[rng.IntN(len(p.choice))].keyword, pick())
		default:
			request = append(request, pick())
		}
	}
	for _, o := range s.options {
		if rng.IntN(3) > 0 {
			continue
		}
		if request = append(request, o.keyword); !o.flag {
			request = append(request, pick())
		}
	}
	for rng.IntN(8) == 0 && len(request) > 1 {
		i := 1 + rng.IntN(len(request)-1)
		switch rng.IntN(3) {
		case 0:
			request = append(request[:i], request[i+1:]...)
		case 1:
			request[i] = pick()
		default:
			request = append(request, pick())
		}
	}
	a := make([][]byte, len(request))
	for i, word := range request {
		a[i] = []byte(word)
	}
	return a
}

// FuzzCommands sends requests made of the table, to boards of several kinds. Each has one reply, whole and not large, or one error.
func FuzzCommands(f *testing.F) {
	for seed := range 20 {
		f.Add(uint64(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		const most = 100_000
		p, boards := newDesk(t, sessiontest.Options{MaxReply: most})
		rng := rand.New(rand.NewPCG(seed, 1))
		for _, spec := range []board.Spec{{Name: "b", Journal: 100, MaxMeta: 100}, {Name: "arena", Windows: []board.Window{board.All, board.Day}, Top: &board.Top{N: 2, Reserve: 2}},
			{Name: "x", Columns: []board.Column{{Name: "x"}, {Name: "y", Absent: board.AbsentLast}}}} {
			_, err := boards.Define(t.Context(), spec)
			require.NoError(t, err)
		}
		_, err := boards.DefineGroups(t.Context(), "guild")
		require.NoError(t, err)
		var all []*syntax
		for _, op := range ops.All() {
			if op.Command != "" && op != ops.DropBoard.Op {
				all = append(all, newSyntax(op))
			}
		}
		for range 300 {
			a := all[rng.IntN(len(all))].random(rng)
			p.Request(a)
			p.Finish()
			reply := p.Taken()
			require.Less(t, len(reply), most, "%q", a)
			rest, ok := skip(reply)
			require.True(t, ok && rest == "", "%q: %q", a, reply)
		}
	})
}

// skip returns what is behind the first value of a reply in RESP2.
func skip(reply string) (rest string, ok bool) {
	line, rest, ok := strings.Cut(reply, "\r\n")
	if !ok || line == "" {
		return reply, false
	}
	n := 0
	switch kind := line[0]; kind {
	case '+', '-', ':':
		return rest, true
	case '$', '*':
		if _, err := fmt.Sscan(line[1:], &n); err != nil {
			return reply, false
		}
		if kind == '$' && n >= 0 {
			return strings.CutPrefix(rest[min(n, len(rest)):], "\r\n")
		}
		for range n {
			if rest, ok = skip(rest); !ok {
				return reply, false
			}
		}
		return rest, true
	}
	return reply, false
}

// TestOptionsAreEmptied: a request that is used again has none of the options of the one before.
func TestOptionsAreEmptied(t *testing.T) {
	b, rng := &commands{}, rand.New(rand.NewPCG(1, 1))
	for _, op := range ops.All() {
		if op.Command == "" {
			continue
		}
		s := newSyntax(op)
		options := s.options
		for _, p := range s.places {
			options = append(options, p.choice...)
		}
		fresh := b.request(s)
		for range 100 {
			r := b.request(s)
			a := s.random(rng)
			_ = s.read(r, a[1:], func(string) ([]board.Column, error) { return nil, nil })
			s.release(r)
			require.False(t, r.meta || r.dry, "%q", a)
			for _, o := range options {
				if !o.arg.isMeta {
					require.Equal(t, fresh.at[o.arg.at], r.at[o.arg.at], "%s after %q", o.keyword, a)
				}
			}
		}
	}
}
