// Package feed applies events to boards, many in one commit, while the clock of the directory follows their times.
//
// It promises that the result does not depend on which events come together: no batch reaches over the end of a period.
//
// # Where things are
//
//	feed.go      Feed, Batch and Item
//	refusals.go  the errors by which a board refuses a row
package feed
