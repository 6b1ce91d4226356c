// A real authorization server (oidc-provider) and, behind it, a protected MCP server:
// a proxy that lets in who has a token of it. Tokens last five seconds, refresh tokens
// are good once, and one that comes twice ends the whole grant.
//
// `node as.mjs UPSTREAM`, the address of the MCP server. It prints the addresses of the
// two as one line of JSON. GET /stats of the authorization server counts what happened,
// /secrets is every token; POST /hold has the next refresh wait for its client to be
// gone, and drops it.
import http from 'node:http';
import Provider from 'oidc-provider';

const upstream = new URL(process.argv[2]);
const lifetime = 5;

async function listen(handler) {
	const server = http.createServer(handler);
	await new Promise((done) => server.listen(0, '127.0.0.1', done));
	return `http://127.0.0.1:${server.address().port}`;
}

const route = {};
const issuer = await listen((req, res) => route.authorization(req, res));
const origin = await listen((req, res) => route.resource(req, res));
const resource = `${origin}/mcp`;

const provider = new Provider(issuer, {
	cookies: { keys: ['for tests'] },
	pkce: { required: () => true },
	scopes: ['openid', 'offline_access', 'mcp:read'],
	clientDefaults: { token_endpoint_auth_method: 'none', grant_types: ['authorization_code', 'refresh_token'] },
	ttl: { AccessToken: lifetime, AuthorizationCode: 60, RefreshToken: 3600, Interaction: 300, Session: 300, Grant: 3600, IdToken: 60 },
	rotateRefreshToken: true,
	issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
	findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
	features: {
		devInteractions: { enabled: true }, // its own pages for signing in and consent
		registration: { enabled: true },
		revocation: { enabled: true },
		resourceIndicators: {
			enabled: true,
			useGrantedResource: () => true,
			defaultResource: () => resource,
			getResourceServerInfo: (_, asked) => {
				if (asked !== resource) {
					throw Object.assign(new Error('invalid_target'), { error: 'invalid_target', error_description: 'no such resource', status: 400, statusCode: 400, expose: true });
				}
				return { scope: 'mcp:read', audience: asked, accessTokenTTL: lifetime, accessTokenFormat: 'opaque' };
			},
		},
	},
});

const stats = { registrations: 0, codes: 0, refreshes: 0, revoked: 0, failures: [] };
provider.on('registration_create.success', () => stats.registrations++);
provider.on('grant.success', (ctx) => ctx.oidc.params.grant_type === 'refresh_token' ? stats.refreshes++ : stats.codes++);
provider.on('grant.error', (_, error) => stats.failures.push(error.message));
provider.on('refresh_token.destroyed', () => stats.revoked++);

// Every token and code there was, for whoever looks whether it got out.
const secrets = [];
for (const kind of ['access_token', 'refresh_token', 'authorization_code', 'registration_access_token']) {
	provider.on(`${kind}.saved`, (token) => secrets.push(token.jti));
}

let hold = false;
const answer = provider.callback();
route.authorization = (req, res) => {
	const { pathname } = new URL(req.url, issuer);
	if (pathname === '/stats') {
		return res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...stats, held: hold === 'held' }));
	}
	if (pathname === '/secrets') {
		return res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(secrets));
	}
	if (pathname === '/hold') {
		hold = true;
		return res.writeHead(204).end();
	}
	if (pathname === '/token' && hold === true) {
		hold = 'held';
		return res.on('close', () => (hold = false));
	}
	if (pathname === '/.well-known/oauth-authorization-server') {
		req.url = '/.well-known/openid-configuration';
	}
	answer(req, res);
};

// describe is the protected resource metadata (RFC 9728) of a path; /other is one that
// the authorization server knows nothing of.
const describe = (path) => ({ resource: origin + path, authorization_servers: [issuer], scopes_supported: ['openid', 'mcp:read'] });

route.resource = async (req, res) => {
	const { pathname } = new URL(req.url, origin);
	const wellKnown = '/.well-known/oauth-protected-resource';
	if (pathname.startsWith(wellKnown)) {
		return res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(describe(pathname.slice(wellKnown.length))));
	}
	const token = (req.headers.authorization ?? '').replace(/^Bearer /, '');
	const found = token && (await provider.AccessToken.find(token));
	if (!found || found.isExpired || found.aud !== origin + pathname) {
		const challenge = `Bearer resource_metadata="${origin}${wellKnown}${pathname}"${token ? ', error="invalid_token"' : ''}`;
		return res.writeHead(401, { 'www-authenticate': challenge }).end();
	}
	const { authorization, host, ...headers } = req.headers;
	const on = http.request(upstream, { method: req.method, headers }, (back) => {
		res.writeHead(back.statusCode, back.headers);
		res.flushHeaders();
		back.pipe(res);
	});
	on.on('error', () => res.destroy());
	res.on('close', () => on.destroy());
	req.pipe(on);
};

console.log(JSON.stringify({ issuer, resource, other: `${origin}/other` }));
