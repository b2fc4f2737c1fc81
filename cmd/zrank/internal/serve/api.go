package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/admin"
	"github.com/zrankdb/zrank/server/api"
)

const (
	headerTimeout = 10 * time.Second       // for the header of a request
	idleTimeout   = 2 * time.Minute        // between requests of a connection
	stopTimeout   = 10 * time.Second       // for requests that are under way when the server stops
	writeTimeout  = 2 * api.DefaultTimeout // for an answer that the client does not take; streams have their own
)

// httpServing has the flags of the HTTP API, and what they lead to.
type httpServing struct {
	addr, keys string
	token      string // file of the key of players' tokens
	ticket     string // file of the key of score tickets
	cert, key  string // files of TLS
	insecure   bool
	proxies    []string // addresses of trusted proxies
	requests   bool     // are logged
	admin      bool     // there are pages for a browser
	backups    string

	options  api.Options
	listener net.Listener // nil: there is no API
	door     *door
	tls      *tls.Certificate
}

// flags adds the flags to the command.
func (s *httpServing) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&s.addr, "api", "127.0.0.1:8080", `address of the HTTP API; without a host, this machine only; "" for none`)
	f.StringVar(&s.keys, "api-keys", "", "file of API keys, a line each: "+keyLine+"; or an array of keys as JSON")
	f.StringVar(&s.token, "api-token-key", "", "file with the key of players' tokens: a secret of 32 bytes or more for HS256, or a public Ed25519 key, PEM, for EdDSA")
	f.StringVar(&s.ticket, "api-ticket-key", "", "file with a secret of 32 bytes or more that signs score tickets")
	f.StringVar(&s.cert, "api-tls-cert", "", "file with a certificate, PEM: --api speaks TLS")
	f.StringVar(&s.key, "api-tls-key", "", "file with the certificate's key, PEM")
	f.StringSliceVar(&s.proxies, "trusted-proxies", nil, "addresses or networks (CIDR) of reverse proxies, with commas between them: they say in X-Forwarded-For whose requests they pass on")
	f.BoolVar(&s.requests, "api-log", false, "log each request of --api")
	f.BoolVar(&s.admin, "admin", true, "serve pages for a browser at /admin/ of --api; to change something there one signs in with a key of --api-keys")
	f.StringVar(&s.backups, "backups", "", "folder in which you keep backups, each in a folder of its own: the pages show how old they are")
	f.BoolVar(&s.insecure, "api-insecure", false, "let other machines reach --api without keys or without TLS, as behind a proxy")
}

// prepare checks the flags and reads the keys.
func (s *httpServing) prepare(log *slog.Logger) (err error) {
	if s.addr == "" {
		if s.keys != "" || s.token != "" || s.ticket != "" || s.cert != "" || s.key != "" || s.insecure || s.proxies != nil {
			return flags.Errorf(`--api is "": there is no API that the other flags of it could be for`)
		}
		return nil
	}
	if (s.cert == "") != (s.key == "") {
		return flags.Errorf("--api-tls-cert and --api-tls-key belong together")
	}
	if strings.HasPrefix(s.addr, ":") {
		s.addr = "127.0.0.1" + s.addr
	}
	if s.options.Access.Keys, err = readKeys(s.keys, log); err != nil {
		return err
	}
	if s.options.Access.Tokens, err = readTokenKey(s.token, log); err != nil {
		return err
	}
	if s.options.Access.Tickets.Keys, err = readTicketKey(s.ticket, log); err != nil {
		return err
	}
	if s.options.Access.TrustedProxies, err = parseProxies(s.proxies); err != nil {
		return err
	}
	s.options.Access.Open = s.keys == "" && s.token == ""
	s.options.Logger = log
	if !s.requests {
		s.options.Logger = slog.New(onlyWarnings{log.Handler()})
	}
	s.options.Access.Clock = time.Now // that of a directory may stand still
	return flags.Wrong(s.options.Validate())
}

// parseProxies reads networks, and addresses, each of which is a network of its own.
func parseProxies(texts []string) (all []netip.Prefix, err error) {
	for _, text := range texts {
		text = strings.TrimSpace(text)
		p, err := netip.ParsePrefix(text)
		if addr, bad := netip.ParseAddr(text); bad == nil {
			p, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil {
			return nil, flags.Errorf("--trusted-proxies: %q is no address and no network such as 10.0.0.0/8", text)
		}
		all = append(all, p)
	}
	return all, nil
}

// onlyWarnings is a handler of the records from level Warn on.
type onlyWarnings struct{ slog.Handler }

// Enabled implements slog.Handler.
func (h onlyWarnings) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && h.Handler.Enabled(ctx, l)
}

// listen listens on --api, if there is an API.
func (s *httpServing) listen() error {
	if s.addr == "" {
		return nil
	}
	if s.cert != "" {
		pair, err := tls.LoadX509KeyPair(s.cert, s.key)
		if err != nil {
			return fmt.Errorf("--api-tls-cert, --api-tls-key: %w", err)
		}
		s.tls = &pair
	}
	l, err := net.Listen("tcp", s.addr)
	if err != nil {
		return fmt.Errorf("--api: %w", err)
	}
	if err := s.options.Access.Listen(l.Addr().String(), s.tls != nil, s.insecure); err != nil {
		return errors.Join(flags.Errorf("--api: %w: see --api-keys, --api-tls-cert and --api-insecure", err), l.Close())
	}
	s.listener = &limited{l, s.door, ""}
	return nil
}

// close closes the listener. serve has closed it before, if it was called.
func (s *httpServing) close() {
	if s.listener != nil {
		_ = s.listener.Close()
	}
}

// url returns the URL of the API, "" if there is none. A listener on all addresses is reached by that of this machine, or by the name in its certificate.
func (s *httpServing) url() string {
	if s.listener == nil {
		return ""
	}
	at := s.listener.Addr().(*net.TCPAddr)
	host, scheme := at.IP.String(), "http"
	if at.IP.IsUnspecified() {
		host = "127.0.0.1"
	}
	if s.tls != nil {
		scheme = "https"
		if names := s.tls.Leaf.DNSNames; len(names) > 0 && !strings.HasPrefix(names[0], "*") {
			host = names[0]
		}
	}
	return scheme + "://" + net.JoinHostPort(host, fmt.Sprint(at.Port))
}

// start serves boards until stop is called, which waits stopTimeout for requests that are under way. failed gets the error of a listener that has
// failed.
func (s *httpServing) start(e *engine.Engine, boards *local.Boards, failed chan<- error) (stop func() error, err error) {
	if s.listener == nil {
		return func() error { return nil }, nil
	}
	handler, err := api.New(boards, s.options)
	if err != nil {
		return nil, err
	}
	pages, err := s.pages(boards)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/", handler)
	if pages != nil {
		mux.Handle("/admin/", http.StripPrefix("/admin", pages))
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, WriteTimeout: writeTimeout, ErrorLog: slog.NewLogLogger(s.options.Logger.Handler(), slog.LevelInfo)}
	server.RegisterOnShutdown(func() {
		_ = handler.Close()
		if pages != nil {
			_ = pages.Close()
		}
	})
	serve := server.Serve
	if s.tls != nil {
		server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{*s.tls}, MinVersion: tls.VersionTLS12}
		serve = func(l net.Listener) error { return server.ServeTLS(l, "", "") }
	}
	go func() {
		if err := serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
			failed <- fmt.Errorf("--api: %w", err)
		}
	}()
	return func() error {
		ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
		defer cancel()
		err := server.Shutdown(ctx)
		if err != nil {
			err = errors.Join(fmt.Errorf("--api: requests are under way still: %w", err), server.Close())
		}
		return err
	}, nil
}

// hasPages reports whether there are pages for a browser: players have tokens, but nothing to look for there.
func (s *httpServing) hasPages() bool {
	return s.admin && s.listener != nil && (s.options.Access.Open || len(s.options.Access.Keys) > 0)
}

// pages returns the pages for a browser, nil if there are none. Where the API is open, so are they, and change nothing.
func (s *httpServing) pages(boards *local.Boards) (*admin.Handler, error) {
	if !s.hasPages() {
		return nil, nil
	}
	a := &s.options.Access
	return admin.New(boards, admin.Options{Local: boards, Keys: a.Keys, Open: a.Open, Hosts: a.Hosts, TrustedProxies: a.TrustedProxies, Backups: s.backups, Logger: s.options.Logger})
}
