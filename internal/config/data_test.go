package config

import (
	"os"
	"path/filepath"
	"testing"
)

func TestHowThisProgramIsCalled(t *testing.T) {
	bin := t.TempDir()
	installed, elsewhere := filepath.Join(bin, "kontor"), filepath.Join(t.TempDir(), "kontor")
	for _, path := range []string{installed, elsewhere} {
		if err := os.WriteFile(path, nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	usual, err := folder(defaultData)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ executable, data, want string }{
		{installed, usual, "kontor link"},
		{installed, "/srv/kontor", "kontor link --data /srv/kontor"},
		{installed, "/srv/my kontor", "kontor link --data '/srv/my kontor'"},
		{elsewhere, usual, elsewhere + " link"},
	} {
		if got := (Config{Data: tc.data}).Command(tc.executable, "link"); got != tc.want {
			t.Errorf("got %s, want %s", got, tc.want)
		}
	}
}
