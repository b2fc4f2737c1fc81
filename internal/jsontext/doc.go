// Package jsontext prepares JSON that people and other programs have written, before encoding/json reads it.
//
// # Where things are
//
//	strings.go  Check: strings that are no Unicode
//	numbers.go  Whole: whole numbers that are written as 5.0 or 5e0
//	decode.go   Decode: one value, without unknown fields
//	clean.go    Clean: both, and the byte order mark
package jsontext
