package engine

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/owner"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// Every exported method of an engine, of a transaction and of a set is in one of the tables of this file: either it changes keys, and must refuse
// reserved ones, or it does not. TestReservedMethods fails for a method that is in no table.

const (
	ranked = "board/arena/day/2026-11-20/v1" // int64 scores
	old    = "board/mine"                    // float64 scores: no board's
	secret = "board.spec\x00arena"           // a private key
	absent = "board.new"
	own    = "own"
)

// reserving is an engine that has a set or value under each of these keys except absent.
type reserving struct {
	*Engine
	ctx context.Context
}

func reserve(t *testing.T) reserving {
	t.Helper()
	e, err := Open("db", Options{FS: persist.MemFS(), SnapshotBytes: -1})
	require.NoError(t, err)
	t.Cleanup(func() { _ = e.Close() })
	o := ownerOf(t, e)
	require.NoError(t, o.Update(t.Context(), []string{ranked, old, own}, func(tx *Tx) error {
		s, err := tx.IntSet(ranked, Form{})
		require.NoError(t, err)
		for i, member := range []string{"x", "y"} {
			_, err = s.Add([]byte(member), int64(i))
			require.NoError(t, err)
		}
		for _, key := range []string{old, own} {
			s, err := tx.Set(key)
			require.NoError(t, err)
			_, err = s.Add([]byte("x"), 1)
			require.NoError(t, err)
		}
		return tx.Put(secret, []byte("spec"))
	}))
	return reserving{e, t.Context()}
}

func ownerOf(t testing.TB, e *Engine) Owner {
	t.Helper()
	o, err := e.Owner(owner.New())
	require.NoError(t, err)
	return o
}

// everything returns all that the engine holds, as text.
func (e reserving) everything(t *testing.T) (text string) {
	t.Helper()
	text = stateText(t, e.Engine)
	require.NoError(t, e.View(t.Context(), func(tx *Tx) error {
		for kv, err := range tx.Scan("") {
			require.NoError(t, err)
			text += string(kv.Key) + "=" + string(kv.Value) + "\n"
		}
		return nil
	}))
	return text
}

func third[T, U any](_ T, _ U, err error) error { return err }

// changesKeys are the methods of an Engine that change what a key holds, each with calls that would change a reserved one.
var changesKeys = map[string][]func(e reserving) error{
	"Delete": {func(e reserving) error { return second(e.Delete(context.Background(), ranked)) }, func(e reserving) error { return second(e.Delete(context.Background(), own, absent)) }},
	"Rename": {func(e reserving) error { return e.Rename(context.Background(), ranked, "to") }, func(e reserving) error { return e.Rename(context.Background(), own, absent) },
		func(e reserving) error { return e.Rename(context.Background(), old, absent) }, func(e reserving) error { return e.Rename(context.Background(), own, ranked) }},
	"RenameIfAbsent": {func(e reserving) error { return second(e.RenameIfAbsent(context.Background(), ranked, "to")) }, func(e reserving) error { return second(e.RenameIfAbsent(context.Background(), own, absent)) }},
	"Copy":           {func(e reserving) error { return second(e.Engine.Copy(e.ctx, own, ranked)) }, func(e reserving) error { return second(e.Engine.Copy(e.ctx, ranked, absent)) }},
	"ExpireAt": {func(e reserving) error {
		return second(e.ExpireAt(context.Background(), ranked, time.Now().Add(time.Hour)))
	}, func(e reserving) error { return second(e.ExpireAt(context.Background(), old, time.Unix(1, 0))) }},
	"ExpireIn": {func(e reserving) error { return second(e.ExpireIn(context.Background(), ranked, time.Hour)) }, func(e reserving) error { return second(e.ExpireIn(context.Background(), absent, time.Hour)) }},
	"Persist":  {func(e reserving) error { return second(e.Persist(context.Background(), ranked)) }, func(e reserving) error { return second(e.Persist(context.Background(), old)) }},
	"StoreSet": {func(e reserving) error { return errorOf(e.StoreSet(e.ctx, ranked, must(newSet()), SetStore{})) },
		func(e reserving) error { return errorOf(e.StoreSet(e.ctx, absent, must(newSet()), SetStore{})) }},
	"StoreInts":  {func(e reserving) error { return e.StoreInts(e.ctx, ranked, someInts()) }, func(e reserving) error { return e.StoreInts(e.ctx, absent, someInts()) }},
	"UnionStore": {func(e reserving) error { return second(e.UnionStore(e.ctx, ranked, zset.Combine[float64]{}, own)) }},
	"InterStore": {func(e reserving) error { return second(e.InterStore(e.ctx, absent, zset.Combine[float64]{}, own)) }},
	"DiffStore":  {func(e reserving) error { return second(e.DiffStore(e.ctx, old, own)) }},
	"RangeStore": {func(e reserving) error {
		return second(e.RangeStore(e.ctx, absent, own, func(*zset.View) (int, int) { return 0, 1 }))
	}},
	"PopMinWait":  {func(e reserving) error { return third(e.PopMinWait(e.ctx, old)) }, func(e reserving) error { return third(e.PopMinWait(e.ctx, own, absent)) }},
	"PopMaxWait":  {func(e reserving) error { return third(e.PopMaxWait(e.ctx, old)) }},
	"PopMinWaitN": {func(e reserving) error { return third(e.PopMinWaitN(e.ctx, 1, absent)) }},
	"PopMaxWaitN": {func(e reserving) error { return third(e.PopMaxWaitN(e.ctx, 1, ranked)) }},
}

// readsKeys are the methods that read reserved keys.
var readsKeys = map[string]func(e reserving) error{
	"CopyInts":  func(e reserving) error { return third(e.CopyInts(e.ctx, ranked, Form{})) },
	"Diff":      func(e reserving) error { return second(e.Diff(e.ctx, old, own)) },
	"Inter":     func(e reserving) error { return second(e.Inter(e.ctx, zset.Combine[float64]{}, old)) },
	"InterCard": func(e reserving) error { return second(e.InterCard(e.ctx, 0, old, own)) },
	"Union":     func(e reserving) error { return second(e.Union(e.ctx, zset.Combine[float64]{}, old)) },
	"Exists":    func(e reserving) error { return second(e.Exists(context.Background(), ranked, absent)) },
	"Expiry":    func(e reserving) error { return third(e.Expiry(ranked)) },
	"Type":      func(e reserving) error { return second(e.Type(context.Background(), ranked)) },
	"Usage":     func(e reserving) error { return third(e.Usage(ranked)) },
	"Usages":    func(e reserving) error { return second(e.Usages([]string{ranked})) },
	"Keys":      func(e reserving) error { return second(e.Keys("board/")) },
	"Preload":   func(e reserving) error { return second(e.Preload(e.ctx, "board/")) },
	"Unload":    func(e reserving) error { return e.Unload(ranked) },
	"View": func(e reserving) error {
		return e.View(context.Background(), func(*Tx) error { return nil }, ranked, absent)
	},
	"Update": func(e reserving) error {
		return e.Update(context.Background(), func(*Tx) error { return nil }, ranked, absent)
	},
	"UpdateLater": func(e reserving) error {
		return second(e.UpdateLater(context.Background(), func(*Tx) error { return nil }, ranked, absent))
	},
}

// noKeys are the methods without a key. Clear does not drop reserved ones: see TestReservedClear.
const noKeys = "Acknowledge Backup Barrier Check Clear Close Compact Count Done DurableSeq Feed Flush Glob InTx LastSeq Listpack Now Owner RandomKey Recovery " +
	"ScanKeys SetListpack Settings Snapshot Stats Waiting"

// changesInTx are the methods of a Tx that change what a key holds.
var changesInTx = map[string][]func(tx *Tx) error{
	"Copy":     {func(tx *Tx) error { return tx.Copy(own, ranked) }, func(tx *Tx) error { return tx.Copy(ranked, absent) }},
	"StoreSet": {func(tx *Tx) error { return tx.StoreSet(ranked, must(newSet())) }, func(tx *Tx) error { return tx.StoreSet(absent, must(newSet())) }},
	"Drop":     {func(tx *Tx) error { return second(tx.Drop(ranked)) }, func(tx *Tx) error { return second(tx.Drop(absent)) }},
	"Rename":   {func(tx *Tx) error { return tx.Rename(ranked, "to") }, func(tx *Tx) error { return tx.Rename(own, absent) }, func(tx *Tx) error { return tx.Rename(old, ranked) }},
	"Put":      {func(tx *Tx) error { return tx.Put(secret, nil) }, func(tx *Tx) error { return tx.Put("board/private", nil) }},
	"Delete":   {func(tx *Tx) error { return tx.Delete(secret) }, func(tx *Tx) error { return tx.Delete("board.none") }},
}

// readsInTx are the other methods of a Tx. The sets that Set, SetTied and IntSet return refuse changes.
var readsInTx = map[string]func(tx *Tx) error{
	"Get":     func(tx *Tx) error { return third(tx.Get(secret)) },
	"IntSet":  func(tx *Tx) error { return second(tx.IntSet(ranked, Form{})) },
	"Context": func(tx *Tx) error { return tx.Context().Err() },
	"Now":     func(tx *Tx) error { tx.Now(); return nil },
	"Saw":     func(tx *Tx) error { tx.Saw(); return nil },
	"Seq":     func(tx *Tx) error { tx.Seq(); return nil },
	"Set":     func(tx *Tx) error { return second(tx.Set(old)) },
	"SetTied": func(tx *Tx) error { return second(tx.SetTied(old, 0)) },
	"Stat":    func(tx *Tx) error { return second(tx.Stat(ranked)) },
	"Scan": func(tx *Tx) error {
		for _, err := range tx.Scan("board.") {
			return err
		}
		return errors.New("nothing is found")
	},
}

// changesMembers are the methods of Set and IntSet that change the set. All others of theirs read it, and are called with arguments
// that reflection makes.
var changesMembers = strings.Fields("Add AddIf AddTied ExpireAt ExpireIn IncrBy IncrByIf Persist PopMax PopMin Put Remove RemoveRange")

// readsMembers are the others.
var readsMembers = strings.Fields("Above Append AppendAliases AppendMembers AppendPage AppendRandom AppendRev AppendScan AtPercentile Below Best Check Copy " +
	"CopyRange Distinct Encoding Entries Expect ExpectAbsent ExpectScore Expiry Gap Get GoString ID Integers Key LastSeq Layers Len MemberInterval MemberPage MultiScore Options " +
	"PageChanged Pages Percentile Random Range Rank RankBy RankGet RankInterval RankScore RevMemberPage RevRange RevRank RevRankBy RevScoreRank Reverse Score " +
	"ScoreInterval ScoreRank Seek SeekAfter Size TieWidth Version")

func someInts() *zset.IntSet {
	z := must(zset.NewInt(zset.Options{}))
	must(z.Add([]byte("z"), 1))
	return z
}

// TestReservedMethods: each exported method is in a table.
func TestReservedMethods(t *testing.T) {
	names := func(lists ...[]string) []string { return slices.Sorted(slices.Values(slices.Concat(lists...))) }
	for _, row := range []struct {
		of     any
		tables []string
	}{
		{&Engine{}, names(slices.Collect(maps.Keys(changesKeys)), slices.Collect(maps.Keys(readsKeys)), strings.Fields(noKeys))},
		{&Tx{}, names(slices.Collect(maps.Keys(changesInTx)), slices.Collect(maps.Keys(readsInTx)))},
		{&Set{}, names(changesMembers, readsMembers)},
		{&IntSet{}, names(changesMembers, readsMembers)},
	} {
		var have []string
		for m := range reflect.TypeOf(row.of).Methods() {
			have = append(have, m.Name)
		}
		require.Equal(t, have, row.tables, "%T: a method that is new must say in engine/reserved_test.go whether it changes keys", row.of)
	}
}

// TestReservedKeys: every method that would change a reserved key returns ErrReserved, and nothing has changed; those that read work.
func TestReservedKeys(t *testing.T) {
	e := reserve(t)
	before, seq := e.everything(t), e.LastSeq()
	unchanged := func(name string) {
		t.Helper()
		require.Equal(t, seq, e.LastSeq(), name)
		require.Equal(t, before, e.everything(t), name)
	}
	for name, calls := range changesKeys {
		for _, call := range calls {
			require.ErrorIs(t, call(e), ErrReserved, name)
			unchanged(name)
		}
	}
	for name, call := range readsKeys {
		require.NoError(t, call(e), name)
		unchanged(name)
	}
	keys := []string{ranked, old, absent, own, "to"}
	for name, calls := range changesInTx {
		for _, call := range calls {
			require.ErrorIs(t, e.Update(t.Context(), call, keys...), ErrReserved, name)
			unchanged(name)
			require.NoError(t, e.Update(t.Context(), func(tx *Tx) error { // a closure that ignores the error has changed nothing either
				require.ErrorIs(t, call(tx), ErrReserved, name)
				return nil
			}, keys...))
			unchanged(name)
		}
	}
	for name, call := range readsInTx {
		require.NoError(t, e.Update(t.Context(), call, keys...), name)
		require.NoError(t, e.View(t.Context(), call, keys...), name)
		unchanged(name)
	}
	for _, name := range slices.Concat(changesMembers, readsMembers) {
		require.NoError(t, e.Update(t.Context(), func(tx *Tx) error {
			ints, err := tx.IntSet(ranked, Form{})
			require.NoError(t, err)
			floats, err := tx.Set(old)
			require.NoError(t, err)
			fresh, err := tx.IntSet(absent, Form{})
			require.NoError(t, err)
			for _, s := range []any{ints, floats, fresh} {
				err := callAny(t, s, name)
				if slices.Contains(changesMembers, name) {
					require.ErrorIs(t, err, ErrReserved, name)
				} else {
					require.NotErrorIs(t, err, ErrReserved, name)
				}
			}
			return nil
		}, keys...))
		unchanged(name)
	}
}

// callAny calls a method with valid arguments of its types, and returns its error, or nil if it returns none.
func callAny(t *testing.T, of any, name string) error {
	t.Helper()
	m := reflect.ValueOf(of).MethodByName(name)
	var in []reflect.Value
	for i := range m.Type().NumIn() {
		arg := m.Type().In(i)
		switch arg {
		case reflect.TypeFor[[]byte]():
			in = append(in, reflect.ValueOf([]byte("x")))
		case reflect.TypeFor[*rand.Rand]():
			in = append(in, reflect.ValueOf(rand.New(rand.NewPCG(1, 2))))
		case reflect.TypeFor[time.Time]():
			in = append(in, reflect.ValueOf(time.Now().Add(time.Hour)))
		case reflect.TypeFor[*zset.MemberBound](), reflect.TypeFor[[]string]():
			in = append(in, reflect.Zero(arg))
		default:
			x := reflect.New(arg).Elem()
			switch arg.Kind() {
			case reflect.Int, reflect.Int64:
				x.SetInt(1)
			case reflect.Float64:
				x.SetFloat(1)
			}
			in = append(in, x)
		}
	}
	if m.Type().IsVariadic() {
		in = in[:len(in)-1]
	}
	out := m.Call(in)
	if len(out) == 0 {
		return nil
	}
	err, _ := out[len(out)-1].Interface().(error)
	return err
}

// TestReservedClear: Clear drops the sets under other keys.
func TestReservedClear(t *testing.T) {
	e := reserve(t)
	n, err := e.Clear(e.ctx)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	keys, err := e.Keys("")
	require.NoError(t, err)
	require.Equal(t, []string{ranked, old}, keys)
}

// TestReservedLeft: a program's set under a reserved key, from a version that allowed it, can be read, copied, and renamed to another key.
func TestReservedLeft(t *testing.T) {
	e := reserve(t)
	require.NoError(t, e.Snapshot())
	n, err := e.Engine.Copy(e.ctx, ranked, "copy")
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.NoError(t, e.Rename(t.Context(), old, "mine"))
	require.NoError(t, setX(e.Engine, "mine", 5))
	require.ErrorIs(t, setX(e.Engine, old, 5), ErrReserved)
	keys, err := e.Keys("")
	require.NoError(t, err)
	require.Equal(t, []string{ranked, "copy", "mine", own}, keys)
}

// TestReservedNames: which keys are reserved.
func TestReservedNames(t *testing.T) {
	for key, want := range map[string]bool{"board/": true, "board.": true, "board/a": true, "board.meta\x00": true, "": false, "board": false,
		"boards/a": false, "Board/a": false, "board\x00": false, "a/board/": false, "\x00\x01board/a": false} {
		require.Equal(t, want, Reserved(key), "%q", key)
	}
}

// TestOwnerOfNobody: the zero Owner changes nothing, nor does an Owner in the transaction of another engine.
func TestOwnerOfNobody(t *testing.T) {
	e, other := reserve(t), reserve(t)
	_, err := e.Owner(owner.Pass{})
	require.ErrorIs(t, err, ErrReserved)
	none := func(*Tx) error { return nil }
	require.ErrorIs(t, Owner{}.Update(t.Context(), nil, none), ErrReserved)
	require.ErrorIs(t, second(Owner{}.Delete(t.Context(), ranked)), ErrReserved)
	require.ErrorIs(t, Owner{}.StoreInts(e.ctx, ranked, someInts()), ErrReserved)
	require.NoError(t, e.Update(t.Context(), func(tx *Tx) error {
		drop := func() error { return second(tx.Drop(ranked)) }
		require.ErrorIs(t, Owner{}.In(tx, drop), ErrReserved)
		require.ErrorIs(t, ownerOf(t, other.Engine).In(tx, drop), ErrReserved)
		require.NoError(t, ownerOf(t, e.Engine).In(tx, drop))
		require.ErrorIs(t, second(tx.Drop(ranked)), ErrReserved, "after In")
		return nil
	}, ranked))
	require.ErrorIs(t, e.Rename(t.Context(), ranked, "to"), ErrNoSet)
}
