package view

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"strings"
)

//go:embed templates
var templateFiles embed.FS

// Page is what a page shows.
type Page struct {
	Name  string // of its template
	Title string
	Board string // the board that it is about, "" for none
	Data  any    // what its template shows
	Live  string // the URL of the stream of its moving part; "" if nothing moves

	Site     string          // the name of the whole
	SignedIn string          // who is signed in; "" if nobody is
	CanAct   bool            // who is signed in may change something here
	Keys     bool            // somebody could sign in
	Token    string          // for forms, if somebody is signed in
	Message  string          // what has just been done
	Hidden   map[string]bool // pages that have nothing for who is signed in
	Here     string          // the URL of the page, to come back to
}

// Views is the pages. Any goroutine may use them.
type Views struct{ pages map[string]*template.Template }

// New reads the templates. Errors: a template that is wrong.
func New() (*Views, error) {
	funcs := template.FuncMap{"asset": asset}
	layout, err := template.New("layout.html").Funcs(functions).Funcs(funcs).ParseFS(templateFiles, "templates/layout.html", "templates/parts.html")
	if err != nil {
		return nil, err
	}
	v := &Views{pages: map[string]*template.Template{}}
	files, err := templateFiles.ReadDir("templates")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		name, _ := strings.CutSuffix(f.Name(), ".html")
		if name == "layout" || name == "parts" {
			continue
		}
		t, err := layout.Clone()
		if err == nil {
			t, err = t.ParseFS(templateFiles, "templates/"+f.Name())
		}
		if err != nil {
			return nil, err
		}
		v.pages[name] = t
	}
	return v, nil
}

// Write returns a whole page as HTML.
func (v *Views) Write(p Page) ([]byte, error) { return v.execute(p.Name, "layout.html", p) }

// WriteLive returns the part of a page that moves.
func (v *Views) WriteLive(name string, data any) ([]byte, error) {
	return v.execute(name, "live", data)
}

func (v *Views) execute(page, part string, data any) ([]byte, error) {
	t := v.pages[page]
	if t == nil {
		return nil, fmt.Errorf("view: there is no page %q", page)
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, part, data); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
