// Package routes is the operations of the HTTP API: for each its path, its input, who may use it, and what it does on boards. It knows the
// interfaces of boards only: what a store of boards does not have is answered with 501.
//
// # Where things are
//
//	new.go           New: all operations
//	router.go        Options; Router
//	route.go         add and do: how an operation is registered; who.go who may use it
//	openapi.go       the document that describes them; schemas.go its schemas
//	examples.go      its examples, from examples.json
//	format.go        how answers are written
//	place.go         inputs: which board, window, member and ranking
//	boards.go        boards and their specs
//	submit.go        results; tickets.go results that players submit; retries.go keys of requests; drops.go tickets of boards that were dropped
//	reads.go         rows of rankings; bounds.go how many an answer may have
//	statistics.go    what is counted; compare.go several members
//	periods.go       windows: periods, resets, baselines
//	export.go        whole rankings
//	events.go        streams of events
//	pinning.go       pinned rankings; pins.go those that are held
//	moderation.go    actions of operators; audit.go what they read
//	awards.go        awards and settlements
//	leagues.go       cohorts, tiers, who watches
//	groups.go        groups and their members
//	unions.go        stored unions
//	page.go          parts of lists
//	etag.go          ETags
//	problems.go      errors as problems
//	errors.go        the errors of this package
package routes
