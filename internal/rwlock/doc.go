// Package rwlock has a reader/writer lock whose readers share no memory.
//
// sync.RWMutex counts its readers in one word, which every reader writes twice. Two processors that read the same set pass that word back and
// forth, and get no further than one. Here a lock that has been seen with two readers at a time gets a row of counters, each in cache lines of
// its own, and a goroutine counts in the place that its number leads to. A writer says that it is there, and waits until the counters add up to 0.
//
// # Terminology
//
//   - counter: a number that readers raise when they begin and lower when they end.
//   - row: the counters of a lock. Every lock has one counter; a wide lock has more.
//   - heir: the first caller in the queue of those that wait, which tries to get the lock.
//   - guest: a reader that a writer lets in between two changes of its own. It reads what the writer keeps for guests.
//
// # Invariants
//
//   - L1: While a writer holds the lock, no reader does but guests, and no other writer. Guests do only while the writer is in Admit.
//   - L2: A reader that holds the lock has raised a counter before a writer said that it is there, and after the last one left.
//   - L3: The counters add up to the readers that hold the lock, and those that are about to find out that a writer is there. A single counter
//     may be below 0: a lock may be released by another goroutine than the one that took it.
//   - L4: Callers that wait get the lock in the order in which they came; readers that follow each other, together. A writer that has begun
//     to wait for readers is overtaken by nobody; before that, by readers that come between two writers.
//   - L5: While there is no writer, the readers of a wide lock write to the counters only.
//   - L6: When Admit returns, all guests that waited when it began have come and left. It ends even if others come all the time.
//   - L7: A caller that gives up leaves the queue, and the others keep their order. A writer that gives up while it waits for readers has never
//     held the lock: no other caller sees more of it than that it had to wait.
//
// A lock that is passed on between processors for short transactions must not let its next holder sleep, and must not wake all who wait: with
// sync.RWMutex, two goroutines that submit to one board got less done than one. So the first of those who wait, the heir, stays awake for a
// while, and whoever gets the lock wakes the next heir at once, while it works itself.
//
// Locks of sets, of the shards of the keyspace and of the boards' names are such locks. One that is not wide takes 88 bytes, and reading it
// costs what it costs with sync.RWMutex; a wide one takes 128 bytes for each of its counters besides.
//
// # Where things are
//
//	mutex.go  what callers do with a Mutex
//	guest.go  guests
//	queue.go  waiter and queue: those who wait
//	wait.go   how they get the lock in turn
//	state.go  Mutex: its state, and its readers counted
//	row.go    the counters of a wide lock
package rwlock
