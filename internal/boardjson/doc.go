// Package boardjson is the JSON of the types of the contract: of what boards take, and of what they
// answer. Package encoding/json alone would lose bytes that are no UTF-8.
//
// # Rules
//
//   - W1: names of members, metadata and other bytes are JSON strings: fields of []byte, and those of
//     strings whose tag has the option text. Bytes that JSON strings cannot hold are "base64:" and
//     base64url: see Text.
//   - W2: a score is an array with one number for each column; null is absent. Numbers are exact as
//     they are written. A request may have strings in place of numbers, and one number in the
//     place of an array. A field with the option exact has its numbers again, as strings, in a field
//     named NAMEText, if a reader that knows float64 only would lose digits.
//   - W3: times are RFC 3339. The zero time is left out, and so is one behind the year 9999, which has
//     no JSON: the end of the last period of that year.
//   - W4: a list is [], never null, unless its tag has omitempty or omitzero.
//   - W5: what is written and read again is the same, but for the kind of a number and the name of a
//     zone.
//   - W6: fields of embedded structs are fields of the struct, whatever methods those have. All else
//     is as encoding/json has it.
//
// # Where things are
//
//	append.go   Append: writing
//	read.go     Read, ReadStrict: reading
//	plan.go     what is known of a type: its fields, and whether it is an Appender
//	text.go     Text; strings as JSON
//	numbers.go  values and scores
package boardjson
