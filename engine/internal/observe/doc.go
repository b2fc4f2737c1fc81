// Package observe counts what an engine does, and passes events to its operator.
//
// It owns the counters, the histograms of call times, and the queue of events. A caller that counts takes no lock, and a caller that
// emits an event never waits: when 64 events wait for a slow listener, further ones are counted and dropped.
//
// # Where things are
//
//	events.go      Event, its kinds and its line in a log; Dispatcher, which passes events on
//	slow_calls.go  SlowCalls, which decides which calls are slow and how often they are reported
//	counters.go    Counters, striped by processor, and their Totals
//	histogram.go   Recorder and Times
package observe
