package zranktest_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/zrankdb/zrank"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zranktest"
)

// In New York the day of a daily board ends at midnight of New York, which is 5 o'clock in UTC.
func Example() {
	t := newTB() // a test has its own
	defer t.end()
	db, clock := zranktest.New(t, time.Date(2026, 11, 21, 4, 59, 0, 0, time.UTC))
	daily, err := db.Define(t.Context(), board.Spec{Name: "daily", Op: board.Sum, Windows: []board.Window{{Kind: "day", TimeZone: "America/New_York"}}})
	check(err)
	play := func(member string) {
		change, err := daily.Submit(t.Context(), board.Submission{Member: member, Score: board.Ints(10)})
		check(err)
		fmt.Println(member, "plays on", change.Period)
	}
	play("ada")
	clock.Advance(59 * time.Second)
	play("ada")
	clock.Advance(time.Second)
	play("bea")
	yesterday, err := daily.LastClosed(t.Context(), "day")
	check(err)
	rows, err := yesterday.Top(t.Context(), 3)
	check(err)
	info, err := yesterday.Info(t.Context())
	check(err)
	for _, row := range rows {
		fmt.Println("winner of", info.Period, "is", row.Member, "with", row.Score)
	}
	// Output:
	// ada plays on 2026-11-20
	// ada plays on 2026-11-20
	// bea plays on 2026-11-21
	// winner of 2026-11-20 is ada with 20
}

// On two days of a year the clocks of Berlin are changed: these have 23 and 25 hours.
func ExampleClock_Set_daylightSaving() {
	t := newTB()
	defer t.end()
	berlin, err := time.LoadLocation("Europe/Berlin")
	check(err)
	db, clock := zranktest.New(t, time.Date(2026, 3, 28, 12, 0, 0, 0, berlin))
	daily, err := db.Define(t.Context(), board.Spec{Name: "daily", Windows: []board.Window{{Kind: "day", TimeZone: "Europe/Berlin"}}})
	check(err)
	for _, day := range []time.Time{time.Date(2026, 3, 29, 0, 0, 0, 0, berlin), time.Date(2026, 10, 25, 0, 0, 0, 0, berlin)} {
		clock.Set(day)
		play(db, "daily")
		clock.Advance(24 * time.Hour)
		early := play(db, "daily")
		clock.Set(day.AddDate(0, 0, 1))
		closed, err := daily.LastClosed(t.Context(), "day")
		check(err)
		info, err := closed.Info(t.Context())
		check(err)
		fmt.Println(info.Period, "has", info.End.Sub(info.Start), "and 24 hours after its begin it is", early)
	}
	// Output:
	// 2026-03-29 has 23h0m0s and 24 hours after its begin it is 2026-03-30
	// 2026-10-25 has 25h0m0s and 24 hours after its begin it is 2026-10-25
}

// Months end when the calendar says so: January has 31 days, February 28 or 29.
func ExampleClock_Advance_monthEnd() {
	t := newTB()
	defer t.end()
	for _, year := range []int{2027, 2028} {
		db, clock := zranktest.New(t, time.Date(year, 1, 31, 12, 0, 0, 0, time.UTC))
		monthly, err := db.Define(t.Context(), board.Spec{Name: "monthly", Windows: []board.Window{board.Month}})
		check(err)
		for _, days := range []int{0, 1, 27, 1} {
			clock.Advance(time.Duration(days) * 24 * time.Hour)
			fmt.Println(clock.Now().Format("January 2"), "is in", play(db, "monthly"))
		}
		closed, err := monthly.LastClosed(t.Context(), "month")
		check(err)
		info, err := closed.Info(t.Context())
		check(err)
		fmt.Println("the last month that is closed is", info.Period)
	}
	// Output:
	// January 31 is in 2027-01
	// February 1 is in 2027-02
	// February 28 is in 2027-02
	// March 1 is in 2027-03
	// the last month that is closed is 2027-02
	// January 31 is in 2028-01
	// February 1 is in 2028-02
	// February 28 is in 2028-02
	// February 29 is in 2028-02
	// the last month that is closed is 2028-01
}

// A leap day is a day of its own, and it is in the month and in the year that it belongs to.
func ExampleClock_Set_leapDay() {
	t := newTB()
	defer t.end()
	db, clock := zranktest.New(t, time.Date(2028, 2, 28, 23, 59, 59, 0, time.UTC))
	arena, err := db.Define(t.Context(), board.Spec{Name: "arena", Windows: []board.Window{board.Day, board.Month, board.Year}})
	check(err)
	clock.Advance(time.Second)
	change, err := arena.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(10)})
	check(err)
	for _, move := range append(change.Others, change.Move) {
		fmt.Println(move.Window, move.Period)
	}
	clock.Set(time.Date(2029, 2, 28, 0, 0, 0, 0, time.UTC))
	for _, window := range []string{"day", "month", "year"} {
		closed, err := arena.LastClosed(t.Context(), window)
		check(err)
		info, err := closed.Info(t.Context())
		check(err)
		fmt.Println(info.Period, "was closed on", info.ClosedAt.UTC().Format(time.DateOnly))
	}
	// Output:
	// month 2028-02
	// year 2028
	// day 2028-02-29
	// 2028-02-29 was closed on 2028-03-01
	// 2028-02 was closed on 2028-03-01
	// 2028 was closed on 2029-01-01
}

// When a week closes, its awards are delivered before Set returns. Here the game has no coins left at first, and a second later the award is tried again.
func ExampleClock_Advance_awards() {
	t := newTB()
	defer t.end()
	db, clock := zranktest.New(t, time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)) // a Friday
	_, err := db.Define(t.Context(), board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.Week},
		Awards: []awards.Plan{{Window: "week", Tiers: []awards.Tier{{Name: "gold", From: 1, Payload: "500"}}}}})
	check(err)
	treasury := int64(0)
	check(db.Boards().Deliver("arena", "week", local.Delivery{Grant: func(_ context.Context, tx *engine.Tx, a awards.Award) error {
		if treasury < a.Owed {
			return errors.New("no coins")
		}
		fmt.Println(clock.Now().Format("Mon 15:04:05"), a.Member, "gets", a.Owed)
		return tx.Put("coins:"+a.Member, strconv.AppendInt(nil, a.Owed, 10))
	}}))
	play(db, "arena")
	clock.Set(time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC))
	treasury = 1000
	clock.Advance(time.Minute)
	// Output:
	// Mon 00:00:01 ada gets 500
}

// play submits a score, and returns the period in which it is.
func play(db *zrank.DB, name string) string {
	ctx := context.Background()
	b, err := db.Board(ctx, name)
	check(err)
	change, err := b.Submit(ctx, board.Submission{Member: "ada", Score: board.Ints(10)})
	check(err)
	return change.Period
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
