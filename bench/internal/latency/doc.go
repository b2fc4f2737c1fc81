// Package latency collects how long calls take, and tells the percentiles.
//
// # Where things are
//
//   - latency.go: Recorder, a histogram of durations
package latency
