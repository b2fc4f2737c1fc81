package wire

import (
	"time"

	"github.com/zrankdb/zrank/board"
)

// Info is board.Info.
type Info struct {
	Board    string     `json:"board"`
	Window   string     `json:"window,omitempty"`
	Period   string     `json:"period,omitempty" doc:"The name of the period, of the baseline or of the stored union. Absent while no period is live."`
	Start    *time.Time `json:"start,omitempty" doc:"The first moment of the period; absent for all time."`
	End      *time.Time `json:"end,omitempty" doc:"The first moment after the period; absent for all time."`
	Closed   bool       `json:"closed,omitempty" doc:"The period has ended and takes no more results."`
	ClosedAt *time.Time `json:"closedAt,omitempty" doc:"When it was closed."`
	Mode     board.Mode `json:"mode" doc:"Which ranks members of equal score have."`
}

// InfoOf returns an info as JSON has it.
func InfoOf(i board.Info) Info {
	return Info{Board: i.Board, Window: i.Window, Period: i.Period, Start: timeOf(i.Start), End: timeOf(i.End), Closed: i.Closed, ClosedAt: timeOf(i.ClosedAt), Mode: i.Mode}
}

// Info is the inverse of InfoOf. It is not called Board, as the field is.
func (i Info) Info() board.Info {
	return board.Info{Board: i.Board, Window: i.Window, Period: i.Period, Start: orZero(i.Start), End: orZero(i.End), Closed: i.Closed, ClosedAt: orZero(i.ClosedAt), Mode: i.Mode}
}

// Period is board.Usage.
type Period struct {
	Info
	Members int   `json:"members"`
	Waiting int   `json:"waiting,omitempty" doc:"How many awards wait to be delivered or claimed."`
	Memory  int64 `json:"memory,omitempty" doc:"Bytes of memory."`
	Disk    int64 `json:"disk,omitempty" doc:"Bytes on the disk, about, as of the last snapshot."`
}

// PeriodsOf returns periods as JSON has them.
func PeriodsOf(all []board.Usage) []Period {
	return list(all, func(u board.Usage) Period {
		return Period{Info: InfoOf(u.Info), Members: u.Members, Waiting: u.Waiting, Memory: u.Memory, Disk: u.Disk}
	})
}

// Usages is the inverse of PeriodsOf.
func Usages(all []Period) []board.Usage {
	return each(all, func(p Period) board.Usage {
		return board.Usage{Info: p.Info.Info(), Members: p.Members, Waiting: p.Waiting, Memory: p.Memory, Disk: p.Disk}
	})
}
