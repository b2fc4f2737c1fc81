// Package routes is the operations of the HTTP API: those of the table of package ops, and those that are this door's own. It knows the
// interfaces of boards only: what a store of boards does not have is answered with 501.
//
// # Where things are
//
//	new.go       New: all operations
//	router.go    Options; Router; route
//	route.go     how an operation is registered, and its response written; who.go who may use it, and what it needs
//	request.go   how a request is read
//	table.go     the operations of the table; etag.go the ETags of reads
//	openapi.go   the document that describes them; describe.go what it says of an operation; schemas.go its schemas
//	examples.go  its examples, from examples.json
//	format.go    how answers are written
//	tickets.go   results that players submit; retries.go keys of requests; drops.go tickets of boards that were dropped
//	export.go    whole rankings
//	events.go    streams of events
//	pinning.go   pinned rankings; pins.go those that are held
//	problems.go  errors as problems
//	errors.go    the errors of this package
package routes
