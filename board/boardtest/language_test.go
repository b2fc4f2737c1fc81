package boardtest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// TestExample: the example in the package's doc is the file example.txt, which TestScenarios plays.
func TestExample(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	example, err := fs.ReadFile(Files(), "example.txt")
	require.NoError(t, err)
	want := "//\t" + strings.ReplaceAll(strings.TrimSpace(string(example)), "\n", "\n//\t") + "\n//\n"
	require.Contains(t, string(doc), want)
}

// TestDocHasEveryCommand: the package's doc mentions every command of the table.
func TestDocHasEveryCommand(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	for name := range commands {
		require.Regexp(t, `(?m)^//\t.*\b`+name+`\b`, string(doc), name)
	}
}

// TestEveryCommandIsPlayed: every command of the language is used in a scenario, and every file has a title that no other has.
func TestEveryCommandIsPlayed(t *testing.T) {
	played, titles := map[*command]int{}, map[string]string{}
	names, err := fs.Glob(Files(), "*.txt")
	require.NoError(t, err)
	for _, name := range names {
		text, err := fs.ReadFile(Files(), name)
		require.NoError(t, err)
		s, err := Parse(name, string(text))
		require.NoError(t, err)
		require.Greater(t, len(s.Title), 40, name)
		require.Empty(t, titles[s.Title], "%s and %s", name, titles[s.Title])
		titles[s.Title] = name
		for _, l := range s.lines {
			played[l.command]++
		}
	}
	for name, c := range commands {
		require.Positive(t, played[c], name)
	}
	t.Logf("%d scenarios, %d commands in the language", len(names), len(commands))
}

const opening = "# for a test\nnow 2026-11-20 12:00 UTC\nboard b op=sum windows=all,day\n"

// TestParseErrors: the error of Parse names the file and the line of every line that cannot be parsed.
func TestParseErrors(t *testing.T) {
	for _, row := range [][2]string{
		{"jump 2026-11-20 12:00 UTC", `unknown command "jump"`},
		{"submit ada 5 ago=1h", "submit: unknown option ago="},
		{"submit ada 5 at=yesterday", "time is"},
		{"submit ada 5 at=1h", "time is"},
		{"submit ada 5 if=never", "want new, ranked or better"},
		{"submit ada x", "score"},
		{"submit", "the member is missing"},
		{`submit "ada 5`, "does not end"},
		{`submit "ada"5`, "blank is missing"},
		{"submit ada 5 ->", "no answer stands"},
		{"submit ada 5 near=one", "near is"},
		{"batch ada 5; bea 5 x=1", "unknown option x="},
		{"now", "time is missing"},
		{"now 2027-03-28 02:30 Europe/Berlin", "never show"},
		{"now 2026-10-25 02:30 Europe/Berlin", "twice"},
		{"now 2027-04-04 01:45 Australia/Lord_Howe", "twice"},
		{"now 2026-11-20 12:00 Mars/Olympus", "Mars/Olympus"},
		{"now Montag 00:00 UTC", "want one like"},
		{"now Monday 25:00 UTC", "want one like Monday"},
		{"now 2026-11-20 UTC", "time is"},
		{"board b windows=fortnight", "kind is"},
		{"board b columns=a:up", "unknown word"},
		{"board b colums=a", "unknown option"},
		{"board b seasons=s,a:2026-01-01..never", "time is"},
		{"top all", "want an answer"},
		{"top all 10 -> nobody", `unknown word "10"`},
		{"top all mode=sparse -> nobody", "sparse"},
		{"top all:first -> nobody", "ranking is"},
		{"places all one 2 -> nobody", "the first place is"},
		{"atpercentile all many -> nobody", "percentage is"},
	} {
		_, err := Parse("x.txt", opening+row[0]+"\n")
		require.ErrorContains(t, err, "x.txt:4: ", row[0])
		require.ErrorContains(t, err, row[1], row[0])
	}
	_, err := Parse("x.txt", opening+"jump\n\n# words\nsubmit ada\n  near=x\n")
	require.ErrorContains(t, err, "x.txt:4: ")
	require.ErrorContains(t, err, "x.txt:7: ")
	for text, want := range map[string]string{"": "x.txt:1: want a comment", "now +1h": "x.txt:1: want a comment", "# only": "no commands"} {
		_, err := Parse("x.txt", text)
		require.ErrorContains(t, err, want)
	}
}

// TestPlayErrors: a wrong answer is reported with the wanted one, and the scenario goes on. A command that fails without an answer stops it.
func TestPlayErrors(t *testing.T) {
	for _, row := range []struct{ lines, want string }{
		{"submit ada 5 -> 2 of 2", "x.txt:4: submit ada 5\n\twant -> 2 of 2\n\tgot  -> all: 1 of 1 with 5, new"},
		{"top all -> nobody\ntop day -> somebody", "x.txt:5: top day"},
		{"top all -> somebody\ntop day -> somebody", "x.txt:4: top all\n\twant -> somebody\n\tgot  -> nobody\nx.txt:5: "},
		{"submit ada 5.5\ntop day -> somebody", "scenario stops here: submit ada 5.5"},
		{"submit ada 5.5 -> error ErrBounds", "got  -> error ErrKind column score: 5.5"},
		{"submit ada 5.5 -> error ErrKind column score: 5.5 with grace", `the error has no "grace"`},
		{"top pin:x -> nobody", `nothing is pinned as "x"`},
		{"top hour -> nobody", "got  -> error ErrNoWindow"},
	} {
		s, err := Parse("x.txt", opening+row.lines)
		require.NoError(t, err)
		_, err = s.Play(memory)
		require.ErrorContains(t, err, row.want, row.lines)
		require.Equal(t, strings.Contains(row.want, "stops"), strings.Contains(err.Error(), "stops") && !strings.Contains(row.lines, "pin:"))
	}
	s, err := Parse("x.txt", "# no board\ntop all -> nobody")
	require.NoError(t, err)
	_, err = s.Play(memory)
	require.ErrorContains(t, err, "there is no board yet")
}

// liar is a defective backend: its boards return an error for a submission that they have accepted, and its Views show ranks of another mode.
type liar struct{ Backend }

func (l liar) Board(ctx context.Context, name string) (board.Board, error) {
	b, err := l.Backend.Board(ctx, name)
	return liarBoard{b}, err
}

type liarBoard struct{ board.Board }

func (b liarBoard) Submit(ctx context.Context, sub board.Submission) (board.Change, error) {
	c, err := b.Board.Submit(ctx, sub)
	return c, errors.Join(err, board.ErrMember)
}

func (b liarBoard) Live(ctx context.Context, window string) (board.Ranking, error) {
	r, err := b.Board.Live(ctx, window)
	return liarRanking{r}, err
}

type liarRanking struct{ board.Ranking }

func (r liarRanking) By(mode board.Mode) board.Ranking { return liarRanking{r.Ranking.By(mode)} }

func (r liarRanking) View(ctx context.Context, fn func(board.Ranking) error) error {
	return fn(r.Ranking.By(board.Dense))
}

// TestLiars: Play finds the defects of liar, which the answers alone do not show.
func TestLiars(t *testing.T) {
	lie := func(now func() time.Time) (Backend, error) {
		b, err := memory(now)
		return liar{b}, err
	}
	for lines, want := range map[string]string{
		"submit ada 5 -> error ErrMember":                    "was refused, and something has changed",
		"batch ada 5; bea 5\ntop all -> 1 ada 5, 2 bea 5":    "in a View it says 1 ada 5, 1 bea 5, and else 1 ada 5, 2 bea 5",
		"batch ada 5; bea 4\ntop all -> 1 ada 5, 2 bea 4\n#": "",
	} {
		s, err := Parse("x.txt", opening+lines)
		require.NoError(t, err)
		if _, err = s.Play(lie); want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, want)
		}
	}
}

// TestUnsupported: a scenario with a power cut stops with board.ErrUnsupported on boards that are not durable, unless it has failed before.
func TestUnsupported(t *testing.T) {
	s, err := Parse("x.txt", opening+"submit ada 5\nkill\ntop all -> nobody")
	require.NoError(t, err)
	n, err := s.Play(memory)
	require.ErrorIs(t, err, board.ErrUnsupported)
	require.Equal(t, 4, n.Lines)
	s, err = Parse("x.txt", opening+"top all -> ada\nkill\n")
	require.NoError(t, err)
	_, err = s.Play(memory)
	require.NotErrorIs(t, err, board.ErrUnsupported)
	require.ErrorContains(t, err, "want -> ada")
	_, err = s.Play(func(func() time.Time) (Backend, error) { return nil, errors.New("no disk") })
	require.ErrorContains(t, err, "no disk")
	_, err = s.Between("sleep")
	require.ErrorContains(t, err, `unknown command "sleep"`)
}
