package locks

import (
	"runtime"

	"github.com/petermattis/goid"
)

// goidWorks reports that package goid reads numbers of goroutines where this version of Go has them. It knows the layout of the
// runtime's structures up to the versions that it was tested with.
var goidWorks = goidIsRight()

// goidIsRight compares goid with what the runtime itself says, on two goroutines.
func goidIsRight() bool {
	other := make(chan bool)
	go func() { other <- goid.Get() == slowGoroutineID() }()
	return goid.Get() == slowGoroutineID() && <-other
}

// GoroutineID returns the number of the calling goroutine, as in a dump of stacks. No two goroutines of a process ever have the same;
// it is above 0. O(1): about a nanosecond on 386, amd64, arm, arm64 and s390x, and a microsecond on others.
func GoroutineID() int64 {
	if goidWorks {
		return goid.Get()
	}
	return slowGoroutineID()
}

// slowGoroutineID reads the number from the first line of the stack: "goroutine 7 [running]:".
func slowGoroutineID() int64 {
	var line [64]byte
	return goid.ExtractGID(line[:runtime.Stack(line[:], false)])
}
