package resp

import (
	"errors"
	"io"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
)

// until waits until done returns true. what names the condition in the failure.
func until(t testing.TB, what string, done func() bool) {
	t.Helper()
	for began := time.Now(); !done(); runtime.Gosched() {
		require.Less(t, time.Since(began), 5*time.Minute, what)
	}
}

// script is a part of a transcript.
type script struct {
	title string
	lines []string
}

func readScripts(t *testing.T, file string) (list []script) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if title, begins := strings.CutPrefix(line, "--- "); begins {
			list = append(list, script{title: title})
		} else if line != "" && line[0] != '#' {
			last := &list[len(list)-1]
			last.lines = append(last.lines, line)
		}
	}
	return list
}

// quotedWords splits a line into words. Quoted words may have spaces, or be empty.
func quotedWords(line string) (list []string) {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		end := strings.IndexByte(line+" ", ' ')
		if line[0] == '\'' {
			end = strings.IndexByte(line[1:], '\'') + 2
		}
		list = append(list, strings.Trim(line[:end], "'"))
		line = line[end:]
	}
	return list
}

// actor is a client of a script.
type actor struct {
	*peer
	later []byte // requests that are sent together with the next one
}

// play plays a script and returns the number of replies. A line is an expected reply ("> reply"), or the name of a client and its command.
// The head of testdata/clients-7.0.15.txt explains the signs ~, & and < after the name.
func (s script) play(t *testing.T, p *peer) (replies int) {
	actors := map[string]*actor{}
	var next *actor
	for _, line := range s.lines {
		if want, ok := strings.CutPrefix(line, "> "); ok {
			require.Equal(t, want, next.text(t), "%s, reply %d", s.title, replies)
			replies++
			continue
		}
		client, rest, _ := strings.Cut(line, " ")
		name := strings.TrimRight(client, "~&<")
		if actors[name] == nil {
			actors[name] = &actor{peer: p.another()}
		}
		next = actors[name]
		if rest != "" {
			next.later = append(next.later, encode(quotedWords(rest))...)
		}
		if strings.HasSuffix(client, "~") {
			continue
		}
		waiting := p.s.e.Waiting()
		next.raw(next.later)
		next.later = nil
		if strings.HasSuffix(client, "&") {
			until(t, line, func() bool { return p.s.e.Waiting() == waiting+1 })
		}
	}
	return replies
}

var numbers = regexp.MustCompile(`(\$2\\r\\nid\\r\\n:)\d+`)

// text returns the client's next reply as transcripts have it.
func (a *actor) text(t *testing.T) string {
	require.NoError(t, a.conn.SetReadDeadline(time.Now().Add(30*time.Second)))
	reply, err := readReply(a.in)
	if errors.Is(err, io.EOF) {
		return "EOF"
	}
	require.NoError(t, err)
	text := numbers.ReplaceAllString(strconv.Quote(reply), "${1}N")
	return strings.ReplaceAll(text, `$5\r\n`+command.RedisVersion, `$6\r\n7.0.15`)
}

// TestTranscripts plays transcripts of a real Redis with several clients, and expects its replies.
func TestTranscripts(t *testing.T) {
	replies := 0
	for _, s := range readScripts(t, "testdata/clients-7.0.15.txt") {
		t.Run(s.title, func(t *testing.T) {
			o := Options{Shutdown: func() {}}
			if s.title == "users" {
				o.Users = []User{{Name: "default", Password: "sec"}, {Name: "ro", Password: "rp", Kind: ReadUser}}
			}
			replies += s.play(t, startServer(t, engine.Options{}, o))
		})
	}
	t.Logf("%d replies", replies)
	require.Greater(t, replies, 400)
}
