package skiplist

// Update gives an entry a new key and reports whether the list holds it under the old one. text is the entry's text from now
// on, nil if it stays as it is. change is called once, at a time when the entry's record is not looked at, and must write the
// key, and the text if it changes, into it. An entry that passes no neighbour stays where it is. O(log n).
func (l *List) Update(old, key uint64, ref uint32, text []byte, change func()) bool {
	var p path
	tower, i, ok := l.find(old, ref, &p)
	if !ok {
		return false
	}
	l.remove(tower, i, &p)
	change()
	l.insert(key, ref)
	l.changed()
	return true
}
