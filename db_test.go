package zrank_test

import (
	"errors"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
)

var _ board.Store = (*zrank.DB)(nil)

var arena = board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Week}}

// TestOpen: what was submitted is there when the directory is opened again; one DB has it at a time.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	for i := range int64(3) {
		db, err := zrank.Open(dir, nil)
		require.NoError(t, err)
		_, err = zrank.Open(dir, nil)
		require.ErrorIs(t, err, engine.ErrLocked)
		b, err := db.Define(t.Context(), arena)
		require.NoError(t, err)
		c, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(10)})
		require.NoError(t, err)
		require.Equal(t, board.Ints(10*(i+1)), c.After.Score)
		rep, err := db.Check(t.Context(), nil)
		require.NoError(t, err)
		require.Empty(t, rep.Problems)
		require.NoError(t, db.Close())
		require.NoError(t, db.Close(), "a second one")
		_, err = b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(10)})
		require.ErrorIs(t, err, board.ErrClosed)
		_, err = db.Names(t.Context())
		require.ErrorIs(t, err, board.ErrClosed)
	}
}

// TestOptions: options that cannot be are refused, and nothing stays open.
func TestOptions(t *testing.T) {
	dir := t.TempDir()
	_, err := zrank.Open(dir, &zrank.Options{Engine: engine.Options{MaxSets: -1}})
	require.Error(t, err)
	o := &zrank.Options{}
	o.Boards.MaxJump = 1
	_, err = zrank.Open(dir, o)
	require.ErrorContains(t, err, "MaxJump")
	_, err = zrank.New(o)
	require.ErrorContains(t, err, "MaxJump")
	db, err := zrank.Open(dir, &zrank.Options{})
	require.NoError(t, err)
	require.NoError(t, db.Close())
}

// TestUpdate: a board, a set and a private key change together, or not at all; a View sees all of it or nothing.
func TestUpdate(t *testing.T) {
	db, err := zrank.New(nil)
	require.NoError(t, err)
	defer db.Close()
	b, err := db.Define(t.Context(), arena)
	require.NoError(t, err)
	failed := errors.New("not enough coins")
	buy := func(points int64, end error) error {
		return db.Update(t.Context(), func(tx *zrank.Tx) error {
			arena, err := tx.Board("arena")
			if err != nil {
				return err
			}
			c, err := arena.Submit(board.Submission{Member: "ada", Score: board.Ints(points)})
			if err != nil {
				return err
			}
			gifts, err := tx.Set("gifts")
			if err != nil {
				return err
			}
			if _, err := gifts.IncrBy([]byte("ada"), 1); err != nil {
				return err
			}
			_, err = b.Submit(tx.Context(), board.Submission{Member: "bea", Score: board.Ints(1)})
			require.ErrorIs(t, err, engine.ErrInTx)
			return errors.Join(tx.Put("points:ada", []byte(c.After.Score.String())), end)
		})
	}
	see := func() (points, gifts int64, key string) {
		require.NoError(t, db.View(t.Context(), func(tx *zrank.Tx) error {
			arena, err := tx.Board("arena")
			require.NoError(t, err)
			all, err := arena.Live("all")
			require.NoError(t, err)
			score, _, err := all.Score(tx.Context(), "ada")
			require.NoError(t, err)
			set, err := tx.Set("gifts")
			require.NoError(t, err)
			n, _ := set.Score([]byte("ada"))
			value, _, err := tx.Get("points:ada")
			require.NoError(t, err)
			points, gifts, key = int64(score.At(0).Float()), int64(n), string(value)
			return nil
		}))
		return points, gifts, key
	}
	for i := range int64(3) {
		require.ErrorIs(t, buy(1000, failed), failed)
		require.NoError(t, buy(5, nil))
		points, gifts, key := see()
		require.Equal(t, 5*(i+1), points)
		require.Equal(t, i+1, gifts)
		require.Equal(t, strconv.FormatInt(points, 10), key)
	}
	require.ErrorIs(t, db.View(t.Context(), func(tx *zrank.Tx) error { _, err := tx.Board("nothing"); return err }), board.ErrNoBoard)
}
