// Package campaigns runs many scripts under many configurations, and shrinks those that fail.
//
// # Where things are
//
//	campaign.go  Plan, Campaign: scripts from seeds, on several goroutines
//	configs.go   All: the configurations that there are
//	failure.go   Failure: a script that failed, shrunk
//	saved.go     Saved: a script in a file
//	within.go    RunWithin: a run with a timeout
package campaigns
