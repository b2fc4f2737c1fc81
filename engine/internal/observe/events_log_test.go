package observe

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist"
)

// TestEventKeyInLog: only the log handler quotes keys, so no key is quoted twice.
func TestEventKeyInLog(t *testing.T) {
	for key, want := range map[string][2]string{
		"board/b3/all/all/v1": {`key=board/b3/all/all/v1`, `"key":"board/b3/all/all/v1"`},
		"two words":           {`key="two words"`, `"key":"two words"`},
		`a "b"`:               {`key="a \"b\""`, `"key":"a \"b\""`},
		"\xff\n":              {`key="\xff\n"`, `"key":"\ufffd\n"`},
	} {
		var text, json bytes.Buffer
		for _, h := range []slog.Handler{slog.NewTextHandler(&text, nil), slog.NewJSONHandler(&json, nil)} {
			slog.New(h).LogAttrs(context.Background(), slog.LevelWarn, "event", Event{Kind: EventSlowLoad, Key: key}.attrs()...)
		}
		require.Contains(t, text.String(), want[0]+"\n")
		require.Contains(t, json.String(), want[1])
	}
}

// TestEventNames: every kind has a name, a line for the log and a level.
func TestEventNames(t *testing.T) {
	texts := map[string]bool{}
	for k := EventSlowSync; k <= EventCompact; k++ {
		for _, ended := range []bool{false, true} {
			v := Event{Kind: k, Ended: ended}
			require.NotContains(t, v.text(), "EventKind")
			require.False(t, texts[v.text()], v.text())
			texts[v.text()] = true
		}
	}
	require.Equal(t, "EventKind(0)", EventKind(0).String())
	require.Equal(t, "EventKind(99)", EventKind(99).String())
	for _, k := range []persist.EventKind{persist.EventSlowSync, persist.EventStalled, persist.EventDiskFull, persist.EventFailed, persist.EventWaiting} {
		require.Equal(t, k.String(), EventKind(k).String())
	}
	require.Len(t, Event{Kind: EventSlowCall, Op: "view", Duration: 1, Bytes: 1, Key: "k", N: 1, Err: errors.New("stop")}.attrs(), 6)
}

// TestSlowWaitLog: the log has the keys, the holders and the goroutines.
func TestSlowWaitLog(t *testing.T) {
	v := Event{Kind: EventSlowCall, Waiting: true, Op: "update", Key: "b", Keys: []string{"b"}, N: 1, Goroutine: 7,
		Holders: []Holder{{Op: "view", Keys: []string{"a", "b"}, N: 2, Goroutine: 9, Duration: time.Second}, {Op: "update", N: 1, Waiting: true}}}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).LogAttrs(context.Background(), v.level(), v.text(), v.attrs()...)
	for _, want := range []string{`level=WARN msg="engine: slow call waits for a lock" op=update`, "keys=[b]", "goroutine=7",
		`holder="view of [\"a\" \"b\"] (2 keys), goroutine 9, in its closure for 1s"`, "waiting for another key"} {
		require.Contains(t, log.String(), want)
	}
}
