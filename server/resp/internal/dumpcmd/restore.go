package dumpcmd

import (
	"math"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// bigDump is the size of a dump from which on RESTORE reads a sorted set, and builds it, without holding the key's lock.
const bigDump = 64 << 10

const errBusyKey = command.Refusal("BUSYKEY Target key name already exists.")

// restoreOptions are the options of RESTORE.
type restoreOptions struct{ replace, absolute bool }

// parseRestore reads the options of RESTORE. IDLETIME and FREQ are read and forgotten: this server counts neither.
func parseRestore(words [][]byte) (o restoreOptions, err error) {
	idle, freq := false, false
	for i := 0; i < len(words); i++ {
		more := i+1 < len(words)
		switch {
		case command.Is(words[i], "replace"):
			o.replace = true
		case command.Is(words[i], "absttl"):
			o.absolute = true
		case command.Is(words[i], "idletime") && more && !freq:
			i++
			idle, err = true, inRange(words[i], math.MaxInt64, "ERR Invalid IDLETIME value, must be >= 0")
		case command.Is(words[i], "freq") && more && !idle:
			i++
			freq, err = true, inRange(words[i], 255, "ERR Invalid FREQ value, must be >= 0 and <= 255")
		default:
			err = command.ErrSyntax
		}
		if err != nil {
			return o, err
		}
	}
	return o, nil
}

// inRange refuses a word that is not an integer from 0 to most.
func inRange(word []byte, most int64, refusal command.Refusal) error {
	n, err := command.ParseInt[int64](word)
	if err == nil && (n < 0 || n > most) {
		err = refusal
	}
	return err
}

// expiry returns when the key expires, the zero time for never. past is true for a time that has come. A time beyond what 64 bits of milliseconds hold is past, as in
// Redis, where it becomes negative.
func (o restoreOptions) expiry(word []byte, now time.Time) (at time.Time, past bool, err error) {
	ttl, err := command.ParseInt[int64](word)
	if err == nil && ttl < 0 {
		err = command.Refusal("ERR Invalid TTL value, must be >= 0")
	}
	if err != nil || ttl == 0 {
		return at, false, err
	}
	if !o.absolute {
		ttl += now.UnixMilli()
	}
	return keyspace.TimeOf(ttl), ttl <= now.UnixMilli(), nil
}

// restoreTx is RESTORE key ttl dump [REPLACE] [ABSTTL] [IDLETIME seconds] [FREQ count] in a transaction.
func restoreTx(t *session.Txn, a [][]byte) error {
	o, err := parseRestore(a[4:])
	if err != nil {
		return err
	}
	name := t.Name(a[1])
	if err := o.free(t, name); err != nil {
		return err
	}
	at, past, err := o.expiry(a[2], t.Now())
	if err != nil {
		return err
	}
	l, err := load(t.Client, a[3])
	if err == nil {
		err = t.Changeable(name)
	}
	if err != nil {
		return err
	}
	if past {
		_, err = t.Drop(name)
	} else {
		err = l.store(t, name, at)
	}
	if err == nil {
		t.Out.OK()
	}
	return err
}

// free refuses a key that has a value, unless that is to be replaced.
func (o restoreOptions) free(t *session.Txn, name string) error {
	exists, err := t.Exists(name)
	if err == nil && exists && !o.replace {
		err = errBusyKey
	}
	return err
}

// store stores what a dump holds in place of a key's value.
func (l *loaded) store(t *session.Txn, name string, at time.Time) error {
	if l.plain.Kind != keyspace.None {
		l.plain.Expires = at
		return t.Replace(name, l.plain)
	}
	if err := t.PutSet(name, l.sorted); err != nil || at.IsZero() {
		return err
	}
	return t.Expire(name, at)
}

// restoreAlone is RESTORE outside of a transaction: a big sorted set is read and built before the key is locked, and may have any size.
func restoreAlone(c *session.Client, a [][]byte) error {
	name := c.Key(a[1])
	now := func() error {
		return c.Transact([]string{name}, true, func(t *session.Txn) error {
			return t.Do(session.Step{Command: c.Host.Commands.Lookup(a[0]), Args: a, DB: c.DB})
		})
	}
	if len(a[3]) < bigDump {
		return now()
	}
	o, err := parseRestore(a[4:])
	if err != nil {
		return err
	}
	var at time.Time
	var past bool
	if err := c.Transact([]string{name}, false, func(t *session.Txn) error {
		if err := o.free(t, name); err != nil {
			return err
		}
		if at, past, err = o.expiry(a[2], t.Now()); err != nil {
			return err
		}
		return t.Changeable(name)
	}); err != nil {
		return err
	}
	l, err := load(c, a[3])
	if err != nil {
		return err
	}
	if l.plain.Kind != keyspace.None || past {
		return now()
	}
	return l.storeBig(c, name, at, o.replace)
}

// storeBig stores a sorted set of any size.
func (l *loaded) storeBig(c *session.Client, name string, at time.Time, replace bool) error {
	done, err := c.Host.Engine.StoreSet(c.Host.Work, name, l.sorted, engine.SetStore{Expires: at, Absent: !replace})
	if err != nil {
		return err
	}
	if !done {
		return errBusyKey
	}
	c.Host.Space.Mark(name)
	if err := c.Supersede(name, false); err != nil {
		return err
	}
	c.Out.OK()
	return nil
}
