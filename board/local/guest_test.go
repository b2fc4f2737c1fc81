package local

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine"
)

// TestBatchesAreSeenWhole submits batches that give all members the number of the batch as score, while others read the ranking in all ways.
// A read must not see scores of two batches, whether it waits for the batch or is let in during it.
func TestBatchesAreSeenWhole(t *testing.T) {
	const members = 300
	for _, slow := range []time.Duration{0, time.Hour} { // with SlowCall, calls wait in another way
		e, err := engine.New(engine.Options{SlowCall: slow})
		require.NoError(t, err)
		bs, err := Open(e, Options{})
		require.NoError(t, err)
		b, err := bs.Define(t.Context(), board.Spec{Name: "arena", Windows: []board.Window{board.All, board.Week}})
		require.NoError(t, err)
		submitAll := func(score int) {
			subs := make([]board.Submission, members)
			for i := range subs {
				subs[i] = board.Submission{Member: fmt.Sprintf("m%03d", (i*7+score)%members), Score: board.Ints(int64(score))}
			}
			_, err := b.SubmitAll(t.Context(), subs)
			require.NoError(t, err)
		}
		submitAll(0)
		stop := make(chan struct{})
		var readers sync.WaitGroup
		for range 3 {
			readers.Go(func() { readWhole(t, b, members, stop) })
		}
		for k := range howMany(60) {
			submitAll(k + 1)
		}
		close(stop)
		readers.Wait()
		require.NoError(t, bs.Close())
		require.NoError(t, e.Close())
	}
}

// readWhole reads the ranking until stop is closed. All rows of a read must have one score, which never falls.
func readWhole(t *testing.T, b board.Board, members int, stop chan struct{}) {
	live, err := b.Live(t.Context(), "all")
	if err != nil {
		t.Error(err)
		return
	}
	last := int64(0)
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		rows, err := live.Top(t.Context(), members)
		if i%2 == 1 {
			rows, _, err = live.Around(t.Context(), fmt.Sprintf("m%03d", i%members), members)
		}
		if err != nil || len(rows) != members {
			t.Errorf("%d rows, %v", len(rows), err)
			return
		}
		for place, row := range rows {
			if row.Score != rows[0].Score || row.Rank != place+1 {
				t.Errorf("row %d is %v, the first is %v", place, row, rows[0])
				return
			}
		}
		if whole(rows[0].Score.At(0).Units()) < last {
			t.Errorf("%v after %v", rows[0], last)
			return
		}
		last = whole(rows[0].Score.At(0).Units())
	}
}

// TestMetadataIsNotReadByGuests: a read of a board with metadata needs the lock of the board's private keys. Whoever has that may wait for the transaction
// that would let the read in, so the read must wait for the transaction's end.
func TestMetadataIsNotReadByGuests(t *testing.T) {
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	bs, err := Open(e, Options{})
	require.NoError(t, err)
	b, err := bs.Define(t.Context(), board.Spec{Name: "arena", Windows: []board.Window{board.All}, MaxMeta: 16})
	require.NoError(t, err)
	at := time.Now()
	sub := board.Submission{Member: "m1", Score: board.Ints(1), At: at}
	require.NoError(t, errorOf(b.Submit(t.Context(), sub)))
	keys, err := hintsOf(b).Submit(t.Context(), nil, sub)
	require.NoError(t, err)
	live, err := b.Live(t.Context(), "all")
	require.NoError(t, err)

	began, holds, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		require.NoError(t, e.Update(t.Context(), func(tx *engine.Tx) error {
			_, _, err := tx.Get(boardkey.Spec("arena")) // locks what is stored of the board
			close(holds)
			<-ended
			return err
		}, "other"))
	})
	all.Go(func() {
		<-began
		_, _, err := live.Rank(t.Context(), "m1")
		require.NoError(t, err)
	})
	<-holds
	require.NoError(t, e.Update(t.Context(), func(tx *engine.Tx) error {
		defer close(ended)
		close(began)
		for i := range 5000 {
			sub.Score = board.Ints(int64(i))
			if _, err := in(b, tx).Submit(sub); err != nil {
				return err
			}
			runtime.Gosched()
		}
		return nil
	}, keys...))
	all.Wait()
	require.NoError(t, bs.Close())
	require.NoError(t, e.Close())
}
