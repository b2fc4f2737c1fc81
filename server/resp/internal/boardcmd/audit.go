package boardcmd

import (
	"strings"

	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// reading says what BOARD.AUDIT answers.
type reading struct {
	filter audit.Filter
	count  int // the most entries
}

// parseReading reads [MEMBER m] [BY user] [KIND k] [SINCE t] [UNTIL t] [AFTER n] [COUNT n], in any order.
func parseReading(words [][]byte) (o reading, err error) {
	o.count = maxRows
	for ; len(words) > 1; words = words[2:] {
		switch word := string(words[1]); command.Upper(string(words[0])) {
		case "MEMBER":
			o.filter.Member = word
		case "BY":
			o.filter.By = word
		case "KIND":
			if o.filter.Kind, err = audit.ParseKind(strings.ToLower(word)); err != nil {
				err = command.Refusal("ERR no such kind '" + command.Clip(words[1], 128) + "'; there are " + kindsText())
			}
		case "SINCE":
			o.filter.Since, err = parseTime(word)
		case "UNTIL":
			o.filter.Until, err = parseTime(word)
		case "AFTER":
			o.filter.After, err = parseNumber(words[1])
		case "COUNT":
			o.count, err = parseRows(words[1])
		default:
			err = command.ErrSyntax
		}
		if err != nil {
			return o, err
		}
	}
	if len(words) > 0 {
		return o, command.ErrSyntax
	}
	return o, nil
}

// kindsText returns the names of all kinds, with commas between them.
func kindsText() string {
	var names []string
	for _, k := range audit.Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// audit is BOARD.AUDIT name [MEMBER m] [BY user] [KIND k] [SINCE t] [UNTIL t] [AFTER n] [COUNT n], or BOARD.AUDIT name ENTRY n.
func (b *commands) audit(c *session.Client, a [][]byte) error {
	if len(a) == 4 && command.Is(a[2], "entry") {
		return b.auditPlaces(c, a)
	}
	o, err := parseReading(a[2:])
	if err != nil {
		return err
	}
	of, err := b.find(c.Host.Work, a[1])
	if err != nil {
		return err
	}
	var list []audit.Entry
	for e, err := range of.Audit(c.Host.Work, o.filter) {
		if err != nil {
			return err
		}
		if len(list) == o.count || len(list)%rowsAtATime == 0 && !c.Out.Expect(len(list), leastEntry) {
			break
		}
		list = append(list, e)
	}
	if c.Out.Over() == nil {
		writeEntries(&c.Out, list)
	}
	return nil
}

// auditPlaces answers the places that an entry has changed.
func (b *commands) auditPlaces(c *session.Client, a [][]byte) error {
	number, err := parseNumber(a[3])
	if err != nil {
		return err
	}
	of, err := b.find(c.Host.Work, a[1])
	if err != nil {
		return err
	}
	places, err := of.AuditPlaces(c.Host.Work, number)
	if err == nil {
		writeChanged(&c.Out, "", places)
	}
	return err
}

// leastEntry is less than the number of bytes of an entry of the audit log.
const leastEntry = 150

// writeEntries writes entries of the audit log, as far as the reply has room for them.
func writeEntries(w *wire.Writer, list []audit.Entry) {
	w.Array(len(list))
	for i := range list {
		if w.Over() != nil {
			return
		}
		writeEntry(w, &list[i])
	}
}

// writeEntry writes an entry of the audit log.
func writeEntry(w *wire.Writer, e *audit.Entry) {
	w.Map(15)
	writeEntryNumber(w, e.Number)
	writeTime(w, "at", e.At)
	writeText(w, "kind", string(e.Kind))
	writeSome(w, "member", e.Member)
	writeSome(w, "hash", e.Hash)
	writeSome(w, "to", e.To)
	writeSome(w, "to-hash", e.ToHash)
	writeSome(w, "tier", e.Tier)
	writeText(w, "by", e.By)
	writeText(w, "reason", e.Reason)
	w.BulkString("keep-ranks")
	w.Bool(e.KeepRanks)
	w.BulkString("rows")
	w.Array(len(e.Rows))
	for _, n := range e.Rows {
		w.Int(int64(n))
	}
	w.BulkString("places")
	w.Int(int64(e.Places))
	w.BulkString("awards")
	w.Int(int64(e.Awards))
	w.BulkString("done")
	w.Bool(e.Done)
}

// writeSome writes a text under a name, null for an empty one.
func writeSome(w *wire.Writer, name, text string) {
	w.BulkString(name)
	if text == "" {
		w.Null()
		return
	}
	w.BulkString(text)
}

// jobs is BOARD.JOBS name
func (b *commands) jobs(c *session.Client, a [][]byte) error {
	of, err := b.find(c.Host.Work, a[1])
	if err != nil {
		return err
	}
	list, err := of.Jobs(c.Host.Work)
	if err != nil {
		return err
	}
	w := &c.Out
	w.Array(len(list))
	for _, j := range list {
		w.Map(6)
		writeEntryNumber(w, j.Entry)
		writeText(w, "kind", string(j.Kind))
		writeSome(w, "member", j.Member)
		writeSome(w, "to", j.To)
		w.BulkString("done")
		w.Int(int64(j.Done))
		w.BulkString("total")
		w.Int(int64(j.Total))
	}
	return nil
}
