// Package process reads what the system knows of a process, this one or another, where it tells: on Linux.
package process
