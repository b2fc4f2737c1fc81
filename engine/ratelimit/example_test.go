package ratelimit_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/ratelimit"
)

// Two requests a second, and no more than three a minute.
func Example() {
	var now atomic.Int64 // milliseconds
	clock := func() time.Time { return time.UnixMilli(now.Load()) }
	e, err := engine.New(engine.Options{Clock: clock}) // Open(dir, …) remembers across restarts
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	l, err := ratelimit.New(e, ratelimit.Spec{Name: "api", Limits: []ratelimit.Limit{
		{Max: 2, Window: time.Second},
		{Max: 3, Window: time.Minute},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 5 {
		r, err := l.Allow(context.Background(), "user:42", 1)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(clock().Format("05.0"), r.Allowed, "remaining", r.Remaining, "retry after", r.RetryAfter)
		now.Add(400)
	}
	// Output:
	// 00.0 true remaining 1 retry after 0s
	// 00.4 true remaining 0 retry after 0s
	// 00.8 false remaining 0 retry after 200ms
	// 01.2 true remaining 0 retry after 0s
	// 01.6 false remaining 0 retry after 58.4s
}

// A login must be allowed to the user and to the address that it comes from, or it counts for neither.
func ExampleAllowAll() {
	ctx := context.Background()
	e, _ := engine.New(engine.Options{})
	defer e.Close()
	users, _ := ratelimit.New(e, ratelimit.Spec{Name: "login/user", Limits: []ratelimit.Limit{{Max: 3, Window: time.Hour}}})
	addresses, _ := ratelimit.New(e, ratelimit.Spec{Name: "login/address", Limits: []ratelimit.Limit{{Max: 2, Window: time.Hour}}})
	for _, user := range []string{"ada", "bob", "cy"} {
		v, err := ratelimit.AllowAll(ctx,
			ratelimit.Ask{Limiter: users, Key: user, Cost: 1},
			ratelimit.Ask{Limiter: addresses, Key: "10.0.0.1", Cost: 1},
		)
		fmt.Println(user, v.Allowed, err)
	}
	cy, err := users.Peek(ctx, "cy", 1)
	fmt.Println("cy could still try", cy.Remaining, "times from elsewhere", err)
	// Output:
	// ada true <nil>
	// bob true <nil>
	// cy false <nil>
	// cy could still try 3 times from elsewhere <nil>
}
