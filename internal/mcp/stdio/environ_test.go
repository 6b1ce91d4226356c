package stdio

import (
	"slices"
	"testing"
)

func TestBaseEnvPassesOnLittle(t *testing.T) {
	t.Parallel()
	ours := []string{"HOME=/h", "PATH=/bin", "KONTOR_KEY=secret", "AWS_SECRET=x", "LANG=C", "Path=odd", "USER=u", "TMPDIR=/tmp", "SystemRoot=C:\\W"}
	named := map[string]string{"LANG": "de", "TOKEN": "t=1"}
	if got, want := baseEnv(ours, false, named), []string{"HOME=/h", "LANG=de", "PATH=/bin", "TMPDIR=/tmp", "TOKEN=t=1", "USER=u"}; !slices.Equal(got, want) {
		t.Errorf("want %q, got %q", want, got)
	}
	if got, want := baseEnv(ours[6:], true, map[string]string{"path": "x"}), []string{"SystemRoot=C:\\W", "path=x"}; !slices.Equal(got, want) {
		t.Errorf("Windows: want %q, got %q", want, got)
	}
	if got := baseEnv(nil, false, nil); got == nil {
		t.Error("nil means our own environment to exec")
	}
}
