package zset_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/resptest"
	"github.com/zrankdb/zrank/zset"
)

// recordings are files with Redis's replies, one per line: a command, "=>", the reply.
var recordings = []struct {
	file  string
	later bool // than Redis 7.0
}{
	{"redis-probe-7.0.15.txt", false},
	{"redis-edges-7.0.15.txt", false},
	{"redis-members-7.0.15.txt", false},
	{"redis-7.2.txt", true},
}

// setups are the options of the sets with which all recordings are run.
var setups = []struct {
	name     string
	fixed    bool // CONFIG SET is not obeyed: the options are these all the way
	options  zset.Options
	encoding string // the reply of OBJECT ENCODING under these options; "" means the recorded one, "any" accepts all
}{
	{"as recorded", false, zset.Options{}, ""},
	{"skiplist", true, zset.Options{MaxListpackEntries: -1}, "skiplist"},
	{"listpack", true, zset.Options{MaxListpackMember: 1 << 10}, "listpack"},
	{"moving at 2", true, zset.Options{MaxListpackEntries: 2}, "any"},
}

// TestRedisRecordings runs the commands of each recording and compares the replies with Redis's. Every difference must occur in some row,
// and every command must be answered without an error at least once.
func TestRedisRecordings(t *testing.T) {
	const seed = 7
	used, answered := map[string]bool{}, map[string]bool{}
	ran := 0
	for _, recording := range recordings {
		rows := readRows(t, recording.file)
		for _, setup := range setups {
			t.Run(recording.file+"/"+setup.name, func(t *testing.T) {
				ran++
				s := newServer(setup.options, seed)
				s.fixed, s.later = setup.fixed, recording.later
				s.answered = answered
				for _, r := range rows {
					if got, ok := r.play(s, setup.encoding, used); !ok {
						t.Errorf("testdata/%s:%d: %s => %s, want %s", recording.file, r.line, r.command, got, r.want)
					}
				}
			})
		}
	}
	if ran < len(recordings)*len(setups) {
		return // -run asked for some of them
	}
	for _, d := range differences {
		require.True(t, used[d.command], "no row has the difference in %s: %s", d.command, d.why)
	}
	for name := range newServer(zset.Options{}, seed).commands {
		require.True(t, answered[name], "no row has %s do anything", name)
	}
}

// TestRedisRecordingIsWhole compares the recording with its original, if that exists on this machine.
func TestRedisRecordingIsWhole(t *testing.T) {
	original, err := os.ReadFile("../../shared/reference/redis-probe-7.0.15.txt")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("../shared is not beside this repository")
	}
	require.NoError(t, err)
	mine, err := os.ReadFile("testdata/redis-probe-7.0.15.txt")
	require.NoError(t, err)
	require.True(t, bytes.Equal(original, mine), "copy it again")
}

// row is one line of a recording.
type row struct {
	line    int
	command string
	want    reply
}

func readRows(t *testing.T, file string) (rows []row) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	require.NoError(t, err)
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		command, want, ok := strings.Cut(line, " => ")
		require.True(t, ok, "%s:%d has no reply", file, n)
		rows = append(rows, row{n, strings.TrimSpace(command), reply(want)})
	}
	require.NotEmpty(t, rows)
	return rows
}

// play runs the command. ok is true if the reply is the recorded one, or is acceptable according to differences.
func (r row) play(s *server, encoding string, used map[string]bool) (got reply, ok bool) {
	if r.command == "FLUSHALL" {
		s.protocol = 2 // a recording begins a new connection here, which speaks RESP2
	}
	words, err := resptest.Split(r.command)
	if err != nil {
		return reply(err.Error()), false
	}
	at := slices.IndexFunc(differences, func(d difference) bool { return d.command == r.command })
	if at >= 0 {
		used[r.command] = true
	}
	if got = s.do(words); got == r.want {
		return got, true
	}
	if encoding != "" && strings.HasPrefix(r.command, "OBJECT ENCODING") && got != s.null() {
		return got, encoding == "any" || string(got) == strconv.Quote(encoding)
	}
	return got, at >= 0 && differences[at].asGood(s, got, r.want)
}
