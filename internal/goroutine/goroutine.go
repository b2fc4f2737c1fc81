// Package goroutine has the number of the calling goroutine.
package goroutine

import (
	"runtime"

	"github.com/petermattis/goid"
)

// goidWorks reports whether package goid returns right numbers. It reads them from structures of the Go runtime, whose layout may change
// in a version that goid does not know.
var goidWorks = goidIsRight()

// goidIsRight compares goid with the numbers in stack dumps, on two goroutines.
func goidIsRight() bool {
	other := make(chan bool)
	go func() { other <- goid.Get() == slowID() }()
	return goid.Get() == slowID() && <-other
}

// ID returns the number of the calling goroutine, as in a stack dump. It is above 0, and no two goroutines of a process ever have
// the same. O(1): about a nanosecond on 386, amd64, arm, arm64 and s390x, and a microsecond on others.
func ID() int64 {
	if goidWorks {
		return goid.Get()
	}
	return slowID()
}

// slowID reads the number from the first line of the stack: "goroutine 7 [running]:".
func slowID() int64 {
	var line [64]byte
	return goid.ExtractGID(line[:runtime.Stack(line[:], false)])
}
