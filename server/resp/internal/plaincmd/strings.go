package plaincmd

import (
	"strings"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// Strings are the commands on strings.
var Strings = []session.Command{
	{Name: "set", Arity: -3, Flags: command.Write | command.DenyOOM, Keys: command.OneKey, Tx: set,
		Doc: command.NewDoc("Gives a key a string, whatever it held", "1.0.0", "string", "O(1)")},
	{Name: "get", Arity: 2, Flags: command.ReadOnly | command.Fast, Keys: command.OneKey, Tx: get,
		Doc: command.NewDoc("Returns the string of a key", "1.0.0", "string", "O(1)")},
	{Name: "strlen", Arity: 2, Flags: command.ReadOnly | command.Fast, Keys: command.OneKey, Tx: strlen,
		Doc: command.NewDoc("Returns how many bytes the string of a key has", "2.2.0", "string", "O(1)")},
}

// setOptions are the options of SET.
type setOptions struct {
	nx, xx, get, keepTTL bool
	expires              bool
	time                 []byte // of expires, in
	unit                 keyspace.Unit
	from                 keyspace.Epoch
}

// parseSet reads the options of SET. Errors: ErrSyntax, also for options that exclude each other.
func parseSet(words [][]byte) (o setOptions, err error) {
	for i := 0; i < len(words); i++ {
		word := strings.ToLower(string(words[i]))
		unit, from, timed := expiryOption(word)
		switch {
		case word == "nx" && !o.xx:
			o.nx = true
		case word == "xx" && !o.nx:
			o.xx = true
		case word == "get":
			o.get = true
		case word == "keepttl" && !o.expires:
			o.keepTTL = true
		case timed && !o.keepTTL && i+1 < len(words) && (!o.expires || o.unit == unit && o.from == from):
			i++
			o.expires, o.time, o.unit, o.from = true, words[i], unit, from
		default:
			return o, command.ErrSyntax
		}
	}
	return o, nil
}

// expiryOption returns the unit and the epoch of the time after an option of SET; timed is false if the option has no time.
func expiryOption(word string) (u keyspace.Unit, from keyspace.Epoch, timed bool) {
	switch word {
	case "ex":
		return keyspace.Seconds, keyspace.FromNow, true
	case "px":
		return keyspace.Milliseconds, keyspace.FromNow, true
	case "exat":
		return keyspace.Seconds, keyspace.From1970, true
	case "pxat":
		return keyspace.Milliseconds, keyspace.From1970, true
	}
	return 0, false, false
}

// at returns the expiry of a string that is set now; zero: none. Errors: a refusal.
func (o setOptions) at(now time.Time) (time.Time, error) {
	if !o.expires {
		return time.Time{}, nil
	}
	n, err := command.ParseInt[int64](o.time)
	if err != nil {
		return time.Time{}, err
	}
	if n <= 0 {
		return time.Time{}, keyspace.ErrExpireTime("set")
	}
	ms, err := keyspace.Moment(n, o.unit, o.from, now, "set")
	return keyspace.TimeOf(ms), err
}

func set(t *session.Txn, a [][]byte) error {
	o, err := parseSet(a[3:])
	if err != nil {
		return err
	}
	at, err := o.at(t.Now())
	if err != nil {
		return err
	}
	name, h, err := t.Lookup(a[1])
	if err != nil {
		return err
	}
	if o.get && h.Kind != keyspace.None && h.Kind != keyspace.String {
		return command.ErrWrongType
	}
	done := !(o.nx && h.Kind != keyspace.None || o.xx && h.Kind == keyspace.None)
	if done {
		if o.keepTTL {
			at = h.Expires
		}
		if err := setString(t, name, keyspace.Plain{Kind: keyspace.String, Expires: at, Body: a[2]}); err != nil {
			return err
		}
	}
	switch {
	case o.get && h.Kind == keyspace.String:
		t.Out.Bulk(h.Plain.Body)
	case o.get || !done:
		t.Out.Null()
	default:
		t.Out.OK()
	}
	return nil
}

// setString stores a string in place of a key's value. A string that has expired is not stored, and the value is dropped.
func setString(t *session.Txn, name string, v keyspace.Plain) error {
	if !v.Expires.IsZero() && !t.Now().Before(v.Expires) {
		_, err := t.Drop(name)
		return err
	}
	return t.Replace(name, v)
}

// stringAt returns the value of a key, if it is a string or there is none. Errors: ErrWrongType.
func stringAt(t *session.Txn, name string) (keyspace.Value, error) {
	h, err := t.Get(name)
	if err == nil && h.Kind != keyspace.None && h.Kind != keyspace.String {
		err = command.ErrWrongType
	}
	return h, err
}

func get(t *session.Txn, a [][]byte) error {
	h, err := stringAt(t, t.Name(a[1]))
	switch {
	case err != nil:
		return err
	case h.Kind == keyspace.None:
		t.Out.Null()
	default:
		t.Out.Bulk(h.Plain.Body)
	}
	return nil
}

func strlen(t *session.Txn, a [][]byte) error {
	h, err := stringAt(t, t.Name(a[1]))
	if err == nil {
		t.Out.Int(int64(len(h.Plain.Body)))
	}
	return err
}
