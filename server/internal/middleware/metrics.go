package middleware

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are those of all requests. nil: nothing is measured.
type metrics struct {
	requests  *prometheus.CounterVec
	durations *prometheus.HistogramVec
	open      *prometheus.GaugeVec
}

const prefix = "zrank_http_"

// newMetrics registers the metrics. Those that another handler has registered before are shared with it. Errors: those of the registerer.
func newMetrics(r prometheus.Registerer) (*metrics, error) {
	if r == nil {
		return nil, nil
	}
	var errs [3]error
	m := &metrics{}
	m.requests, errs[0] = register(r, prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: prefix + "requests_total", Help: "Requests that have been answered, by the class of the status; aborted: the connection was closed instead.",
	}, []string{"route", "method", "status"}))
	m.durations, errs[1] = register(r, prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: prefix + "request_duration_seconds", Help: "Time that answers took, until the handler returned; without streams.",
		Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"route", "method"}))
	m.open, errs[2] = register(r, prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: prefix + "requests_in_flight", Help: "Requests that are being answered, by kind.",
	}, []string{"kind"}))
	return m, errors.Join(errs[:]...)
}

// register registers a collector, or returns the one that is registered as it.
func register[C prometheus.Collector](r prometheus.Registerer, c C) (C, error) {
	var before prometheus.AlreadyRegisteredError
	err := r.Register(c)
	if !errors.As(err, &before) {
		return c, err
	}
	same, ok := before.ExistingCollector.(C)
	if !ok {
		return c, fmt.Errorf("middleware: %w", err)
	}
	return same, nil
}

// begin counts a request that has come in.
func (m *metrics) begin(route Route) {
	if m != nil {
		m.open.WithLabelValues(kindNames[route.Kind]).Inc()
	}
}

// end counts a request that has been answered.
func (m *metrics) end(route Route, method string, status int, took time.Duration) {
	if m == nil {
		return
	}
	label, method := routeLabel(route), methodLabel(method)
	m.open.WithLabelValues(kindNames[route.Kind]).Dec()
	m.requests.WithLabelValues(label, method, statusLabel(status)).Inc()
	if route.Kind == Answer {
		m.durations.WithLabelValues(label, method).Observe(took.Seconds())
	}
}

var kindNames = [kinds]string{Answer: "answer", Export: "export", Events: "events"}

// Labels have few values, whatever clients send.

// routeLabel returns the pattern of a route, or "none".
func routeLabel(r Route) string {
	if r.Pattern == "" {
		return "none"
	}
	return r.Pattern
}

var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions}

// methodLabel returns a method that the API knows, or "other".
func methodLabel(method string) string {
	if slices.Contains(methods, method) {
		return method
	}
	return "other"
}

// statusLabel returns the class of a status, such as "2xx".
func statusLabel(status int) string {
	if status == aborted {
		return "aborted"
	}
	return strconv.Itoa(status/100) + "xx"
}
