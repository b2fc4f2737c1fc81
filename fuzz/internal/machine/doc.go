// Package machine defines the interfaces of machines and oracles, which run scripts, and the configurations.
//
// It owns the clock of scripts (F7). The numbers of rules, such as F7, are those of package fuzz.
//
// # Where things are
//
//	machine.go  Machine, and the interfaces that only some machines have
//	config.go   Config and Rate
//	clock.go    Clock
package machine
