package resp

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/auth"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// kinds lists the commands that each kind of users may run beside those of the kind before it, so that each new command needs a decision.
var kinds = []struct {
	kind UserKind
	may  string
}{
	{ReadUser, `acl|whoami auth board.around board.awards board.info board.league board.list board.member board.periods board.rank board.tier board.top client|getname client|getredir client|help
		client|id client|info client|no-touch client|reply client|setinfo client|setname client|trackinginfo command|count command|docs
		command|getkeys command|help command|info command|list config|help dbsize discard dump echo exec exists expiretime function|list get
		hello info keys lastsave memory|help memory|usage multi object|encoding object|freq object|help object|idletime object|refcount
		pexpiretime ping pttl quit randomkey reset scan scard select sismember smembers strlen time touch ttl type unwatch wait watch zcard zcount
		zdiff zinter zintercard zlexcount zmscore zrandmember zrange zrangebylex zrangebyscore zrank zrevrange zrevrangebylex
		zrevrangebyscore zrevrank zscan zscore zunion group.among group.info group.list group.members group.of
		board.among board.aroundscore board.atpercentile board.awardsof board.baselines board.bestrank board.between board.card board.count board.deadline board.end
		board.gap board.histogram board.nextchange board.nextreset board.page board.percentile board.places board.promotions board.rankof board.score board.settlements union.list`},
	{WriteUser, `board.claim board.remove board.submit bzmpop bzpopmax bzpopmin copy del expire expireat flushall flushdb function|flush persist
		pexpire pexpireat rename renamenx restore sadd set srem unlink zadd zdiffstore zincrby zinterstore zmpop zpopmax zpopmin zrangestore zrem
		zremrangebylex zremrangebyrank zremrangebyscore zunionstore group.create group.dissolve group.join group.leave group.move group.rename group.setmeta
		board.apply board.setmeta board.watch board.unwatch`},
	{ModerateUser, `board.audit board.ban board.correct board.erase board.feed board.hide board.jobs board.journal board.merge board.rename board.revert board.settier board.show board.unban
		board.banall board.eraseall board.release board.withhold`},
	{AnyCommand, `acl|list acl|users bgsave board.move client|kill client|list client|no-evict client|unblock config|get config|resetstat config|rewrite config|set
		debug migrate save shutdown board.close board.drop board.dropbaseline board.rebuild board.savebaseline group.define union.drop`},
}

// TestKindsOfUsers compares what users of each kind may run with kinds.
func TestKindsOfUsers(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{})
	before := map[string]bool{}
	for _, k := range kinds {
		c := &session.Client{Identity: session.Identity{User: &auth.User{Name: "u", Kind: auth.Kind(k.kind)}}}
		var found []string
		for _, m := range p.s.host.Commands.All() {
			switch err := c.Admit(m); {
			case err == nil && !before[m.Name]:
				found = append(found, m.Name)
				before[m.Name] = true
			case err != nil:
				require.False(t, before[m.Name], "%s may not run %s", k.kind, m.Name)
				require.EqualError(t, err, "NOPERM this user has no permissions to run the '"+m.Name+"' command")
			}
		}
		require.ElementsMatch(t, strings.Fields(k.may), found, "what %s users may run beside what those of the kind before may", k.kind)
	}
	require.Len(t, before, len(p.s.host.Commands.All()), "a command that nobody may run")
}

// TestUserKindNames: each kind has a name, and no other text is one.
func TestUserKindNames(t *testing.T) {
	for _, k := range kinds {
		parsed, ok := ParseUserKind(k.kind.String())
		require.True(t, ok, k.kind)
		require.Equal(t, k.kind, parsed)
	}
	for _, text := range []string{"", "Read", "readonly", "all", "admin", "unknown"} {
		_, ok := ParseUserKind(text)
		require.False(t, ok, text)
	}
	require.Equal(t, "unknown", UserKind(200).String())
	require.ErrorContains(t, Options{Users: []User{{Name: "u", Password: "p", Kind: 200}}}.Validate(), `user "u" is of kind 200`)
}

// TestBeforeAuth lists all commands that a client may send before it authenticates.
func TestBeforeAuth(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{})
	var found []string
	for _, m := range p.s.host.Commands.All() {
		if (&session.Client{}).Admit(m) == nil {
			found = append(found, m.Name)
		}
	}
	require.Equal(t, []string{"auth", "hello", "quit", "reset"}, found)
}

// TestAuth: AUTH accepts exactly the names and passwords of the users. A failed AUTH changes no user, and AUTH lifts the limits of requests.
func TestAuth(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{Users: []User{
		{Name: "one", Password: "same"}, {Name: "two", Password: "same"}, {Name: "long", Password: strings.Repeat("p", 1000)}}})
	for _, row := range [][3]string{
		{"one", "same", "+OK\r\n"}, {"two", "same", "+OK\r\n"}, {"long", strings.Repeat("p", 1000), "+OK\r\n"},
		{"one", "sam", ""}, {"one", "samE", ""}, {"one", "same\x00", ""}, {"one", "", ""}, {"", "", ""}, {"", "same", ""}, {"nobody", "same", ""},
		{"default", "same", ""}, {"long", strings.Repeat("p", 999), ""}, {"ONE", "same", ""},
	} {
		c := p.another()
		want := row[2]
		if want == "" {
			want = "-" + string(session.ErrWrongPass) + "\r\n"
		}
		require.Equal(t, want, c.do("AUTH", row[0], row[1]), "%q", row)
		if row[2] != "" {
			require.Contains(t, c.line("ACL WHOAMI"), row[0])
			require.Equal(t, "-"+string(session.ErrWrongPass)+"\r\n", c.line("AUTH one wrong"))
			require.Contains(t, c.line("ACL WHOAMI"), row[0], "after a failed AUTH the user is the same")
		} else {
			require.Equal(t, "-"+string(session.ErrNoAuth)+"\r\n", c.line("PING"))
		}
	}
	require.Equal(t, "-"+string(session.ErrWrongPass)+"\r\n", p.line("AUTH same"), "there is no default user")
	p.do("AUTH", "long", strings.Repeat("p", 1000))
	require.Equal(t, "$20000\r\n"+strings.Repeat("x", 20_000)+"\r\n", p.do("ECHO", strings.Repeat("x", 20_000)), "after AUTH, requests may be large")
	require.Equal(t, "+RESET\r\n", p.line("RESET"))
	p.send("ECHO", strings.Repeat("x", 20_000))
	require.Equal(t, "-ERR Protocol error: unauthenticated bulk length\r\n", p.reply())
}

// TestRulesOfUsers: ACL LIST shows what each kind may not run, and no password.
func TestRulesOfUsers(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{Users: []User{{Name: "all", Password: "pw"}, {Name: "r", Password: "pw", Kind: ReadUser},
		{Name: "w", Password: "pw", Kind: WriteUser}, {Name: "m", Password: "pw", Kind: ModerateUser}}})
	require.Equal(t, "+OK\r\n", p.line("AUTH all pw"))
	require.Equal(t, "*4 $23 user all on ~* &* +@all $59 user r on ~* &* +@all -@write -@admin -@moderation -migrate $51 user w on ~* &* +@all -@admin -@moderation -migrate "+
		"$38 user m on ~* &* +@all -@admin -migrate", flat(p.line("ACL LIST")))
}

// TestPasswordsAreNotTold: no reply and no line of the log contains a password.
func TestPasswordsAreNotTold(t *testing.T) {
	const password = "s3cr3t-w0rd"
	var log bytes.Buffer
	p := startServer(t, engine.Options{}, Options{Users: []User{{Name: "default", Password: password}, {Name: "ro", Password: password + "2", Kind: ReadUser}},
		Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	other := p.another()
	received := p.lines(0, "AUTH ro "+password) + p.line("HELLO 3 AUTH nobody "+password) + p.line("AUTH "+password)
	received += other.line("HELLO 2 AUTH default " + password + " SETNAME x")
	other.lines(2, "MULTI", "AUTH "+password, "HELLO 3 AUTH default "+password)
	for _, line := range []string{"CLIENT LIST", "CLIENT INFO", "INFO everything", "ACL LIST", "ACL USERS", "ACL WHOAMI", "CONFIG GET *",
		"COMMAND DOCS", "CLIENT KILL USER " + "default"} {
		received += p.line(line)
	}
	require.NoError(t, p.s.Close())
	require.Contains(t, log.String(), "wrong name or password")
	require.NotContains(t, received+log.String(), password)
	t.Logf("%d bytes without it", len(received)+log.Len())
}
