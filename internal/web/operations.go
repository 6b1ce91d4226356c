package web

import "net/http"

// operations is the API's table. What isn't JSON (files, the socket, the
// document) is in routes.go.
func (s *Server) operations(api table) {
	const get, post, put, patch, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete
	const ok, created, none = http.StatusOK, http.StatusCreated, http.StatusNoContent

	register(api, route{get, "servers", "list-servers", "Every server with its state", ok, false}, s.listServers)
	register(api, route{post, "servers", "add-server", "Save a server and connect it in the background", created, false}, s.addServer)
	register(api, route{post, "servers/test", "test-server", "Try a configuration step by step; nothing is saved", ok, false}, s.testServer)
	register(api, route{post, "servers/import", "import-servers", "Read an address, a command line or another host's configuration; nothing is saved or started", ok, false}, s.importServers)
	register(api, route{get, "servers/{name}", "get-server", "One server", ok, false}, s.getServer)
	register(api, route{put, "servers/{name}", "replace-server", "Replace the configuration; secrets left out are kept", ok, false}, s.replaceServer)
	register(api, route{patch, "servers/{name}", "enable-server", "Switch a server on or off", ok, false}, s.enableServer)
	register(api, route{del, "servers/{name}", "delete-server", "Delete a server; its calls and its log stay", none, false}, s.deleteServer)
	register(api, route{post, "servers/{name}/reconnect", "reconnect-server", "Close the connection and dial again now", ok, false}, s.reconnectServer)
	register(api, route{get, "servers/{name}/logs", "server-logs", "The last lines of a server's log, oldest first", ok, false}, s.serverLogs)
	register(api, route{get, "servers/{name}/trace", "server-trace", "The latest messages between Kontor and a server, oldest first", ok, false}, s.serverTrace)

	register(api, route{post, "servers/{name}/sign-in", "start-sign-in", "Prepare signing in: the address for the browser", ok, false}, s.startSignIn)
	register(api, route{del, "servers/{name}/sign-in", "sign-out", "Revoke and forget what was granted", ok, false}, s.signOut)
	register(api, route{post, "servers/{name}/sign-in/callback", "paste-sign-in", "Take the address that the authorization server sent the browser to", ok, true}, s.pasteSignIn)
	register(api, route{post, "servers/{name}/sign-in/cancel", "cancel-sign-in", "Give up a sign-in that waits for the browser", ok, false}, s.cancelSignIn)

	register(api, route{get, "tools", "list-tools", "The tools of all servers", ok, false}, s.listTools)
	register(api, route{post, "tools/call", "call-tool", "Run a tool", ok, true}, s.callTool)
	register(api, route{post, "tools/accept", "accept-tool", "Take a tool's changed definition for the known one", ok, false}, s.acceptTool)
	register(api, route{get, "calls", "list-calls", "Calls, newest first", ok, false}, s.listCalls)
	register(api, route{get, "calls/{id}", "get-call", "One call with its result", ok, false}, s.getCall)
	register(api, route{post, "calls/{id}/cancel", "cancel-call", "Stop a call; the server is told", ok, false}, s.cancelCall)

	register(api, route{get, "resources", "list-resources", "Resources and templates of all servers", ok, false}, s.listResources)
	register(api, route{post, "resources/read", "read-resource", "Read a resource", ok, false}, s.readResource)
	register(api, route{get, "prompts", "list-prompts", "Prompts of all servers", ok, false}, s.listPrompts)
	register(api, route{post, "prompts/get", "get-prompt", "Render a prompt", ok, false}, s.getPrompt)
	register(api, route{post, "complete", "complete", "Suggestions for an argument", ok, false}, s.complete)

	register(api, route{get, "inbox", "get-inbox", "Everything that waits for the person", ok, false}, s.getInbox)
	register(api, route{post, "inbox/elicitations/{id}/resolve", "resolve-elicitation", "Answer a server's question; the first answer wins", ok, true}, s.resolveElicitation)

	register(api, route{post, "inbox/approvals/{id}/resolve", "resolve-approval", "Let a call run, or not; the first answer wins", ok, false}, s.resolveApproval)
	register(api, route{post, "inbox/questions/{id}/resolve", "resolve-question", "Answer an agent's question; the first answer wins", ok, false}, s.resolveQuestion)
	register(api, route{post, "inbox/notifications/{id}/dismiss", "dismiss-notification", "Put a notification away", ok, false}, s.dismissNotification)

	register(api, route{get, "secrets", "list-secrets", "The names of the stored secrets", ok, false}, s.listSecrets)
	register(api, route{put, "secrets/{name}", "put-secret", "Store a secret", none, true}, s.putSecret)
	register(api, route{del, "secrets/{name}", "delete-secret", "Delete a secret", none, false}, s.deleteSecret)

	register(api, route{get, "access", "get-access", "How the person can get in", ok, false}, s.getAccess)
	register(api, route{put, "access/password", "set-password", "Set or change the password; other browsers are signed out", none, true}, s.setPassword)
	register(api, route{post, "access/password/remove", "remove-password", "Live without a password", none, true}, s.removePassword)
	register(api, route{get, "access/sessions", "list-web-sessions", "The signed-in browsers", ok, false}, s.listWebSessions)
	register(api, route{del, "access/sessions/{id}", "revoke-web-session", "Sign a browser out", none, false}, s.revokeWebSession)
	register(api, route{post, "access/log-out", "log-out", "Sign this browser out", none, false}, s.logOut)
	register(api, route{get, "tokens", "list-tokens", "The API tokens", ok, false}, s.listTokens)
	register(api, route{post, "tokens", "create-token", "Make an API token; it is shown this once", created, false}, s.createToken)
	register(api, route{del, "tokens/{id}", "revoke-token", "Revoke an API token", none, false}, s.revokeToken)

	register(api, route{get, "settings", "get-settings", "Settings of Kontor itself", ok, false}, s.getSettings)
	register(api, route{patch, "settings", "change-settings", "Change some settings", ok, false}, s.changeSettings)
	register(api, route{get, "about", "about", "Which Kontor this is and how it is", ok, false}, s.about)
	s.chatOperations(api)
}

// chatOperations are those of the agents, and of what they may do.
func (s *Server) chatOperations(api table) {
	const get, post, put, patch, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete
	const ok, created, none = http.StatusOK, http.StatusCreated, http.StatusNoContent

	register(api, route{get, "sessions", "list-sessions", "Chats, the latest first", ok, false}, s.listSessions)
	register(api, route{post, "sessions", "create-session", "Begin a chat", created, false}, s.createSession)
	register(api, route{get, "sessions/{id}", "get-session", "One chat, without its messages", ok, false}, s.getSession)
	register(api, route{patch, "sessions/{id}", "change-session", "Rename a chat, or change its model or agent", ok, false}, s.changeSession)
	register(api, route{del, "sessions/{id}", "delete-session", "Delete a chat and its messages; its calls stay", none, false}, s.deleteSession)
	register(api, route{get, "sessions/{id}/messages", "list-messages", "Messages of a chat or of a sub-agent, the latest first", ok, false}, s.listMessages)
	register(api, route{post, "sessions/{id}/messages", "send-message", "Say something; a turn begins, or it joins the one on its way", ok, false}, s.sendMessage)
	register(api, route{post, "sessions/{id}/retry", "retry-turn", "Answer the last message anew, or go on after an interruption", ok, false}, s.retryTurn)
	register(api, route{post, "sessions/{id}/stop", "stop-turn", "Stop the turn and everything that it began", none, false}, s.stopTurn)
	register(api, route{put, "sessions/{id}/grants", "put-grants", "Switch tool groups on and off", ok, false}, s.putGrants)
	register(api, route{post, "sessions/{id}/calls", "call-in-session", "Run a tool yourself and show it in the chat", ok, true}, s.runInSession)
	register(api, route{get, "agents", "list-agents", "Agents that a chat can be with", ok, false}, s.listAgents)

	register(api, route{get, "models", "list-models", "The language models", ok, false}, s.listModels)
	register(api, route{post, "models", "add-model", "Add a language model", created, true}, s.addModel)
	register(api, route{post, "models/test", "test-model", "Send a short request; nothing is saved", ok, true}, s.tryModel)
	register(api, route{post, "models/offered", "list-offered-models", "The models that a provider says it has; nothing is saved", ok, true}, s.offeredModels)
	register(api, route{put, "models/{name}", "replace-model", "Replace a language model; a key left out is kept", ok, true}, s.replaceModel)
	register(api, route{del, "models/{name}", "delete-model", "Delete a language model", none, false}, s.deleteModel)

	register(api, route{get, "policies", "list-rules", "The rules of what may run, in their order", ok, false}, s.listRules)
	register(api, route{post, "policies", "add-rule", "Add a rule", created, false}, s.addRule)
	register(api, route{put, "policies/order", "order-rules", "Put the rules into another order", ok, false}, s.orderRules)
	register(api, route{post, "policies/simulate", "simulate-policy", "What would happen with a call; nothing is run", ok, false}, s.simulatePolicy)
	register(api, route{get, "policies/audit", "list-audit", "What was decided about calls, newest first", ok, false}, s.listAudit)
	register(api, route{put, "policies/{id}", "replace-rule", "Replace a rule", ok, false}, s.replaceRule)
	register(api, route{del, "policies/{id}", "delete-rule", "Delete a rule", none, false}, s.deleteRule)
}
