package events_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
)

// Read two rows, store the position, and go on from there with a fresh input.
func Example() {
	const text = "member,time,delta\nanna,1700000000,3\nbo,1700000060,\ncleo,1700000120,5\n"

	in, _ := events.OpenStream(context.Background(), strings.NewReader(text), events.Options{})
	e, _ := in.Next()
	fmt.Println(e.Time.Format("15:04:05"), e.Member, in.Kind() == events.Delta, e.Score)
	_, err := in.Next()
	var bad *events.BadRowError
	fmt.Println(errors.As(err, &bad), err)
	in.Skip()
	stored, _ := in.Position().MarshalBinary()

	in, _ = events.OpenStream(context.Background(), strings.NewReader(text), events.Options{})
	var p events.Position
	fmt.Println(p.UnmarshalBinary(stored), in.Resume(p, false))
	e, _ = in.Next()
	fmt.Println(e.Time.Format("15:04:05"), e.Member, in.Kind() == events.Delta, e.Score)
	_, err = in.Next()
	fmt.Println(err == io.EOF, in.Position().Done)
	// Output:
	// 22:13:20 anna true 3
	// true standard input:3: delta is missing
	// <nil> <nil>
	// 22:15:20 cleo true 5
	// true true
}
