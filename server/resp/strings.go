package resp

import (
	"strings"
	"time"
)

// stringCommands are about strings, in the least form: they are there so that commands on sorted sets can refuse them.
var stringCommands = []command{
	{name: "set", arity: -3, flags: write | denyoom, keys: oneKey, tx: set,
		doc: doc{"Gives a key a string, whatever it held", "1.0.0", "string", "O(1)"}},
	{name: "get", arity: 2, flags: readonly | fast, keys: oneKey, tx: get,
		doc: doc{"Returns the string of a key", "1.0.0", "string", "O(1)"}},
	{name: "strlen", arity: 2, flags: readonly | fast, keys: oneKey, tx: strlen,
		doc: doc{"Returns how many bytes the string of a key has", "2.2.0", "string", "O(1)"}},
}

// setOptions are those of SET.
type setOptions struct {
	nx, xx, get, keepTTL bool
	expires              bool
	time                 []byte // if expires, in
	unit                 unit
	from                 epoch
}

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
			return o, errSyntax
		}
	}
	return o, nil
}

// expiryOption returns how an option of SET counts the time that follows it; timed is false if it is none of those.
func expiryOption(word string) (u unit, from epoch, timed bool) {
	switch word {
	case "ex":
		return seconds, fromNow, true
	case "px":
		return milliseconds, fromNow, true
	case "exat":
		return seconds, from1970, true
	case "pxat":
		return milliseconds, from1970, true
	}
	return 0, false, false
}

// at returns when a string that is set now vanishes; zero: never.
func (o setOptions) at(now time.Time) (time.Time, error) {
	if !o.expires {
		return time.Time{}, nil
	}
	n, err := parseInt[int64](o.time)
	if err != nil {
		return time.Time{}, err
	}
	if n <= 0 {
		return time.Time{}, errExpireTime("set")
	}
	ms, err := moment(n, o.unit, o.from, now, "set")
	return timeOf(ms), err
}

func set(t *txn, a [][]byte) error {
	o, err := parseSet(a[3:])
	if err != nil {
		return err
	}
	at, err := o.at(t.now())
	if err != nil {
		return err
	}
	name := t.name(a[1])
	h, err := t.look(name)
	if err != nil {
		return err
	}
	if o.get && h.kind != none && h.kind != aString {
		return errWrongType
	}
	done := !(o.nx && h.kind != none || o.xx && h.kind == none)
	if done {
		if o.keepTTL {
			at = h.expires
		}
		if err := setString(t, name, plainValue{kind: aString, expires: at, body: a[2]}); err != nil {
			return err
		}
	}
	switch {
	case o.get && h.kind == aString:
		t.w.Bulk(h.plain.body)
	case o.get || !done:
		t.w.Null()
	default:
		t.w.OK()
	}
	return nil
}

// setString gives a key a string in the place of what it holds; one whose time is past is gone at once.
func setString(t *txn, name string, v plainValue) error {
	if !v.expires.IsZero() && !t.now().Before(v.expires) {
		_, err := t.drop(name)
		return err
	}
	return t.replace(name, v)
}

// stringAt returns what a key holds, if that is a string or nothing. Errors: errWrongType.
func stringAt(t *txn, name string) (held, error) {
	h, err := t.look(name)
	if err == nil && h.kind != none && h.kind != aString {
		err = errWrongType
	}
	return h, err
}

func get(t *txn, a [][]byte) error {
	h, err := stringAt(t, t.name(a[1]))
	switch {
	case err != nil:
		return err
	case h.kind == none:
		t.w.Null()
	default:
		t.w.Bulk(h.plain.body)
	}
	return nil
}

func strlen(t *txn, a [][]byte) error {
	h, err := stringAt(t, t.name(a[1]))
	if err == nil {
		t.w.Int(int64(len(h.plain.body)))
	}
	return err
}
