package state

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/internal/boardkey"
)

// FuzzStored gives any bytes to the decoders of stored records and of the keys of sets. A value that decodes is the same after it was
// encoded and decoded again. A record that DecodeRecord parses by itself is the one that package json decodes.
func FuzzStored(f *testing.F) {
	f.Add([]byte(`{"period":"2026-07","start":1,"end":2,"closedAt":3,"members":4}`))
	f.Add([]byte(`{"format":1,"period":"2026-07","start":1,"end":2,"closedAt":3,"members":4,"digests":{"2":"00ff00ff00ff00ff"}}`))
	f.Add([]byte(`{"format":1,"period":"a\"b","start":-0,"end":-2,"closedAt":01,"members":4,"digests":{"2":"00FF00ff00ff00ff","3":"1"}}`))
	f.Add([]byte(`{"period":"2026-07","start":1,"end":2,"closedAt":3,"members":4,"vacancies":{"2":[{"score":-7,"tie":"AQI="},{"score":-9,"tie":"AQ=="}],"3":[{}]}}`))
	f.Add([]byte(`{"vacancies":{"0":[]}}`))
	f.Add([]byte(`{"vacancies":{"0":[{"tie":""}]}}`))
	f.Add([]byte("board/arena/daily/2026-07-01/v1"))
	f.Add([]byte("board/a/b/.best.all-time/all/v12"))
	f.Add([]byte("board////v1"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, ok := parseRecord(b); ok {
			same, err := decodeJSON(b)
			require.NoError(t, err)
			require.Equal(t, same, r)
		}
		if r, err := DecodeRecord(b); err == nil {
			again, err := r.Encode()
			require.NoError(t, err)
			same, err := DecodeRecord(again)
			require.NoError(t, err)
			require.Equal(t, r, same)
		}
		if k, ok := boardkey.Parse(string(b)); ok {
			require.Equal(t, string(b), k.String())
		}
	})
}
