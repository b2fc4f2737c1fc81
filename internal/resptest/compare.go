package resptest

import (
	"bytes"
	"strings"
)

// Compare returns the first step whose replies in two transcripts of a script are different, and -1 if there is none.
func Compare(script Script, a, b Transcript) int {
	var queued [Conns][][]string // the commands of an open MULTI
	for i, s := range script {
		x, y := a.Replies[i], b.Replies[i]
		queue := &queued[s.Conn]
		switch {
		case (x == nil) != (y == nil), a.After[i] != b.After[i]:
			return i
		case x == nil:
			continue
		case string(x) == "+QUEUED\r\n":
			*queue = append(*queue, s.Words)
		}
		if !bytes.Equal(x, y) && !alike(s.Words, *queue, x.Value(), y.Value()) {
			return i
		}
		switch strings.ToUpper(s.Words[0]) {
		case "EXEC", "DISCARD", "RESET":
			if !x.IsError() || bytes.HasPrefix(x, []byte("-EXECABORT")) {
				*queue = nil
			}
		}
	}
	return -1
}

// alike compares two replies to a command, and the items of an EXEC by the queued commands.
func alike(words []string, queue [][]string, x, y Value) bool {
	if strings.ToUpper(words[0]) != "EXEC" || len(x.Items) != len(queue) {
		return Same(words, x, y)
	}
	if x.Kind != y.Kind || x.Null != y.Null || len(x.Items) != len(y.Items) {
		return false
	}
	for i, item := range x.Items {
		if !Same(queue[i], item, y.Items[i]) {
			return false
		}
	}
	return true
}
