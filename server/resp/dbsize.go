package resp

func dbsizeAlone(c *client, _ [][]byte) error {
	sets, err := c.host.e.Count()
	if err != nil {
		return err
	}
	n, err := c.host.space.count(sets, 0) // who vanishes is not asked
	if err == nil {
		c.out.Int(int64(n.keys[c.db]))
	}
	return err
}

func dbsizeTx(t *txn, _ [][]byte) error {
	n, err := t.count()
	if err == nil {
		t.w.Int(int64(n.keys[t.db]))
	}
	return err
}
