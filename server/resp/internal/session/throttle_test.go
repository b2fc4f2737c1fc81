package session

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestThrottledLog: a thousand events are one line, and the next line counts them.
func TestThrottledLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var text bytes.Buffer
		log, l := slog.New(slog.NewTextHandler(&text, nil)), ThrottledLog{}
		for range 1000 {
			l.Warn(log, "it happened")
		}
		require.Equal(t, 1, strings.Count(text.String(), "it happened"))
		require.Contains(t, text.String(), "times=1\n")
		time.Sleep(time.Second)
		l.Warn(log, "it happened")
		require.Equal(t, 2, strings.Count(text.String(), "it happened"))
		require.Contains(t, text.String(), "times=1000\n")
	})
}
