package engine

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEventKeyInLog: the handler quotes keys that need it, once; nothing quotes them before.
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
