package engine_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// addTo adds a member to a set.
func addTo(e *engine.Engine, key, member string, points float64) {
	if err := score(e, key, member, points); err != nil {
		log.Fatal(err)
	}
}

// A worker takes the most urgent job there is, from the first queue that has one, and waits while there is none, until its context
// ends.
func ExampleEngine_PopMinWait() {
	e := empty()
	defer e.Close()
	go addTo(e, "jobs", "resize images", 1)
	queue, job, err := e.PopMinWait(context.Background(), "urgent", "jobs")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %s\n", queue, job.Member)
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_, _, err = e.PopMinWait(ctx, "urgent", "jobs")
	fmt.Println(errors.Is(err, context.DeadlineExceeded))
	// Output:
	// jobs: resize images
	// true
}

// Whoever watches a set learns of every change to it, in order: here, of each time that the lead changes hands. The last number
// seen is where to go on, after a reconnect or a restart.
func ExampleEngine_Feed() {
	ctx := context.Background()
	e := empty()
	defer e.Close()
	addTo(e, "arena", "ada", 10)
	leader, best, from := "", 0.0, uint64(0)
	look := func(tx *engine.Tx) error {
		s, err := tx.Set("arena")
		if err != nil {
			return err
		}
		for player, score := range s.RevRange(0, 1) {
			leader, best = string(player), score
		}
		from = tx.Seq()
		return nil
	}
	if err := e.View(ctx, look, "arena"); err != nil {
		log.Fatal(err)
	}
	addTo(e, "arena", "grace", 7)
	addTo(e, "arena", "grace", 12)
	addTo(e, "arena", "edsger", 20)
	for commit, err := range e.Feed(ctx, from) {
		if err != nil { // errors.Is(err, engine.ErrFellBehind): look again
			log.Fatal(err)
		}
		for _, c := range commit.Changes {
			if c.Key == "arena" && c.Kind == engine.ChangePut && c.Score > best {
				fmt.Printf("commit %d: %s has overtaken %s\n", commit.Seq, c.Member, leader)
				leader, best = string(c.Member), c.Score
			}
		}
		if leader == "edsger" {
			break
		}
	}
	// Output:
	// commit 3: grace has overtaken ada
	// commit 4: edsger has overtaken grace
}
