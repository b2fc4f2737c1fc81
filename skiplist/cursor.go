package skiplist

// Cursor is a position at an entry. It is valid until the list changes.
type Cursor struct {
	list  *List
	leaf  *leaf
	tower uint32
	i, n  int // entry i of the leaf's n; i == n or i < 0: past an end
}

// At returns a cursor on the entry with the given rank; a rank outside 0..Len-1 gives one that is not Valid. O(log n).
func (l *List) At(rank int) Cursor {
	if rank < 0 || rank >= l.n {
		return Cursor{}
	}
	var p path
	c := Cursor{list: l, tower: l.reach(rank+1, &p)}
	c.i = rank - int(p.rank[0])
	c.enter()
	return c
}

// enter sets the cursor's leaf to that of its tower.
func (c *Cursor) enter() {
	slot, n := c.list.at(c.tower)
	c.leaf, c.n = c.list.leaf(slot), n
}

// Valid reports whether the cursor stands on an entry. O(1).
func (c *Cursor) Valid() bool { return uint(c.i) < uint(c.n) }

// Key returns the entry's key, from its record; the cursor must be valid. O(1).
func (c *Cursor) Key() uint64 { return c.list.records.Key(c.Ref()) }

// Ref returns the entry's ref; the cursor must be valid. O(1).
func (c *Cursor) Ref() uint32 { return c.leaf.refs[c.i&(maxLeaf-1)] }

// Next moves to the entry after, or off the end. O(1).
func (c *Cursor) Next() {
	c.i++
	if c.i < c.n {
		return
	}
	if next := c.list.link(c.tower, 0).next; next != none {
		c.tower, c.i = next, 0
		c.enter()
	}
}

// Prev moves to the entry before, or off the front. O(1).
func (c *Cursor) Prev() {
	c.i--
	if c.i >= 0 || c.tower == head {
		return
	}
	slot, _ := c.list.at(c.tower)
	c.tower = c.list.place(slot).prev
	c.enter()
	c.i = c.n - 1
}

// Collect copies the refs of the entry and of those after it to dst, until dst is full or the list ends, and moves behind them. It returns
// their number. O(len(dst)).
func (c *Cursor) Collect(dst []uint32) (n int) {
	for n < len(dst) && c.Valid() {
		run := copy(dst[n:], c.leaf.refs[c.i:c.n])
		n += run
		c.i += run - 1
		c.Next()
	}
	return n
}

// CollectBack is Collect towards the front: dst begins with the entry itself, and ends with the one of the lowest rank. O(len(dst)).
func (c *Cursor) CollectBack(dst []uint32) (n int) {
	for n < len(dst) && c.Valid() {
		run := c.leaf.refs[max(c.i+1-(len(dst)-n), 0) : c.i+1]
		for i := len(run) - 1; i >= 0; i-- {
			dst[n] = run[i]
			n++
		}
		c.i -= len(run) - 1
		c.Prev()
	}
	return n
}
