package app_test

import (
	"slices"
	"testing"

	"kontor.dev/kontor/internal/app"
	"kontor.dev/kontor/internal/app/apptest"
	"kontor.dev/kontor/internal/config"
)

func TestDoctorAsksTheKontorThatRuns(t *testing.T) {
	t.Parallel()
	k := apptest.Start(t, func(c *config.Config) { c.Demo = true })
	doctor, done, err := app.OpenDoctor(t.Context(), k.Config, "test")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = done() }()
	if _, remote := doctor.(*app.Remote); !remote {
		t.Fatalf("got %T, want the running one", doctor)
	}
	if names, err := doctor.ServerNames(t.Context()); err != nil || !slices.Equal(names, []string{"demo"}) {
		t.Errorf("got %q, %v", names, err)
	}
	found, err := doctor.Diagnose(t.Context(), app.Complaint{Words: []string{"demo"}})
	if err != nil || len(found) != 1 || !found[0].Report.OK() || found[0].Subject != "demo" {
		t.Errorf("got %+v, %v", found, err)
	}
	found, err = doctor.Diagnose(t.Context(), app.Complaint{Words: []string{"KEY=v", "no-such-program", "-y"}})
	if err != nil || len(found) != 1 || found[0].Report.Err == nil || found[0].Report.Err.Code != "command_not_found" {
		t.Errorf("got %+v, %v", found, err)
	}
}
