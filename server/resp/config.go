package resp

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/internal/glob"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// config returns the subcommands of CONFIG.
func (s *adminServer) config() table {
	return subcommands([]command{
		{name: "config|get", arity: -3, flags: admin, alone: s.configGet,
			doc: doc{"Returns settings whose names match patterns", "2.0.0", "server", "O(settings)"}},
		{name: "config|set", arity: -4, flags: admin, alone: s.configSet,
			doc: doc{"Changes settings, all or none", "2.0.0", "server", "O(settings)"}},
		{name: "config|resetstat", arity: 2, flags: admin, alone: s.configResetstat,
			doc: doc{"Sets the figures of INFO back", "2.0.0", "server", "O(commands)"}},
		{name: "config|rewrite", arity: 2, flags: admin, alone: configRewrite,
			doc: doc{"Refused: there is no configuration file", "2.8.0", "server", "O(1)"}},
		{name: "config|help", arity: 2, alone: helpOf("CONFIG", "GET <pattern>", "    Settings whose names match, and their values.",
			"SET <setting> <value>", "    Changes a setting until the server ends.", "RESETSTAT", "    Sets the figures of INFO back.",
			"REWRITE", "    Refused: there is no configuration file."),
			doc: doc{"Says what CONFIG can do", "5.0.0", "server", "O(1)"}},
	})
}

// configGet answers with each setting that matches one of the patterns, once. A name without wildcards is answered as it was asked for.
func (s *adminServer) configGet(c *client, a [][]byte) error {
	type pair struct{ name, value string }
	var list []pair
	for i := range parameters {
		p := &parameters[i]
		asked := slices.IndexFunc(a[2:], func(word []byte) bool { return matches(string(word), p.name) })
		if asked < 0 {
			continue
		}
		name := p.name
		if word := string(a[2+asked]); !strings.ContainsAny(word, "*?[") {
			name = word
		}
		list = append(list, pair{name, p.get(s)})
	}
	c.out.Map(len(list))
	for _, p := range list {
		c.out.BulkString(p.name)
		c.out.BulkString(p.value)
	}
	return nil
}

// matches says whether a setting is one of a pattern's, in any case.
func matches(pattern, name string) bool { return glob.Compile(strings.ToLower(pattern))(name) }

// configSet changes settings if all of them can be changed. As Redis it looks at all names before it reads a value.
func (s *adminServer) configSet(c *client, a [][]byte) error {
	if len(a)%2 != 0 {
		return errSyntax
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
	c.out.OK()
	return nil
}

// settable returns the parameter of a name, or why it cannot be set after others.
func settable(name []byte, others []*parameter) (*parameter, error) {
	at := slices.IndexFunc(parameters, func(p parameter) bool { return strings.EqualFold(p.name, string(name)) })
	if at < 0 {
		return nil, refusal("ERR Unknown option or number of arguments for CONFIG SET - '" + clip(name, len(name)) + "'")
	}
	switch p := &parameters[at]; {
	case p.immutable:
		return nil, errSetting(name, errImmutable)
	case slices.Contains(others, p):
		return nil, errSetting(name, "duplicate parameter")
	default:
		return p, nil
	}
}

const errImmutable = "can't set immutable config"

func errSetting(name []byte, why string) refusal {
	return refusal("ERR CONFIG SET failed (possibly related to argument '" + string(name) + "') - " + why)
}

func (s *adminServer) configResetstat(c *client, _ [][]byte) error {
	s.host.resetStats()
	c.out.OK()
	return nil
}

func configRewrite(*client, [][]byte) error {
	return refusal("ERR The server is running without a config file")
}

// to returns what gives a parameter a value, or why it cannot have it.
func (p *parameter) to(s *adminServer, value []byte) (change func(), why string) {
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

// parse reads a number as Redis reads it for a setting.
func (p *parameter) parse(value []byte) (n int64, why string) {
	var ok bool
	if p.bytes {
		if n, ok = byteCount(strings.ToLower(clip(value, len(value)))); !ok {
			return 0, "argument must be a memory value"
		}
	} else if n, ok = wire.ParseInt(value); !ok {
		return 0, "argument couldn't be parsed into an integer"
	}
	if n < p.least || n > p.most {
		return 0, "argument must be between " + decimal(uint64(p.least)) + " and " + decimal(uint64(p.most)) + " inclusive"
	}
	return n, ""
}

// byteCount reads a number of bytes in one of Redis's units, in lower case. No digits are 0, and -1 is more than an int64 holds.
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
