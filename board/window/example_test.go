package window_test

import (
	"fmt"
	"time"
	_ "time/tzdata"

	"github.com/zrankdb/zrank/board/window"
)

// A week in New York in which the clocks are set back has 169 hours.
func Example() {
	w := window.Window{Kind: window.Week, Start: window.Sunday, TimeZone: "America/New_York", Grace: window.Duration(10 * time.Minute)}
	c, err := w.Calendar()
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := c.At(time.Date(2026, time.November, 5, 20, 0, 0, 0, time.UTC))
	if err != nil {
		fmt.Println(err)
		return
	}
	closes, _ := c.Closes(p)
	next, _ := c.Next(p)
	fmt.Println(w.Text())
	fmt.Println(p.Name, p.Start, p.End, p.End.Sub(p.Start).Hours())
	fmt.Println("closes", closes)
	fmt.Println("then comes", next.Name)
	// Output:
	// week-sunday@America/New_York+10m
	// 2026-11-01 2026-11-01 00:00:00 -0400 EDT 2026-11-08 00:00:00 -0500 EST 169
	// closes 2026-11-08 00:10:00 -0500 EST
	// then comes 2026-11-08
}

// The command line takes windows as one word.
func ExampleParseShort() {
	for _, text := range []string{"hour@Australia/Lord_Howe", "every-10d", "day@Mars/Olympus"} {
		w, err := window.ParseShort(text)
		fmt.Println(w.Kind, err)
	}
	// Output:
	// hour <nil>
	//  window "every-10d": window: impossible window: "10d" is no duration, want one like 1h30m, or forever
	//  window "day@Mars/Olympus": window: impossible window "day": zone is "Mars/Olympus": unknown time zone Mars/Olympus
}
