package zrank_test

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
)

// guildsDB is a DB with an arena, the guilds of its members, and a board of the guilds.
func guildsDB(t *testing.T, db *zrank.DB) {
	_, err := db.Define(t.Context(), arena)
	require.NoError(t, err)
	_, err = db.DefineGroups(t.Context(), "guild")
	require.NoError(t, err)
	_, err = db.Define(t.Context(), board.Spec{Name: "guilds", Derived: &board.Derived{From: "arena", Groups: "guild"}})
	require.NoError(t, err)
}

// pay takes coins of a member, or puts them there if they are below 0.
func pay(tx *zrank.Tx, member string, coins int) error {
	value, _, err := tx.Get("coins:" + member)
	if err != nil {
		return err
	}
	n, _ := strconv.Atoi(string(value))
	if n < coins {
		return errPoor
	}
	return tx.Put("coins:"+member, strconv.AppendInt(nil, int64(n-coins), 10))
}

var errPoor = errors.New("not enough coins")

// found makes ada found a guild for 100 coins, join it, and submit 10.
func found(t *testing.T, db *zrank.DB, guild string) error {
	return db.Update(t.Context(), func(tx *zrank.Tx) error {
		guilds, err := tx.Groups("guild")
		require.NoError(t, err)
		b, err := tx.Board("arena")
		require.NoError(t, err)
		if err := guilds.Create(guild, nil); err != nil {
			return err
		}
		if err := guilds.Join("ada", guild); err != nil {
			return err
		}
		if _, err := b.Submit(board.Submission{Member: "ada", Score: board.Ints(10)}); err != nil {
			return err
		}
		require.Equal(t, "10 1", guildScore(t, tx, guild))
		return pay(tx, "ada", 100)
	})
}

// leave makes ada leave its guild for coins.
func leave(t *testing.T, db *zrank.DB, coins int) error {
	return db.Update(t.Context(), func(tx *zrank.Tx) error {
		guilds, err := tx.Groups("guild")
		require.NoError(t, err)
		if err := guilds.Leave("ada"); err != nil {
			return err
		}
		return pay(tx, "ada", coins)
	})
}

// requireAda requires that ada is in a guild, "" for none, which has the score, and has so many coins; and that there are no bears.
func requireAda(t *testing.T, db *zrank.DB, guild, score, coins string) {
	t.Helper()
	require.NoError(t, db.View(t.Context(), func(tx *zrank.Tx) error {
		guilds, err := tx.Groups("guild")
		require.NoError(t, err)
		is, _, err := guilds.Of("ada")
		require.NoError(t, err)
		require.Equal(t, guild, is)
		_, err = guilds.Info("bears")
		require.ErrorIs(t, err, board.ErrNoGroup)
		require.Equal(t, score, guildScore(t, tx, "wolves"))
		value, _, err := tx.Get("coins:ada")
		require.Equal(t, coins, string(value))
		return err
	}))
}

// TestGroupsForCoins: a guild is founded, joined and left in the commit that takes coins, or nothing of it happens, also when the directory is opened again. A submission of a member who has
// joined in the same closure counts for its guild.
func TestGroupsForCoins(t *testing.T) {
	dir := t.TempDir()
	db, err := zrank.Open(dir, nil)
	require.NoError(t, err)
	guildsDB(t, db)
	require.NoError(t, db.Update(t.Context(), func(tx *zrank.Tx) error { return pay(tx, "ada", -150) }))
	require.NoError(t, found(t, db, "wolves"))
	require.ErrorIs(t, found(t, db, "wolves"), board.ErrGroupExists)
	require.ErrorIs(t, found(t, db, "bears"), board.ErrInGroup)
	require.ErrorIs(t, leave(t, db, 60), errPoor)
	requireAda(t, db, "wolves", "10 1", "50")
	require.NoError(t, db.Close())
	db, err = zrank.Open(dir, nil)
	require.NoError(t, err)
	requireAda(t, db, "wolves", "10 1", "50")
	require.NoError(t, leave(t, db, 50))
	requireAda(t, db, "", "", "0")
	rep, err := db.Check(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, rep.Problems)
	require.NoError(t, db.Close())
}

// guildScore returns the score of a guild this week, "" for none.
func guildScore(t *testing.T, tx *zrank.Tx, guild string) string {
	b, err := tx.Board("guilds")
	require.NoError(t, err)
	week, err := b.Live("week")
	require.NoError(t, err)
	score, ok, err := week.Score(tx.Context(), guild)
	require.NoError(t, err)
	if !ok {
		return ""
	}
	return score.String()
}

// TestFoundTogether: of goroutines that found the same guild at the same time one does so, and pays; the others find that it is there, and pay nothing.
func TestFoundTogether(t *testing.T) {
	db, err := zrank.New(nil)
	require.NoError(t, err)
	defer db.Close()
	guildsDB(t, db)
	const founders = 8
	for round := range 20 {
		guild := fmt.Sprint("guild", round)
		var wg sync.WaitGroup
		errs := make([]error, founders)
		for i := range founders {
			wg.Go(func() {
				member := fmt.Sprint("m", round, "-", i)
				errs[i] = db.Update(t.Context(), func(tx *zrank.Tx) error {
					if err := pay(tx, member, -7); err != nil {
						return err
					}
					guilds, err := tx.Groups("guild")
					if err != nil {
						return err
					}
					return errors.Join(guilds.Create(guild, nil), guilds.Join(member, guild))
				})
			})
		}
		wg.Wait()
		paid := 0
		require.NoError(t, db.View(t.Context(), func(tx *zrank.Tx) error {
			paid = 0
			for i := range founders {
				_, ok, err := tx.Get(fmt.Sprint("coins:m", round, "-", i))
				if err != nil {
					return err
				}
				require.Equal(t, errs[i] == nil, ok)
				if ok {
					paid++
				}
			}
			guilds, err := tx.Groups("guild")
			require.NoError(t, err)
			members, err := guilds.Members(guild, "", 10)
			require.Len(t, members, 1)
			return err
		}))
		require.Equal(t, 1, paid)
		for _, err := range errs {
			require.True(t, err == nil || errors.Is(err, board.ErrGroupExists), err)
		}
	}
}

// TestGroupsWrong: a kind that there is not, a View that changes something, a closed DB, and calls that are no part of transactions get their errors.
func TestGroupsWrong(t *testing.T) {
	db, err := zrank.New(nil)
	require.NoError(t, err)
	guildsDB(t, db)
	all, err := db.Groups(t.Context(), "guild")
	require.NoError(t, err)
	require.NoError(t, all.Create(t.Context(), "wolves", nil))
	require.NoError(t, all.Join(t.Context(), "ada", "wolves"))
	var after *zrank.Tx
	require.NoError(t, db.View(t.Context(), func(tx *zrank.Tx) error {
		_, err := tx.Groups("clan")
		require.ErrorIs(t, err, board.ErrNoGroups)
		guilds, err := tx.Groups("guild")
		require.NoError(t, err)
		for name, err := range map[string]error{
			"Create": guilds.Create("bears", nil), "SetMeta": guilds.SetMeta("wolves", nil), "Dissolve": guilds.Dissolve("wolves"),
			"Join": guilds.Join("bob", "wolves"), "Leave": guilds.Leave("ada"),
		} {
			require.ErrorIs(t, err, engine.ErrReadOnly, name)
		}
		after = tx
		return nil
	}))
	require.NoError(t, db.Update(t.Context(), func(tx *zrank.Tx) error {
		require.ErrorIs(t, all.JoinAll(tx.Context(), []board.Joining{{Member: "bob", Group: "wolves"}}, nil), engine.ErrInTx)
		require.ErrorIs(t, all.Rename(tx.Context(), "ada", "eva"), engine.ErrInTx)
		return nil
	}))
	guilds, err := after.Groups("guild")
	require.NoError(t, err)
	_, _, err = guilds.Of("ada")
	require.ErrorIs(t, err, engine.ErrTxDone)
	require.ErrorIs(t, guilds.Leave("ada"), engine.ErrTxDone)
	require.NoError(t, db.Close())
	_, err = after.Groups("guild")
	require.ErrorIs(t, err, board.ErrClosed)
}
