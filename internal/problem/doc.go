// Package problem is the body of every error that the HTTP API answers: problem details as RFC 9457 has them, application/problem+json.
//
//	problem.Write(w, problem.Problem{Status: 404, Code: "no_board", Detail: `no board "arena"`})
//
//	{"type": "urn:zrank:problem:no_board", "title": "Not Found", "status": 404, "detail": "no board \"arena\"", "code": "no_board"}
//
// A client decides by the code. The detail is for people, and its words may change.
//
// # Where things are
//
//	problem.go   Problem, as an error and as a response of huma
//	write.go     Write
package problem
