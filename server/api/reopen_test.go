package api

import (
	"context"
	"math/rand/v2"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/zrankdb/zrank/server/access"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/internal/testclock"
)

// reopenable is a server whose process may end at any moment, and begin again.
type reopenable struct {
	*fixture
	fs     *memfs.FS // nil: the engine is in memory only
	level  engine.Durability
	random *rand.ChaCha8
	end    func()
}

// reopenables calls fn for a server at each level of durability, and for one in memory only. Nothing is flushed at engine.Interval before the test ends.
func reopenables(t *testing.T, fn func(t *testing.T, r *reopenable)) {
	for _, level := range []engine.Durability{engine.Sync, engine.Interval, engine.None} {
		t.Run(level.String(), func(t *testing.T) { fn(t, newReopenable(t, memfs.NewCrashable(), level)) })
	}
	t.Run("memory", func(t *testing.T) { fn(t, newReopenable(t, nil, engine.Sync)) })
}

func newReopenable(t *testing.T, fs *memfs.FS, level engine.Durability) *reopenable {
	r := &reopenable{fixture: &fixture{t: t, clock: testclock.New()}, fs: fs, level: level, random: rand.NewChaCha8([32]byte{1})}
	r.open()
	t.Cleanup(func() { r.end() })
	r.define()
	require.NoError(t, r.e.Flush())
	return r
}

// define defines the board, also after a crash that took it.
func (r *reopenable) define() {
	_, err := r.boards.Define(context.Background(), board.Spec{Name: "arena", Feed: &board.Feed{}, OnceFor: window.Duration(time.Hour), Windows: []board.Window{board.All, board.Day,
		board.Rolling("roll", time.Hour)}})
	require.NoError(r.t, err)
}

// open begins the process.
func (r *reopenable) open() {
	var err error
	o := engine.Options{Clock: r.clock.Now, Durability: r.level, Interval: time.Hour, FeedLogBytes: 1 << 20, SnapshotBytes: -1}
	if r.fs == nil {
		r.e, err = engine.New(o)
	} else {
		o.FS = r.fs
		r.e, err = engine.Open("data", o)
	}
	require.NoError(r.t, err)
	r.boards, err = local.Open(r.e, local.Options{})
	require.NoError(r.t, err)
	r.h, err = New(r.boards, Options{Clock: r.clock.Now, Random: r.random, Access: access.Options{Keys: []access.Key{{Name: "game", Secret: allKey, Rights: access.All}}}})
	require.NoError(r.t, err)
	r.server = httptest.NewServer(r.h)
	h, e, boards, server := r.h, r.e, r.boards, r.server
	r.end = func() {
		require.NoError(r.t, h.Close())
		server.Close()
		require.NoError(r.t, boards.Close())
		require.NoError(r.t, e.Close())
	}
}

// crash ends the process, and keeps so many percent of what is not flushed: 0 as a power cut, 100 as kill -9. Then it begins again.
func (r *reopenable) crash(percent int) {
	if r.fs != nil {
		r.fs = powercut.Clone(r.fs, percent, 1)
	}
	r.end()
	r.open()
}

// afterCrash calls fn for each way in which the process may end, with a new server at each level of durability.
func afterCrash(t *testing.T, fn func(t *testing.T, r *reopenable, crash func())) {
	for name, percent := range map[string]int{"kill": 100, "power cut": 0} {
		t.Run(name, func(t *testing.T) {
			reopenables(t, func(t *testing.T, r *reopenable) { fn(t, r, func() { r.crash(percent) }) })
		})
	}
}

// put submits, and reports whether the board is there to take it: in memory only it is not after the end of the process.
func (r *reopenable) put(body string, headers ...string) answer {
	return r.call(allKey, scores, body, headers...)
}

// TestETagsAcrossCrashes: no tag of an answer is that of another answer after the end of the process, although numbers of commits that were lost are used again.
func TestETagsAcrossCrashes(t *testing.T) {
	afterCrash(t, func(t *testing.T, r *reopenable, crash func()) {
		routes := []string{"windows/all/top", "windows/day/top", "windows/roll/top", "windows/all/rank?member=ada", "windows/all/info", "windows/all/page", "windows/all/top?which=latest"}
		require.Equal(t, 200, r.put(`{"member":"ada","score":5}`).status)
		before := map[string]answer{}
		for _, route := range routes {
			before[route] = r.call(allKey, "GET /v1/boards/arena/"+route, "")
			require.Equal(t, 200, before[route].status, route)
			require.NotEmpty(t, before[route].header.Get("ETag"), route)
		}
		crash()
		r.define()
		require.Equal(t, 200, r.put(`{"member":"bea","score":7}`).status)
		for _, route := range routes {
			now := r.call(allKey, "GET /v1/boards/arena/"+route, "", "If-None-Match", before[route].header.Get("ETag"))
			require.NotEqual(t, 304, now.status, "%s is %s, and was %s", route, r.call(allKey, "GET /v1/boards/arena/"+route, "").body, before[route].body)
		}
	})
}

// TestETagsOfRollingWindows: the answer of a rolling window changes with the time alone.
func TestETagsOfRollingWindows(t *testing.T) {
	r := newReopenable(t, memfs.NewCrashable(), engine.Sync)
	const top = "GET /v1/boards/arena/windows/roll/top"
	require.Equal(t, 200, r.put(`{"member":"ada","score":5}`).status)
	a := r.call(allKey, top, "")
	require.Contains(t, string(a.body), "ada")
	r.clock.Add(2 * time.Hour)
	b := r.call(allKey, top, "", "If-None-Match", a.header.Get("ETag"))
	require.Equal(t, 200, b.status)
	require.NotContains(t, string(b.body), "ada")
}

// TestEventsAcrossCrashes: whoever goes on behind an id that a stream has sent misses no event, also if that was the id of the beginning and a crash took what
// had been submitted before it. A stream behind an id of boards in memory only ends with an error afterwards.
func TestEventsAcrossCrashes(t *testing.T) {
	afterCrash(t, func(t *testing.T, r *reopenable, crash func()) {
		const events = "GET /v1/events?wait=false&kinds=submitted&windows=all"
		ids := []string{}
		remember := func(route string) {
			for line := range strings.Lines(string(r.call(allKey, route, "").body)) {
				if id, ok := strings.CutPrefix(line, "id: "); ok {
					ids = append(ids, strings.TrimSpace(id))
				}
			}
		}
		require.Equal(t, 200, r.put(`{"member":"ada","score":1}`).status)
		require.NoError(t, r.e.Flush())
		require.Equal(t, 200, r.put(`{"member":"lost","score":1}`).status)
		remember(events)
		remember(events + "&after=oldest")
		require.GreaterOrEqual(t, len(ids), 2)
		crash()
		r.define()
		require.Equal(t, 200, r.put(`{"member":"bea","score":7}`).status)
		require.Equal(t, 200, r.put(`{"member":"cy","score":8}`).status)
		require.NoError(t, r.e.Flush())
		for _, id := range ids {
			a := r.call(allKey, events, "", "Last-Event-ID", id)
			if r.fs == nil {
				require.Contains(t, string(a.body), `"code":"position"`)
				continue
			}
			require.Equal(t, 200, a.status, "%s", a.body)
			require.Contains(t, string(a.body), `"bea"`, id)
			require.Contains(t, string(a.body), `"cy"`, id)
		}
	})
}

// TestTopStreamAcrossCrashes: whoever has rows that a crash took gets others.
func TestTopStreamAcrossCrashes(t *testing.T) {
	afterCrash(t, func(t *testing.T, r *reopenable, crash func()) {
		const path = "/v1/boards/arena/windows/all/top/stream"
		require.Equal(t, 200, r.put(`{"member":"ada","score":1}`).status)
		next, end := r.listen(t, allKey, path)
		e, ok := next()
		require.True(t, ok)
		require.Contains(t, e.data, "ada")
		end()
		crash()
		r.define()
		require.Equal(t, 200, r.put(`{"member":"bea","score":7}`).status)
		next, end = r.listen(t, allKey, path, "Last-Event-ID", e.id)
		defer end()
		e, ok = next()
		require.True(t, ok)
		require.Contains(t, e.data, "bea")
	})
}

// TestIdempotencyKeyAcrossCrashes: an honest retry is answered as a duplicate, whatever came before it, and nothing counts twice.
func TestIdempotencyKeyAcrossCrashes(t *testing.T) {
	for _, percent := range []int{0, 100} {
		r := newReopenable(t, memfs.NewCrashable(), engine.Sync)
		send := func(body string) answer { return r.put(body, "Idempotency-Key", "k1") }
		const honest, other = `{"member":"ada","score":5}`, `{"member":"ada","score":6}`
		require.NotContains(t, string(send(honest).body), "duplicate")
		require.Equal(t, "idempotency_key_reused", send(other).code())
		r.crash(percent)
		require.Contains(t, string(send(other).body), `"duplicate":true`)
		require.Contains(t, string(send(honest).body), `"duplicate":true`)
		require.Contains(t, string(r.call(allKey, "GET /v1/boards/arena/windows/all/top", "").body), `"score":[5]`)
	}
}
