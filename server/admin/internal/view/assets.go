package view

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"time"
)

//go:embed assets
var assetFiles embed.FS

// versions are hashes of the assets, which their URLs have: a browser keeps a file until there is another one.
var versions = func() map[string]string {
	all := map[string]string{}
	files, _ := assetFiles.ReadDir("assets")
	for _, f := range files {
		if b, err := assetFiles.ReadFile("assets/" + f.Name()); err == nil {
			sum := sha256.Sum256(b)
			all[f.Name()] = hex.EncodeToString(sum[:6])
		}
	}
	return all
}()

// asset returns the URL of an asset.
func asset(name string) (string, error) {
	if versions[name] == "" {
		return "", fs.ErrNotExist
	}
	return "assets/" + name + "?v=" + versions[name], nil
}

// ServeAsset answers with the asset that the path ends in.
func ServeAsset(w http.ResponseWriter, r *http.Request) {
	name := path.Base(r.URL.Path)
	b, err := assetFiles.ReadFile("assets/" + name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	if r.URL.Query().Get("v") == versions[name] {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(b))
}
