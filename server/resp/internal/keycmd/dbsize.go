package keycmd

import "github.com/zrankdb/zrank/server/resp/internal/session"

func dbsizeAlone(c *session.Client, _ [][]byte) error {
	sets, err := c.Host.Engine.Count()
	if err != nil {
		return err
	}
	n, err := c.Host.Space.Count(c.Host.Work, sets, 0) // the number of keys that expire is not needed
	if err == nil {
		c.Out.Int(int64(n.Keys[c.DB]))
	}
	return err
}

func dbsizeTx(t *session.Txn, _ [][]byte) error {
	n, err := t.Count()
	if err == nil {
		t.Out.Int(int64(n.Keys[t.DB]))
	}
	return err
}
