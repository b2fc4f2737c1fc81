package rules

// Compare returns a negative number if a is the better score, a positive one if b is, and 0 if they are equal. Both must have
// passed Check. O(columns).
func (r *Rules) Compare(a, b Score) int {
	for i := range r.columns {
		if c := r.columns[i].rank(a.At(i), b.At(i)); c != 0 {
			return c
		}
	}
	return 0
}

// rank returns a negative number if a is the better value of the column, a positive one if b is, and 0 if they are equal.
func (c *Column) rank(a, b Value) int {
	switch {
	case a.IsAbsent() && b.IsAbsent():
		return 0
	case a.IsAbsent() || b.IsAbsent():
		if a.IsAbsent() == (c.Absent == AbsentFirst) {
			return -1
		}
		return 1
	case c.Order == Desc:
		return -compare(a, b)
	}
	return compare(a, b)
}
