// Package process stops, resumes and kills processes, and reads what the system knows of them.
//
// # Where things are
//
//   - status.go: memory and CPU time
//   - signal.go: signals
package process
