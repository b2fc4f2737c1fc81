package servercmd

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/internal/glob"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// config returns the subcommands of CONFIG.
func (s *server) config() session.Table {
	return session.Subcommands([]session.Command{
		{Name: "config|get", Arity: -3, Flags: command.Admin, Alone: s.configGet,
			Doc: command.NewDoc("Returns settings whose names match patterns", "2.0.0", "server", "O(settings)")},
		{Name: "config|set", Arity: -4, Flags: command.Admin, Alone: s.configSet,
			Doc: command.NewDoc("Changes settings, all or none", "2.0.0", "server", "O(settings)")},
		{Name: "config|resetstat", Arity: 2, Flags: command.Admin, Alone: s.configResetstat,
			Doc: command.NewDoc("Sets the figures of INFO back", "2.0.0", "server", "O(commands)")},
		{Name: "config|rewrite", Arity: 2, Flags: command.Admin, Alone: configRewrite,
			Doc: command.NewDoc("Refused: there is no configuration file", "2.8.0", "server", "O(1)")},
		{Name: "config|help", Arity: 2, Alone: session.HelpOf("CONFIG", "GET <pattern>", "    Settings whose names match, and their values.",
			"SET <setting> <value>", "    Changes a setting until the server ends.", "RESETSTAT", "    Sets the figures of INFO back.",
			"REWRITE", "    Refused: there is no configuration file."),
			Doc: command.NewDoc("Says what CONFIG can do", "5.0.0", "server", "O(1)")},
	})
}

// configGet answers with each setting whose name matches one of the patterns, once. A name without wildcards is answered as the client wrote it.
func (s *server) configGet(c *session.Client, a [][]byte) error {
	type pair struct{ name, value string }
	var list []pair
	for i := range Parameters {
		p := &Parameters[i]
		index := slices.IndexFunc(a[2:], func(word []byte) bool { return matches(string(word), p.name) })
		if index < 0 {
			continue
		}
		name := p.name
		if word := string(a[2+index]); !strings.ContainsAny(word, "*?[") {
			name = word
		}
		list = append(list, pair{name, p.get(s)})
	}
	c.Out.Map(len(list))
	for _, p := range list {
		c.Out.BulkString(p.name)
		c.Out.BulkString(p.value)
	}
	return nil
}

// matches reports whether a setting's name matches a pattern, in any case.
func matches(pattern, name string) bool { return glob.Compile(strings.ToLower(pattern))(name) }

// configSet changes all settings or none. As in Redis it checks all names before it reads a value.
func (s *server) configSet(c *session.Client, a [][]byte) error {
	if len(a)%2 != 0 {
		return command.ErrSyntax
	}
	var found []*parameter
	for i := 2; i < len(a); i += 2 {
		p, err := settable(a[i], found)
		if err != nil {
			return err
		}
		found = append(found, p)
	}
	var changes []func()
	for i, p := range found {
		change, why := p.to(s, a[2*i+3])
		if why != "" {
			return errSetting(a[2*i+2], why)
		}
		changes = append(changes, change)
	}
	s.setting.Lock()
	defer s.setting.Unlock()
	for _, change := range changes {
		change()
	}
	c.Out.OK()
	return nil
}

// settable returns the parameter of a name. Errors: a refusal if it is unknown or immutable, or if the same request has named it before:
// others are the parameters before it.
func settable(name []byte, others []*parameter) (*parameter, error) {
	at := slices.IndexFunc(Parameters, func(p parameter) bool { return strings.EqualFold(p.name, string(name)) })
	if at < 0 {
		return nil, command.Refusal("ERR Unknown option or number of arguments for CONFIG SET - '" + command.Clip(name, len(name)) + "'")
	}
	switch p := &Parameters[at]; {
	case p.immutable:
		return nil, errSetting(name, errImmutable)
	case slices.Contains(others, p):
		return nil, errSetting(name, "duplicate parameter")
	default:
		return p, nil
	}
}

const errImmutable = "can't set immutable config"

func errSetting(name []byte, why string) command.Refusal {
	return command.Refusal("ERR CONFIG SET failed (possibly related to argument '" + string(name) + "') - " + why)
}

func (s *server) configResetstat(c *session.Client, _ [][]byte) error {
	s.host.ResetStats()
	c.Out.OK()
	return nil
}

func configRewrite(*session.Client, [][]byte) error {
	return command.Refusal("ERR The server is running without a config file")
}

// to returns a function that sets a parameter to a value, or the reason why the parameter cannot have the value.
func (p *parameter) to(s *server, value []byte) (change func(), why string) {
	if p.set == nil && strings.EqualFold(string(value), p.get(s)) {
		return func() {}, ""
	}
	if p.set == nil {
		return nil, errImmutable
	}
	n, why := p.parse(value)
	if why != "" {
		return nil, why
	}
	return func() { p.set(s, n) }, ""
}

// parse reads the value of a setting as Redis does, or returns the reason why it is wrong.
func (p *parameter) parse(value []byte) (n int64, why string) {
	var ok bool
	if p.bytes {
		if n, ok = byteCount(strings.ToLower(command.Clip(value, len(value)))); !ok {
			return 0, "argument must be a memory value"
		}
	} else if n, ok = wire.ParseInt(value); !ok {
		return 0, "argument couldn't be parsed into an integer"
	}
	if n < p.least || n > p.most {
		return 0, "argument must be between " + command.Decimal(uint64(p.least)) + " and " + command.Decimal(uint64(p.most)) + " inclusive"
	}
	return n, ""
}

// byteCount reads a number of bytes with one of Redis's units, in lower case. No digits are 0; a number beyond int64 is -1.
func byteCount(text string) (n int64, ok bool) {
	unit := strings.TrimLeft(text, "0123456789")
	scale, known := map[string]int64{"": 1, "b": 1, "k": 1000, "kb": 1 << 10, "m": 1e6, "mb": 1 << 20, "g": 1e9, "gb": 1 << 30}[unit]
	if !known {
		return 0, false
	}
	digits := text[:len(text)-len(unit)]
	if digits == "" {
		return 0, true
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n > math.MaxInt64/scale {
		return -1, true
	}
	return n * scale, true
}
