package wire

import "kontor.dev/kontor/internal/model"

// Settings are what the person can change of Kontor itself.
type Settings struct {
	Theme   string `json:"theme" enum:"system,light,dark"`
	BaseURL string `json:"base_url" doc:"The address that browsers use; empty for the address listened on"`
}

// PatchSettings changes those that are given.
type PatchSettings struct {
	Theme   *string `json:"theme,omitempty" enum:"system,light,dark"`
	BaseURL *string `json:"base_url,omitempty"`
}

// About says which Kontor this is and how it is.
type About struct {
	Version  string `json:"version"`
	Revision string `json:"revision"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	DataDir  string `json:"data_dir"`
	Key      Key    `json:"key"`
	// Demo is the configuration of the bundled demo server, to be posted as it is.
	Demo ServerConfig `json:"demo"`
}

// DemoOf is the demo server as it is to be posted.
func DemoOf(s model.Server) ServerConfig {
	return ServerConfig{
		Name: s.Name, FriendlyName: s.FriendlyName, Description: s.Description,
		Transport: string(s.Transport), Command: s.Command, Args: s.Args,
	}
}

// Key says whether what is sealed can be read.
type Key struct {
	State      string   `json:"state" enum:"ok,unusable"`
	Message    string   `json:"message" doc:"What is wrong and what to do; empty when ok"`
	Unreadable []string `json:"unreadable" doc:"What can't be read, in words"`
}

// Boot is what the shell page gives the SPA, in the script element #boot.
type Boot struct {
	Version string `json:"version" doc:"A page with another version than the hello event's is stale"`
	Theme   string `json:"theme" enum:"system,light,dark"`
	Key     Key    `json:"key"`
}
