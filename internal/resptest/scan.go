package resptest

import (
	"fmt"
	"slices"
	"strings"
)

// scans returns the index of the cursor in a SCAN or ZSCAN, 0 for any other command. In scripts the cursor "*" stands for a whole walk.
func scans(words []string) int {
	switch name := strings.ToUpper(words[0]); {
	case name == "SCAN" && len(words) > 1:
		return 1
	case name == "ZSCAN" && len(words) > 2:
		return 2
	}
	return 0
}

// scanAll repeats a scan from cursor 0 until the cursor is 0 again, and returns all items as one array. It returns a reply of another form, such
// as an error or +QUEUED, as it is.
func scanAll(c *Conn, words []string, cursor int) (Reply, error) {
	words = slices.Clone(words)
	words[cursor] = "0"
	var all []Value
	for range 100_000 {
		reply, err := c.Do(words...)
		if err != nil {
			return nil, err
		}
		v := reply.Value()
		if len(v.Items) != 2 || v.Items[0].Kind != '$' || v.Items[1].Kind != '*' {
			return reply, nil
		}
		all = append(all, v.Items[1].Items...)
		if words[cursor] = v.Items[0].Text; words[cursor] == "0" {
			return Value{Kind: '*', Items: all}.encode(nil), nil
		}
	}
	return nil, fmt.Errorf("the walk does not end")
}

// encode appends the bytes of a value of arrays and bulk strings.
func (v Value) encode(dst Reply) Reply {
	if v.Kind == '$' {
		return fmt.Appendf(dst, "$%d\r\n%s\r\n", len(v.Text), v.Text)
	}
	dst = fmt.Appendf(dst, "*%d\r\n", len(v.Items))
	for _, item := range v.Items {
		dst = item.encode(dst)
	}
	return dst
}
