package events

import (
	"encoding/binary"

	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/rules"
)

// version is that of the stored form.
const version = 1

// The bits of the fields.
const (
	hasPeriod = 1 << iota
	hasBy
	hasOther
	hasRank
	hasBefore
	hasScore
	hasWas
	hasGroups
	hasGroup
	hasAward
	hasCount
	hasAudit
	allFields = 1<<iota - 1
)

// appendEvent appends the stored form of an event but for its position.
func appendEvent(b []byte, e *feed.Event) []byte {
	b = append(b, version, byte(e.Kind))
	b = appendText(b, e.Board)
	b = appendText(b, e.Window)
	b = appendText(b, e.Member)
	b = binary.AppendVarint(b, e.At.UnixMicro())
	fields := fieldsOf(e)
	b = binary.AppendUvarint(b, fields)
	for _, text := range [...]string{e.Period, e.By, e.Other} {
		b = appendField(b, text)
	}
	b = appendNumber(b, uint64(e.Rank))
	b = appendNumber(b, uint64(e.Before))
	if fields&hasScore != 0 {
		b = rules.AppendScore(b, e.Score)
	}
	if fields&hasWas != 0 {
		b = rules.AppendScore(b, e.Was)
	}
	for _, text := range [...]string{e.Groups, e.Group, e.Award} {
		b = appendField(b, text)
	}
	b = appendNumber(b, uint64(e.Count))
	return appendNumber(b, e.Audit)
}

// fieldsOf returns the bits of the fields that are not zero.
func fieldsOf(e *feed.Event) (bits uint64) {
	for i, has := range [...]bool{e.Period != "", e.By != "", e.Other != "", e.Rank != 0, e.Before != 0, e.Score.Len() > 0, e.Was.Len() > 0,
		e.Groups != "", e.Group != "", e.Award != "", e.Count != 0, e.Audit != 0} {
		if has {
			bits |= 1 << i
		}
	}
	return bits
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// appendField appends a text unless it is empty.
func appendField(b []byte, text string) []byte {
	if text == "" {
		return b
	}
	return appendText(b, text)
}

// appendNumber appends a number unless it is 0.
func appendNumber(b []byte, n uint64) []byte {
	if n == 0 {
		return b
	}
	return binary.AppendUvarint(b, n)
}
