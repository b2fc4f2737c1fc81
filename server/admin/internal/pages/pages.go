package pages

import "github.com/zrankdb/zrank/server/access"

// Page is one page: how it is read, and what it needs.
type Page struct {
	Name  string // of its path and its template
	Title string
	// Read reads what the page shows.
	Read func(s *Site, r Request) (any, error)
	// Live says that the page has a part that moves. Open returns what reads it again and again; nil: Read does.
	Live bool
	Open func(s *Site, r Request) (read func() (any, error), err error)
}

// Serves reports whether a page has something for a reader who has signed in: others may be asked to.
func (p Page) Serves(who access.Principal) bool {
	switch p.Name {
	case "groups", "queues", "health":
		return who.Can(access.Read, "")
	case "audit":
		return who.Rights()&access.Moderate == access.Moderate
	default:
		return true
	}
}

// All returns the pages.
func All() []Page {
	return []Page{
		{Name: "overview", Title: "Boards", Read: (*Site).overview, Live: true},
		{Name: "board", Title: "Ranking", Read: (*Site).ranking, Live: true},
		{Name: "periods", Title: "Periods", Read: (*Site).periods},
		{Name: "spec", Title: "Spec", Read: (*Site).Spec},
		{Name: "players", Title: "Players", Read: func(*Site, Request) (any, error) { return nil, nil }},
		{Name: "player", Title: "Player", Read: (*Site).player},
		{Name: "preview", Title: "Preview", Read: func(s *Site, r Request) (any, error) { return s.Preview(r) }},
		{Name: "groups", Title: "Groups", Read: (*Site).groups},
		{Name: "group", Title: "Group", Read: (*Site).group},
		{Name: "awards", Title: "Awards", Read: (*Site).awards},
		{Name: "settlement", Title: "Awards", Read: (*Site).settlement},
		{Name: "feed", Title: "Feed", Read: readOnce((*Site).feed), Live: true, Open: (*Site).feed},
		{Name: "queues", Title: "Queues and limits", Read: (*Site).queues, Live: true},
		{Name: "health", Title: "Health", Read: (*Site).health, Live: true},
		{Name: "audit", Title: "Audit", Read: (*Site).audit},
	}
}

// readOnce reads what is meant to be read again and again once.
func readOnce(open func(s *Site, r Request) (read func() (any, error), err error)) func(s *Site, r Request) (any, error) {
	return func(s *Site, r Request) (any, error) {
		read, err := open(s, r)
		if err != nil {
			return nil, err
		}
		return read()
	}
}
