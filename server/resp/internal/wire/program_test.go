package wire

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// operations write one reply each, made from a number and a text, and return the text that readReply must return for it.
var operations = []func(w *Writer, n int, s string) string{
	func(w *Writer, _ int, _ string) string { w.OK(); return "+OK" },
	func(w *Writer, _ int, s string) string { w.Status(s); return "+" + s },
	func(w *Writer, _ int, s string) string { w.Error("ERR " + s); return "-ERR " + s },
	func(w *Writer, n int, _ string) string { w.Int(int64(n - 8)); return ":" + strconv.Itoa(n-8) },
	func(w *Writer, _ int, s string) string { w.Bulk([]byte(s)); return strconv.Quote(s) },
	func(w *Writer, _ int, _ string) string { w.Null(); return w.or("$-1", "_") },
	func(w *Writer, _ int, _ string) string { w.NullArray(); return w.or("*-1", "_") },
	func(w *Writer, _ int, _ string) string { w.Array(0); return "*[]" },
	func(w *Writer, _ int, s string) string {
		w.Map(1)
		w.BulkString(s)
		w.OK()
		return w.or("*", "%") + fmt.Sprintf("[%q +OK]", s)
	},
	func(w *Writer, _ int, _ string) string {
		w.Set(1)
		w.Int(1)
		return w.or("*", "~") + "[:1]"
	},
	func(w *Writer, _ int, _ string) string {
		w.Push(2)
		w.OK()
		w.Array(1)
		w.OK()
		return w.or("*", ">") + "[+OK *[+OK]]"
	},
	func(w *Writer, n int, s string) string {
		f := math.Ldexp(float64(n)+0.3, len(s)*20-60)
		w.Double(f)
		text := string(AppendScore(nil, f, Redis72))
		return w.or(strconv.Quote(text), ","+text)
	},
	func(w *Writer, n int, _ string) string {
		w.Bool(n > 7)
		return w.or(":"+strconv.Itoa(b2i(n > 7)), "#"+"ft"[b2i(n > 7):][:1])
	},
	func(w *Writer, _ int, s string) string {
		w.Verbatim("txt", s)
		return w.or(strconv.Quote(s), "="+strconv.Quote("txt:"+s))
	},
}

// or returns resp2 or resp3, by the writer's protocol.
func (w *Writer) or(resp2, resp3 string) string {
	if w.Protocol == 3 {
		return resp3
	}
	return resp2
}

// write runs a program on a writer, one operation for each byte, and returns the replies as readReply returns them.
func write(w *Writer, program []byte) (replies []string) {
	for i, op := range program {
		after := program[i+1 : min(i+1+int(op)%7, len(program))]
		text := strings.Map(func(c rune) rune {
			if c < ' ' || strings.ContainsRune("_,#=%~>", c) {
				return -1
			}
			return c
		}, string(after))
		replies = append(replies, operations[int(op)%len(operations)](w, int(op)/16, text))
	}
	return replies
}

// readReply parses the first reply of a text. It returns the reply in a short form, and the text after it.
func readReply(text string) (reply, rest string, ok bool) {
	line, rest, ok := strings.Cut(text, "\r\n")
	if !ok || line == "" {
		return "", "", false
	}
	n, err := strconv.Atoi(line[1:])
	switch line[0] {
	case '+', '-', ':', ',', '#', '_':
		return line, rest, true
	case '$', '=':
		if n < 0 {
			return line, rest, true
		}
		if err != nil || len(rest) < n+2 || rest[n:n+2] != "\r\n" {
			return "", "", false
		}
		return strings.TrimPrefix(line[:1], "$") + strconv.Quote(rest[:n]), rest[n+2:], true
	case '*', '%', '~', '>':
		if n < 0 {
			return line, rest, true
		}
		if line[0] == '%' {
			n *= 2
		}
		items := make([]string, n)
		for i := range items {
			if items[i], rest, ok = readReply(rest); !ok {
				return "", "", false
			}
		}
		return line[:1] + "[" + strings.Join(items, " ") + "]", rest, true
	}
	return "", "", false
}
