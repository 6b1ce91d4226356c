package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

const (
	fanoutSockets = 1000
	fanoutEvents  = 10 // for each round
	fanoutBar     = 1.5
	fanoutLimit   = 30 * time.Second
)

// fanoutMark is in the event that Kontor sends when a setting changes, and in no
// other that is sent meanwhile.
var fanoutMark = []byte(`"settings_changed"`)

// benchFanout compares the time from a request until its event has reached the last
// of a thousand sockets: a change of a setting in Kontor, and a bare loop that
// writes the same bytes.
func benchFanout(ctx context.Context, b bench) (err error) {
	bare, err := startPeer(ctx, b, roleFanout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bare.stop()) }()
	return withKontor(ctx, b, func(k *kontor) error {
		loop := &kontor{url: "http://" + bare.address, client: keepAlive()}
		bareSockets, err := listen(ctx, loop)
		if err != nil {
			return err
		}
		defer bareSockets.close()
		sockets, err := listen(ctx, k)
		if err != nil {
			return err
		}
		defer sockets.close()
		return compareFanout(ctx, b,
			func() (time.Duration, error) {
				return bareSockets.time(ctx, loop, http.MethodPost, "/send", bareEvent())
			},
			func() (time.Duration, error) {
				return sockets.time(ctx, k, http.MethodPatch, "/api/settings", []byte(`{"theme":"dark"}`))
			})
	})
}

func bareEvent() []byte {
	return []byte(`{"seq":1,"at":"2026-01-01T00:00:00.000Z","type":"settings_changed"}`)
}

// compareFanout sends events by both in turn. The first of each warm up.
func compareFanout(ctx context.Context, b bench, bare, through func() (time.Duration, error)) error {
	var bareTimes, throughTimes []time.Duration
	for i := range (b.rounds + 1) * fanoutEvents {
		bareTime, err := bare()
		if err != nil {
			return err
		}
		throughTime, err := through()
		if err != nil {
			return err
		}
		if i >= fanoutEvents {
			bareTimes, throughTimes = append(bareTimes, bareTime), append(throughTimes, throughTime)
		}
	}
	what := fmt.Sprintf("event on %d sockets", fanoutSockets)
	b.report.times(what+", p50", percentile(bareTimes, .5), percentile(throughTimes, .5), fanoutBar)
	b.report.times(what+", p99", percentile(bareTimes, .99), percentile(throughTimes, .99), 0)
	return ctx.Err()
}

// sockets all listen to one server.
type sockets struct {
	conns   []*websocket.Conn
	reading sync.WaitGroup
	heard   atomic.Int64
	all     chan struct{} // a value each time that all have heard
}

func listen(ctx context.Context, k *kontor) (*sockets, error) {
	s := &sockets{all: make(chan struct{}, 1)}
	header := http.Header{"Authorization": {"Bearer " + token}}
	for range fanoutSockets {
		conn, _, err := websocket.DefaultDialer.DialContext(ctx, "ws"+strings.TrimPrefix(k.url, "http")+"/api/ws", header)
		if err != nil {
			s.close()
			return nil, fmt.Errorf("socket %d: %w", len(s.conns)+1, err)
		}
		s.conns = append(s.conns, conn)
		s.reading.Go(func() { s.read(conn) })
	}
	return s, nil
}

func (s *sockets) read(conn *websocket.Conn) {
	for {
		_, message, err := conn.ReadMessage()
		if err != nil {
			return
		}
		if bytes.Contains(message, fanoutMark) && s.heard.Add(1)%fanoutSockets == 0 {
			s.all <- struct{}{}
		}
	}
}

// time makes the request and waits until all have heard of it.
func (s *sockets) time(ctx context.Context, k *kontor, method, path string, body []byte) (time.Duration, error) {
	begun := time.Now()
	if _, err := k.do(ctx, method, path, body); err != nil {
		return 0, err
	}
	late := time.NewTimer(fanoutLimit)
	defer late.Stop()
	select {
	case <-s.all:
		return time.Since(begun), nil
	case <-late.C:
		return 0, fmt.Errorf("%d sockets of %d have heard", s.heard.Load()%fanoutSockets, fanoutSockets)
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func (s *sockets) close() {
	for _, conn := range s.conns {
		_ = conn.Close() // reading ends by it
	}
	s.reading.Wait()
}
