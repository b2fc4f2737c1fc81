// Package disk tells what a directory stands on, counts what is written there, and moves directories about.
package disk
