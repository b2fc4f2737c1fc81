// Package wire is what the server and the client of the HTTP API both know beside the JSON of boards
// (see package boardjson): the codes of errors, and the JSON of what typed errors tell.
//
// # Where things are
//
//	codes.go    errors: their codes and statuses
//	details.go  fields of typed errors
package wire
