package resp_test

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"regexp"
	"strconv"
	"testing"
	"time"
	_ "time/tzdata" // the scenarios speak of many zones

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/boardtest"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/board/remote"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/testclock"
	"github.com/zrankdb/zrank/server/access"
	"github.com/zrankdb/zrank/server/api"
	"github.com/zrankdb/zrank/server/resp"
)

// TestScenarios plays the scenarios of boards on twins: two stores in the same state, with the same
// clock. The answers that a scenario compares are those of the HTTP API of the first store. Each
// request of it becomes a command BOARD.* or GROUP.* to the RESP server of the second store, as
// twins_test.go says, and the reply must tell what the answer tells, as replies_test.go says.
// Replies tell less than answers, so a backend of replies alone could not pass.
//
// A command that changed something else than its request would make the twins differ, and later
// replies too. At the end of a scenario all periods, journals and audit logs are read once more.
func TestScenarios(t *testing.T) {
	files, sent := boardtest.ByName(boardtest.Files()), newTally()
	users, err := usersOf(files)
	require.NoError(t, err)
	first := &firstStore{}
	clock := func() time.Time { return first.now() }
	first.api, err = api.New(first, api.Options{Access: access.Options{Open: true}, Clock: clock, MaxPins: 1 << 20})
	require.NoError(t, err)
	scenarios, n := boardtest.Run(t, files, "", func(now func() time.Time) (boardtest.Backend, error) {
		b := &twinBackend{now: now, first: first, users: users, sent: sent, stores: newStores()}
		return b, b.open()
	})
	t.Run("others", func(t *testing.T) {
		otherCommands(t, &twinBackend{first: first, users: users, sent: sent, stores: newStores()})
	})
	t.Logf("%d scenarios, %d lines, %d answers; %v", scenarios, n.Lines, n.Answers, sent)
	require.GreaterOrEqual(t, scenarios, 106)
	require.Empty(t, sent.missing(), "no scenario has sent these commands")
}

// otherCommands does what no scenario does by the API.
func otherCommands(t *testing.T, b *twinBackend) {
	clock, ctx, by := testclock.New(), t.Context(), board.Action{By: "ops", Reason: "cheats"}
	b.now = clock.Now
	require.NoError(t, b.open())
	guilds, err := b.DefineGroups(ctx, "guild")
	require.NoError(t, err)
	require.NoError(t, guilds.Create(ctx, "wolves", []byte("howl")))
	require.NoError(t, guilds.SetMeta(ctx, "wolves", []byte("\xff")))
	require.NoError(t, guilds.Join(ctx, "ada", "wolves"))
	gold := awards.Tier{Name: "gold", From: 1, To: 2, Payload: "100 coins"}
	arena, err := b.Define(ctx, board.Spec{Name: "arena", Journal: 100, Windows: []board.Window{board.All, board.Day},
		Awards: []awards.Plan{{Window: "day", Claim: true, Tiers: []awards.Tier{gold}}}})
	require.NoError(t, err)
	derived, err := b.Define(ctx, board.Spec{Name: "guilds", Derived: &board.Derived{From: "arena", Groups: "guild"}})
	require.NoError(t, err)
	for i, member := range []string{"ada", "bea", "cy\xff", "dan", "ada"} {
		_, err := arena.Apply(ctx, board.Submission{Member: member, Score: board.Ints(int64(9 - i)), Once: member})
		require.NoError(t, err)
	}
	_, err = derived.Rebuild(ctx)
	require.NoError(t, err)
	clock.Add(36 * time.Hour)
	for _, boards := range b.Locals() {
		_, err := boards.SettleDue(ctx)
		require.NoError(t, err)
	}
	due, err := arena.Claimable(ctx, "ada")
	require.NoError(t, err)
	require.Len(t, due, 1)
	for range 2 { // the second time it is an error
		_, err = arena.Claim(ctx, "ada", due[0].ID)
	}
	require.ErrorIs(t, err, awards.ErrGranted)
	for _, by.DryRun = range []bool{true, false} {
		_, err = b.Ban(ctx, "bea", by)
		require.NoError(t, err)
		_, err = b.Erase(ctx, "ada", by)
		require.NoError(t, err)
		_, err = arena.SetTier(ctx, "dan", "gold", by)
		require.ErrorIs(t, err, board.ErrNoLeagues)
	}
	require.NoError(t, b.Close())
}

// firstStore is the first store of the scenario that is being played: one API serves all scenarios,
// as it takes long to make.
type firstStore struct {
	board.Store
	now func() time.Time
	api http.Handler
}

// store is boards in an engine.
type store struct {
	disk   *memfs.FS
	e      *engine.Engine
	boards *local.Boards
}

func newStores() [2]store {
	return [2]store{{disk: memfs.NewCrashable()}, {disk: memfs.NewCrashable()}}
}

func (s *store) open(now func() time.Time) (err error) {
	if s.e, err = engine.Open("data", engine.Options{FS: s.disk, Clock: now}); err == nil {
		s.boards, err = local.Open(s.e, local.Options{Manual: true}) // else awards would be delivered at different moments
	}
	return err
}

func (s *store) close() error { return errors.Join(s.boards.Close(), s.e.Close()) }

// twinBackend is the boards of the first store over HTTP, and a RESP server of the second one.
type twinBackend struct {
	*remote.Boards
	now    func() time.Time
	first  *firstStore
	users  []resp.User
	sent   *tally
	stores [2]store
	twins  *twins
	server *resp.Server
}

func (b *twinBackend) open() error {
	for i := range b.stores {
		if err := b.stores[i].open(b.now); err != nil {
			return err
		}
	}
	b.first.Store, b.first.now = b.stores[0].boards, b.now
	second := b.stores[1]
	s, err := resp.New(context.Background(), second.e, resp.Options{Boards: second.boards, Users: b.users})
	if err != nil {
		return err
	}
	b.server = s
	addr, err := s.Listen("127.0.0.1:0")
	if err != nil {
		return err
	}
	places := map[string]string{"oldest": "0"}
	if b.twins != nil {
		places = b.twins.places
	}
	env := &ops.Env{Boards: second.boards, MaxRows: api.DefaultMaxRows, Now: b.now}
	b.twins = newTwins(b.first.api, env, b.sent, places,
		func(user string) *redis.Client {
			return redis.NewClient(&redis.Options{Addr: addr.String(), Protocol: 3, Username: user, Password: password,
				PoolSize: 1, MaxRetries: -1, ReadTimeout: 5 * time.Minute, DisableIdentity: true})
		})
	b.Boards, err = remote.New("http://127.0.0.1", remote.Options{HTTP: &http.Client{Transport: b.twins}})
	return err
}

// password is that of all users.
const password = "pw"

var operator = regexp.MustCompile(`\bby=("[^"]*"|\S+)`)

// usersOf returns the operators of the scenarios as users, beside the one that commands are of if
// nobody is named: a command acts in the name of its user.
func usersOf(files fs.FS) (users []resp.User, err error) {
	names, err := fs.Glob(files, "*.txt")
	found := map[string]bool{defaultUser: true}
	for _, name := range names {
		text, bad := fs.ReadFile(files, name)
		err = errors.Join(err, bad)
		for _, match := range operator.FindAllStringSubmatch(string(text), -1) {
			by := match[1]
			if unquoted, bad := strconv.Unquote(by); bad == nil {
				by = unquoted
			}
			found[by] = true
		}
	}
	for name := range found {
		users = append(users, resp.User{Name: name, Password: password})
	}
	return users, err
}

// Close reads everything once more and closes the twins. The error tells where they have differed.
func (b *twinBackend) Close() error {
	return errors.Join(b.readAll(context.Background()), b.close())
}

func (b *twinBackend) close() error {
	return errors.Join(b.twins.close(), b.server.Close(), b.stores[0].close(), b.stores[1].close())
}

// readAll reads all periods, journals, audit logs and groups, which compares them.
func (b *twinBackend) readAll(ctx context.Context) error {
	names, err := b.Names(ctx)
	for _, name := range names {
		of, bad := b.Board(ctx, name)
		if err = errors.Join(err, bad); bad == nil {
			err = errors.Join(err, readBoard(ctx, of))
		}
	}
	kinds, bad := b.GroupKinds(ctx)
	err = errors.Join(err, bad)
	for _, kind := range kinds {
		_, bad := b.Groups(ctx, kind) // which lists them
		err = errors.Join(err, bad)
	}
	_, bad = b.LastCommit(ctx)
	return errors.Join(err, bad)
}

func readBoard(ctx context.Context, of board.Board) (err error) {
	note := func(bad error) { err = errors.Join(err, bad) }
	for _, w := range of.Spec().Windows {
		periods, bad := of.Periods(ctx, w.Label())
		note(bad)
		for _, p := range periods {
			k, bad := of.Period(ctx, w.Label(), p.Period)
			if bad == nil {
				_, bad = k.Top(ctx, p.Members)
			}
			note(bad)
		}
	}
	if of.Spec().Journal > 0 {
		for _, bad := range of.Journal(ctx, board.JournalQuery{}) {
			note(bad)
		}
	}
	for e, bad := range of.Audit(ctx, audit.Filter{}) {
		if note(bad); bad == nil {
			_, bad = of.AuditPlaces(ctx, e.Number)
			note(bad)
		}
	}
	_, bad := of.Jobs(ctx)
	note(bad)
	return err
}

// Reopen implements boardtest.Backend.
func (b *twinBackend) Reopen(meanwhile func()) error {
	err := b.close()
	meanwhile()
	return errors.Join(err, b.open())
}

// Kill implements boardtest.Backend.
func (b *twinBackend) Kill(meanwhile func()) error {
	var crashed [2]*memfs.FS // the disks after a power cut
	for i := range b.stores {
		crashed[i] = b.stores[i].disk.CrashClone(vfs.CrashCloneCfg{})
	}
	err := b.close()
	for i := range b.stores {
		b.stores[i].disk = crashed[i]
	}
	meanwhile()
	return errors.Join(err, b.open())
}

// CloseDue closes the periods that are due in both stores.
func (b *twinBackend) CloseDue(ctx context.Context) (n int, err error) {
	for _, boards := range b.Locals() {
		var bad error
		n, bad = boards.CloseDue(ctx)
		err = errors.Join(err, bad)
	}
	return n, err
}

// Local implements boardtest.Backend.
func (b *twinBackend) Local() *local.Boards { return b.stores[0].boards }

// Locals implements boardtest.Copied.
func (b *twinBackend) Locals() []*local.Boards {
	return []*local.Boards{b.stores[0].boards, b.stores[1].boards}
}
