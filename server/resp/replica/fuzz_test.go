package replica

import (
	"bufio"
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzStream reads any bytes as commands and as replies. A command that is read has the bytes that it was read from.
func FuzzStream(f *testing.F) {
	for _, text := range []string{"*2\r\n$4\r\nPING\r\n$1\r\nx\r\n", "\n*1\r\n$0\r\n\r\n", "*3\r\n$8\r\nREPLCONF\r\n$6\r\nGETACK\r\n$1\r\n*\r\n", "*1000000\r\n$536870912\r\nabc", "*2\r\n:1\r\n-ERR x\r\n", "$-1\r\n+OK\r\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := stream{bufio.NewReader(bytes.NewReader(data))}
		at := 0
		for {
			c, err := s.next()
			if err != nil {
				break
			}
			require.Equal(t, data[at:at+len(c.raw)], c.raw)
			at += len(c.raw)
			for _, w := range c.words {
				require.True(t, bytes.Contains(c.raw, w))
			}
		}
		s = stream{bufio.NewReader(bytes.NewReader(data))}
		for {
			if _, _, err := s.reply(); err != nil {
				break
			}
		}
	})
}
