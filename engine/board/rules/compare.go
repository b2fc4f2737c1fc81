package rules

// Compare returns a negative number if a is the better score, a positive one if b is, and 0 if they are equal. Both must have
// passed Check. O(columns).
func (r *Rules) Compare(a, b Score) int {
	for i := range r.columns {
		c := compare(a.At(i), b.At(i))
		if r.columns[i].Order == Desc {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}
