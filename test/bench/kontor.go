package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

const token = "bench-token-of-full-access"

// stopLimit is how long a Kontor may take to end.
const stopLimit = 20 * time.Second

// kontor is a running one.
type kontor struct {
	url    string
	pid    int
	client *http.Client
	cmd    *exec.Cmd
}

// inFolder runs do with a data folder that goes afterwards.
func inFolder(do func(dir string) error) error {
	dir, err := os.MkdirTemp("", "kontor-bench-")
	if err != nil {
		return err
	}
	return errors.Join(do(dir), os.RemoveAll(dir))
}

// withKontor runs do beside a Kontor on a data folder of its own.
func withKontor(ctx context.Context, b bench, do func(*kontor) error) error {
	return inFolder(func(dir string) error {
		k, err := startKontor(ctx, b, dir)
		if err != nil {
			return err
		}
		return errors.Join(do(k), k.stop())
	})
}

var listens = regexp.MustCompile(`listens on ([^ ]+)\. `)

// startKontor starts one on a data folder and returns when it says where it
// listens.
func startKontor(ctx context.Context, b bench, dir string) (*kontor, error) {
	args := []string{"serve", "--data", dir, "--listen", "127.0.0.1:0"}
	if b.profiles != "" {
		args = append(args, "--cpu-profile", filepath.Join(b.profiles, filepath.Base(dir)+".prof"))
	}
	cmd := exec.CommandContext(ctx, b.kontor, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = stopLimit
	cmd.Stderr = os.Stderr
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "KONTOR_") {
			cmd.Env = append(cmd.Env, entry)
		}
	}
	cmd.Env = append(cmd.Env, "KONTOR_API_TOKEN="+token, "KONTOR_LOG_LEVEL=error")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	said := listens.FindStringSubmatch(line)
	k := &kontor{pid: cmd.Process.Pid, client: keepAlive(), cmd: cmd}
	if said == nil {
		return nil, errors.Join(fmt.Errorf("%s doesn't listen: it said %q", b.kontor, line), err, k.stop())
	}
	k.url = "http://" + said[1]
	return k, nil
}

func (k *kontor) stop() error {
	k.client.CloseIdleConnections()
	// Wait tells whether it came to an end.
	_ = k.cmd.Process.Signal(syscall.SIGTERM)
	late := time.AfterFunc(stopLimit, func() { _ = k.cmd.Process.Kill() })
	defer late.Stop()
	return k.cmd.Wait()
}

// do sends a request and reads the whole answer.
func (k *kontor) do(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, k.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	res, err := k.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	var answer bytes.Buffer
	if res.ContentLength > 0 {
		answer.Grow(int(res.ContentLength) + bytes.MinRead)
	}
	if _, err := io.Copy(&answer, res.Body); err != nil {
		return nil, err
	}
	if res.StatusCode >= http.StatusMultipleChoices {
		return nil, fmt.Errorf("%s %s: %s: %.500s", method, path, res.Status, answer.Bytes())
	}
	return answer.Bytes(), nil
}

// get reads a path of the API into out.
func (k *kontor) get(ctx context.Context, path string, out any) error {
	answer, err := k.do(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, out)
}

// add saves a server, which connects in the background.
func (k *kontor) add(ctx context.Context, config map[string]any) error {
	body, err := json.Marshal(config)
	if err != nil {
		return err
	}
	_, err = k.do(ctx, http.MethodPost, "/api/servers", body)
	return err
}

const pollEvery = 20 * time.Millisecond

// awaitTools waits until n tools are listed, all of them in the API's answer.
func (k *kontor) awaitTools(ctx context.Context, n int) error {
	for {
		// The servers' counts are a small answer; the list itself is read once.
		var servers struct {
			Items []struct{ Status struct{ Tools int } }
		}
		if err := k.get(ctx, "/api/servers", &servers); err != nil {
			return err
		}
		found := 0
		for _, s := range servers.Items {
			found += s.Status.Tools
		}
		if found >= n {
			break
		}
		select {
		case <-time.After(pollEvery):
		case <-ctx.Done():
			return fmt.Errorf("%d of %d tools are listed: %w", found, n, ctx.Err())
		}
	}
	var tools struct{ Items []struct{ Name string } }
	if err := k.get(ctx, "/api/tools", &tools); err != nil {
		return err
	}
	if len(tools.Items) != n {
		return fmt.Errorf("%d tools are listed, want %d", len(tools.Items), n)
	}
	return nil
}
