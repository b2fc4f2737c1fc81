package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/persist"
)

// anyEffects decodes bytes as commits. Each effect has its kind and whether a commit ends with it, its set, its member, and the length and bytes of
// its value or facts. The store accepts all of them; they need not make sense to the engine.
func anyEffects(data []byte, b *persist.Batch, commit func()) {
	next := func(n int) (piece []byte) {
		n = min(n, len(data))
		piece, data = data[:n], data[n:]
		return piece
	}
	for len(data) > 4 {
		head := next(4)
		set, member, value := fmt.Sprint("s", head[1]%3), fmt.Appendf(nil, "m%d", head[2]%8), next(int(head[3])%64)
		switch head[0] % 4 {
		case 0:
			b.Create(set, value)
		case 1:
			b.Put(set, member, value)
		case 2:
			b.Remove(set, member)
		case 3:
			b.Drop(set)
		}
		if head[0] >= 128 {
			commit()
		}
	}
}

// content returns all sets of an engine with their members as text. A set that cannot be read must return ErrCorrupt.
func content(t *testing.T, e *Engine) string {
	var text strings.Builder
	keys, err := e.Keys("")
	require.NoError(t, err)
	for _, key := range keys {
		err := e.View(t.Context(), func(tx *Tx) error {
			st, err := tx.Stat(key)
			require.NoError(t, err)
			if !st.Exists { // no commit of an engine leaves an empty set
				return nil
			}
			fmt.Fprintf(&text, "%q %v %+v %v ", key, st.Ints, st.Form, st.Expires)
			if st.Ints {
				s, err := tx.IntSet(key, st.Form)
				require.NoError(t, err)
				fmt.Fprintln(&text, s.Append(nil, 0, s.Len()))
				return nil
			}
			s, err := tx.SetTied(key, st.Form.TieWidth)
			require.NoError(t, err)
			fmt.Fprintln(&text, s.Append(nil, 0, s.Len()))
			return nil
		}, key)
		if err != nil {
			require.ErrorIs(t, err, ErrCorrupt)
		}
	}
	return text.String()
}

// FuzzLog opens a directory whose log has arbitrary effects. Open returns ErrCorrupt, or an engine that passes Check and has the same contents after a
// snapshot and a reopen.
func FuzzLog(f *testing.F) {
	put := func(value ...byte) string { return "\x01\x00\x01" + string(rune(len(value))) + string(value) }
	create := func(x facts.Facts) string { return "\x80\x00\x00" + string(rune(len(x.Encode()))) + string(x.Encode()) }
	score := []byte{0x40, 0, 0, 0, 0, 0, 0, 0}
	f.Add([]byte(create(facts.Facts{Version: 1}) + put(score...) + "\x82\x00\x01\x00" + put(score...)))
	f.Add([]byte(create(facts.Facts{Version: 2, TieWidth: 8}) + put(append(score, score...)...) + "\x83\x00\x00\x00" + create(facts.Facts{})))
	f.Add([]byte(create(facts.Facts{Version: 3, Ints: true, TieWidth: 8, ScoreTie: 8, Dense: true}) + put(append(score, score...)...)))
	f.Add([]byte(create(facts.Facts{Hidden: true}) + put(score...)))
	f.Add([]byte(create(facts.Facts{Key: "s1", Other: true}) + put(score...) + "\x80\x01\x00\x09" + string(facts.Facts{}.Encode())))
	f.Add([]byte(put(score...)))
	f.Fuzz(func(t *testing.T, data []byte) {
		fs := persist.MemFS()
		s, err := persist.Open("db", persist.Options{FS: fs})
		require.NoError(t, err)
		var b persist.Batch
		commit := func() {
			_, err := s.Append(&b)
			require.NoError(t, err)
			b.Reset()
		}
		anyEffects(data[:min(len(data), 2000)], &b, commit)
		commit()
		require.NoError(t, s.Close())
		o := Options{FS: fs, Clock: func() time.Time { return time.Unix(scriptsBegin, 0) }}
		e, err := Open("db", o)
		if err != nil {
			require.ErrorIs(t, err, ErrCorrupt)
			return
		}
		_, err = e.Check(t.Context(), nil)
		require.NoError(t, err)
		want := content(t, e)
		require.NoError(t, e.Snapshot())
		require.NoError(t, e.Close())
		e = mustOpen(t, fs, o)
		require.Equal(t, want, content(t, e))
		require.NoError(t, e.Close())
	})
}
