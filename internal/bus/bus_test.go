package bus_test

import (
	"fmt"
	"sync"
	"testing"

	"kontor.dev/kontor/internal/bus"
	"kontor.dev/kontor/internal/model"
)

func TestEverySubscriberGetsEveryEventInOrder(t *testing.T) {
	t.Parallel()
	b := bus.New()
	subs := []*bus.Subscription{b.Subscribe(10), b.Subscribe(10)}
	for i := range 10 {
		b.Publish(model.ServerRemoved{Name: fmt.Sprint(i)})
	}
	b.Close()
	for n, s := range subs {
		i := 0
		for e := range s.C() {
			if got, want := e.(model.ServerRemoved).Name, fmt.Sprint(i); got != want {
				t.Errorf("subscriber %d, event %d: got %s, want %s", n, i, got, want)
			}
			i++
		}
		if i != 10 {
			t.Errorf("subscriber %d: got %d events, want 10", n, i)
		}
	}
}

func TestSlowSubscriberIsToldWhatItMissedAndBlocksNobody(t *testing.T) {
	t.Parallel()
	b := bus.New()
	slow, quick := b.Subscribe(2), b.Subscribe(5)
	for range 5 {
		b.Publish(model.SettingsChanged{})
	}
	if got := slow.Missed(); got != 3 {
		t.Errorf("slow missed %d, want 3", got)
	}
	if got := slow.Missed(); got != 0 {
		t.Errorf("missed is counted twice: %d", got)
	}
	if got := quick.Missed(); got != 0 {
		t.Errorf("quick missed %d, want 0", got)
	}
}

func TestCloseRacesWithPublish(t *testing.T) {
	t.Parallel()
	b := bus.New()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				s := b.Subscribe(1)
				b.Publish(model.SettingsChanged{})
				s.Close()
				s.Close()
			}
		})
	}
	wg.Wait()
	b.Close()
	if _, open := <-b.Subscribe(1).C(); open {
		t.Error("a subscription to a closed bus is open")
	}
}
