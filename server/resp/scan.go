package resp

import (
	"cmp"
	"hash/maphash"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/glob"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// Commands that list keys. By themselves they ask the engine, and lock nothing for as long as they take; between MULTI and EXEC they go
// through the keys that the transaction has named, which are all.

// found is a key that holds something, as clients call it.
type found struct {
	key  string
	kind kind
}

// dbPrefix begins what the engine calls the keys of a database; in database 0, that of all keys.
func dbPrefix(db int) string {
	if db == 0 {
		return ""
	}
	return string([]byte{0, byte(db)})
}

// anyDatabase stands for all databases.
const anyDatabase = -1

// in returns what clients of a database call a key of the engine; false: it is of another.
func in(db int, name string) (key string, ok bool) {
	d, key, ok := clientKey(name)
	return key, ok && (db == anyDatabase || d == db)
}

// plains returns the keys of a database that have plain values. O(plain values).
func (c *client) plains(db int) (list []found, err error) {
	if c.s.plain.n.Load() == 0 {
		return nil, nil
	}
	err = c.s.e.View(nil, func(tx *engine.Tx) error {
		t := txn{c: c, tx: tx}
		for _, name := range c.s.plain.names() {
			key, ok := in(db, name)
			if !ok {
				continue
			}
			kind, err := t.plainKind(name)
			if err != nil {
				return err
			}
			if kind != none {
				list = append(list, found{key, kind})
			}
		}
		return nil
	})
	return list, err
}

// listed returns the keys of a database that match a pattern. O(all keys).
func (c *client) listed(db int, pattern string) ([]found, error) {
	list, err := c.plains(db)
	if err != nil {
		return nil, err
	}
	prefix := dbPrefix(db)
	if begin := literal(pattern); begin != "" {
		prefix = engineKey(db, []byte(begin))
	}
	names, err := c.s.e.Keys(prefix)
	if err != nil {
		return nil, err
	}
	match := glob.Compile(pattern)
	list = slices.DeleteFunc(list, func(f found) bool { return !match(f.key) })
	for _, name := range names {
		if key, ok := in(db, name); ok && match(key) {
			list = append(list, found{key, aSorted})
		}
	}
	return list, nil
}

// literal returns what all keys begin with that match a pattern.
func literal(pattern string) string {
	if i := strings.IndexAny(pattern, `*?[\`); i >= 0 {
		return pattern[:i]
	}
	return pattern
}

// listed is client.listed of the keys that the transaction has named.
func (t *txn) listed(db int, pattern string) (list []found, err error) {
	match := glob.Compile(pattern)
	for _, name := range t.all {
		key, ok := in(db, name)
		if !ok || !match(key) {
			continue
		}
		h, err := t.look(name)
		if err != nil {
			return nil, err
		}
		if h.kind != none {
			list = append(list, found{key, h.kind})
		}
	}
	return list, nil
}

// everything returns all keys that there may be, of all databases, in the engine's words, in order: a transaction that runs commands with
// the flag whole names them. Errors: a refusal if they are more than a transaction can name.
func (s *Server) everything() ([]string, error) {
	names, err := s.e.Keys("")
	if err != nil {
		return nil, err
	}
	names = append(names, s.plain.names()...)
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > engine.MaxKeys {
		return nil, refusal("ERR there are too many keys to list them between MULTI and EXEC")
	}
	return names, nil
}

func keysAlone(c *client, a [][]byte) error {
	c.takeTurn()
	n, err := c.s.e.Count()
	if err == nil {
		err = c.borrow(n+int(c.s.plain.n.Load()), keyBytes)
	}
	if err != nil {
		return err
	}
	list, err := c.listed(c.db, string(a[1]))
	return writeKeys(&c.out, list, err)
}

func keysTx(t *txn, a [][]byte) error {
	list, err := t.listed(t.step.db, string(a[1]))
	return writeKeys(t.w, list, err)
}

func writeKeys(w *wire.Writer, list []found, err error) error {
	if err != nil {
		return err
	}
	if !w.Expect(len(list), wire.LeastBulk) {
		return nil
	}
	w.Array(len(list))
	for _, f := range list {
		w.BulkString(f.key)
	}
	return nil
}

// scanOptions are those of SCAN.
type scanOptions struct {
	cursor uint64
	count  int
	match  func(string) bool
	kind   string // in lower case; "": any
}

func parseScan(a [][]byte) (o scanOptions, err error) {
	cursor, ok := parseCursor(a[1])
	if !ok {
		return o, errCursor
	}
	o, err = parseScanOptions(a[2:], true)
	o.cursor = cursor
	return o, err
}

// parseScanOptions reads the options of SCAN, or those of ZSCAN, which has no TYPE.
func parseScanOptions(words [][]byte, typed bool) (o scanOptions, err error) {
	o.count, o.match = 10, glob.Compile("*")
	for ; len(words) > 0; words = words[2:] {
		if len(words) == 1 {
			return o, errSyntax
		}
		switch word := words[0]; {
		case is(word, "count"):
			n, err := parseInt[int64](words[1])
			if err != nil {
				return o, err
			}
			if n < 1 {
				return o, errSyntax
			}
			o.count = int(min(n, 1<<20))
		case is(word, "match"):
			o.match = glob.Compile(string(words[1]))
		case is(word, "type") && typed:
			o.kind = strings.ToLower(string(words[1]))
		default:
			return o, errSyntax
		}
	}
	return o, nil
}

// scanWithoutTurn is how many keys a SCAN may ask for that needs no turn.
const scanWithoutTurn = 1000

func scanAlone(c *client, a [][]byte) error {
	o, err := parseScan(a)
	if err != nil {
		return err
	}
	if o.count > scanWithoutTurn {
		c.takeTurn()
	}
	list, next, err := c.scan(o.cursor, o.count)
	if err != nil {
		return err
	}
	writeScan(&c.out, next, list, o)
	return nil
}

// scanTx answers all at once.
func scanTx(t *txn, a [][]byte) error {
	o, err := parseScan(a)
	if err != nil {
		return err
	}
	list, err := t.listed(t.step.db, "*")
	if err != nil {
		return err
	}
	writeScan(t.w, 0, list, o)
	return nil
}

func writeScan(w *wire.Writer, next uint64, list []found, o scanOptions) {
	list = slices.DeleteFunc(list, func(f found) bool {
		return o.kind != "" && o.kind != typeNames[f.kind] || !o.match(f.key)
	})
	w.Array(2)
	w.BulkString(decimal(next))
	_ = writeKeys(w, list, nil)
}

// A cursor of SCAN says where in the order of their hashes the keys go on: of the engine's hashes for sorted sets, and then of
// the server's own for plain values. Keys that are there from the beginning of a walk to its end, and keep their kind, come at least once.
// Cursors are below 2^53, since some clients keep them in floating point.
//
//	+----------------------------------+-----------------+
//	| the first 48 bits of the hash    | 1: plain values |
//	+----------------------------------+-----------------+

const cursorShift = 16 // bits of a hash that a cursor lacks

// scan returns about n keys from a cursor on, and the next cursor; 0: there are no more.
func (c *client) scan(cursor uint64, n int) (list []found, next uint64, err error) {
	at := cursor >> 1
	if at >= 1<<(64-cursorShift) {
		return nil, 0, nil // no cursor of ours
	}
	if cursor&1 == 0 {
		if list, next, err = c.scanSets(at, n); next != 0 || err != nil || c.s.plain.n.Load() == 0 {
			return list, next << 1, err
		}
		if at, n = 0, n-len(list); n <= 0 {
			return list, 1, nil
		}
	}
	plains, next, err := c.scanPlain(at, n)
	if next != 0 {
		next = next<<1 | 1
	}
	return append(list, plains...), next, err
}

// scanSets walks sorted sets.
func (c *client) scanSets(at uint64, n int) (list []found, next uint64, err error) {
	for {
		names, after, err := c.s.e.ScanKeys(at<<cursorShift, n)
		if err != nil {
			return nil, 0, err
		}
		if after>>cursorShift == at && after != 0 { // all of them have hashes that cursors do not tell apart
			n *= 2
			continue
		}
		for _, name := range names {
			if key, ok := in(c.db, name); ok {
				list = append(list, found{key, aSorted})
			}
		}
		return list, after >> cursorShift, nil
	}
}

// scanPlain walks plain values. O(plain values).
func (c *client) scanPlain(at uint64, n int) (list []found, next uint64, err error) {
	all, err := c.plains(c.db)
	if err != nil {
		return nil, 0, err
	}
	place := func(f found) uint64 { return maphash.String(c.s.seed, f.key) >> cursorShift }
	all = slices.DeleteFunc(all, func(f found) bool { return place(f) < at })
	slices.SortFunc(all, func(a, b found) int { return cmp.Compare(place(a), place(b)) })
	for ; n < len(all) && n > 0; n++ {
		if next = place(all[n]); next != place(all[n-1]) {
			return all[:n], next, nil
		}
	}
	return all, 0, nil
}

func randomAlone(c *client, _ [][]byte) error {
	key, ok, err := c.random(c.db)
	if err == nil {
		writeKey(&c.out, key, ok)
	}
	return err
}

func randomTx(t *txn, _ [][]byte) error {
	list, err := t.listed(t.step.db, "*")
	if err == nil {
		key, ok := pick(list)
		writeKey(t.w, key, ok)
	}
	return err
}

func writeKey(w *wire.Writer, key string, ok bool) {
	if ok {
		w.BulkString(key)
	} else {
		w.Null()
	}
}

// pick returns one of the keys.
func pick(list []found) (key string, ok bool) {
	if len(list) == 0 {
		return "", false
	}
	return list[rand.IntN(len(list))].key, true
}

// random returns a key of a database by chance. It looks for one among all keys before it lists those of the database.
func (c *client) random(db int) (key string, ok bool, err error) {
	plains, err := c.plains(db)
	if err != nil {
		return "", false, err
	}
	sets, err := c.s.e.Count()
	if err != nil {
		return "", false, err
	}
	if len(plains) > 0 && rand.IntN(sets+len(plains)) < len(plains) {
		key, ok = pick(plains)
		return key, ok, nil
	}
	for range 16 {
		name, ok, err := c.s.e.RandomKey(nil)
		if err != nil {
			return "", false, err
		}
		if key, here := in(db, name); ok && here {
			return key, true, nil
		}
	}
	list, err := c.listed(db, "*")
	key, ok = pick(list)
	return key, ok, err
}
