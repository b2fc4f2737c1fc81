// Package locks takes the locks of keys, refuses calls that would wait for their own transaction, and reports calls that wait for long.
//
// It owns the lock of each key, the registry of goroutines that run a closure of a transaction, and the list of calls that wait. It
// promises that a call on a goroutine that is inside a closure gets ErrInTx at once, and that a call that has waited for
// Options.SlowCall is reported while it still waits, with the holders of the lock.
//
// # Where things are
//
//	locks.go      taking locks, and refusing calls that must not wait
//	lock.go       KeyLock, the lock of a key as a set has it (A1 to A3); Lock; Cache, the locks of sets in use
//	running.go    Running: the goroutines that run a closure (N1, N2)
//	slow_wait.go  waiting for a lock, and the Event of a call that waits for long
//	table.go      Table, the locks of an engine; Wait, a call that waits
package locks
