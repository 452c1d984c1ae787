import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Provider, { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import { createMemory } from './memory.ts';
import { escapeHtml, page, peoplePage } from './pages.ts';
import { type LocalPerson, localGroups, localPeople } from './people.ts';

if (process.env.NODE_ENV === 'production')
  throw new Error('The local provider lets anybody in as anybody. It is for trying out alone.');

const clientId = 'ballot-beacon';
/** Of the sign-in of a person who chose to have lost every group. */
const withoutGroups = 'without-groups';
const hour = 60 * 60;
/** Any office on this machine: what another provider has registered as one address per office. */
const ownAddress = /^http:\/\/([a-z0-9-]+\.)*localhost(:\d+)?\/office\//;

export interface LocalProvider {
  readonly issuer: string;
  readonly port: number;
  /** Can be changed: what the provider says at a sign-in is what is here then. */
  readonly people: Map<string, LocalPerson>;
  /** Seconds by which the provider claims that people signed in earlier than they did. */
  backdate: number;
  /** The value of OFFICE_PROVIDERS for it. */
  settings(changes?: object): string;
  close(): Promise<void>;
}

/** Starts an OpenID Connect provider on this machine that asks who one is, and believes it. @param port 0: a free one */
export async function startLocalProvider(port = 0): Promise<LocalProvider> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const listensAt = (server.address() as AddressInfo).port;
  const issuer = `http://localhost:${listensAt}`;
  const people = new Map(localPeople.map((person) => [person.id, person]));
  const provider = new Provider(issuer, configure(people));
  letOwnAddressesIn(provider);
  letCommandsAskOften(provider);
  const answer = provider.callback();
  const local: LocalProvider = {
    issuer,
    port: listensAt,
    people,
    backdate: 0,
    settings: (changes = {}) =>
      JSON.stringify([
        {
          name: 'Local provider',
          issuer,
          client_id: clientId,
          scope: 'openid profile',
          groups: localGroups,
          ...changes,
        },
      ]),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
    interact(provider, local, request, response).catch((error: Error) => {
      response.statusCode = 400;
      response.end(error.message);
    });
  });
  return local;
}

/** The page on which a person says who it is. */
async function interact(
  provider: Provider,
  local: LocalProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    await provider.interactionDetails(request, response);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(peoplePage([...local.people.values()]));
    return;
  }
  const form = new URLSearchParams(await text(request));
  const accountId = form.get('person') ?? '';
  const isKnown = local.people.has(accountId);
  const ago = Number(form.get('ago') ?? local.backdate);
  const login = {
    accountId,
    ts: Math.floor(Date.now() / 1000) - ago,
    ...(form.get('groups') === 'none' && { acr: withoutGroups }),
  };
  await provider.interactionFinished(
    request,
    response,
    isKnown ? { login } : { error: 'access_denied' },
    { mergeWithLastSubmission: false },
  );
}

function configure(people: ReadonlyMap<string, LocalPerson>): Configuration {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { ...privateKey.export({ format: 'jwk' }), kid: 'local', use: 'sig', alg: 'ES256' };
  return {
    adapter: createMemory(),
    jwks: { keys: [key] } as NonNullable<Configuration['jwks']>,
    cookies: { keys: [randomBytes(32).toString('hex')] },
    clients: [
      {
        client_id: clientId,
        client_name: 'Ballot Beacon',
        token_endpoint_auth_method: 'none',
        id_token_signed_response_alg: 'ES256',
        grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
        response_types: ['code'],
        // Others are let in by letOwnAddressesIn.
        redirect_uris: ['http://localhost/office/signed-in'],
      },
    ],
    claims: { openid: ['sub'], profile: ['name', 'groups'] },
    // As most providers do: what is asked for is in the token.
    conformIdTokenClaims: false,
    findAccount: (_ctx, id, token) => {
      const person = people.get(id);
      if (!person) return undefined;
      const { name } = person;
      const hasLostGroups = (token as { acr?: string } | undefined)?.acr === withoutGroups;
      const groups = hasLostGroups ? [] : person.groups;
      const claims = async (use: string) => {
        if (person.isTokenAll && use === 'userinfo')
          throw new errors.InvalidToken('no more to say');
        return {
          sub: id,
          ...(!(person.isAskedForGroups && use === 'userinfo') && { name }),
          ...(!(person.isAskedForGroups && use === 'id_token') && { groups: [...groups] }),
        };
      };
      return { accountId: id, claims };
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    // Nobody is asked what the office may know.
    async loadExistingGrant(ctx) {
      const { client, session } = ctx.oidc;
      const accountId = session?.accountId;
      if (!client || accountId === undefined) return undefined;
      const grant = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId });
      grant.addOIDCScope('openid profile');
      await grant.save();
      return grant;
    },
    clientBasedCORS: () => false,
    pkce: { required: () => true },
    ttl: {
      AccessToken: hour,
      AuthorizationCode: 60,
      DeviceCode: 600,
      Grant: 12 * hour,
      IdToken: hour,
      Interaction: hour,
      Session: 12 * hour,
    },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: {
        enabled: true,
        userCodeInputSource: async (ctx, form) =>
          show(ctx, 'Type the code', `${form}<button form="op.deviceInputForm">Go on</button>`),
        userCodeConfirmSource: async (ctx, form, _client, _device, code) =>
          show(
            ctx,
            'Confirm the code',
            `<p>Does the command line show <b>${escapeHtml(code)}</b>?</p>${form}<button form="op.deviceConfirmForm">Yes, sign in</button>`,
          ),
        successSource: async (ctx) =>
          show(ctx, 'You are signed in', '<p>Go back to the command line.</p>'),
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: async (ctx, form) =>
          show(
            ctx,
            'Sign out?',
            `${form}<button form="op.logoutForm" name="logout" value="yes">Yes, sign out</button>`,
          ),
        postLogoutSuccessSource: async (ctx) => show(ctx, 'You are signed out', ''),
      },
    },
    renderError: async (ctx, out) =>
      show(ctx, 'That did not work', `<p>${escapeHtml(out.error)}</p>`),
  };
}

async function show(ctx: KoaContextWithOIDC, title: string, content: string): Promise<void> {
  ctx.type = 'html';
  ctx.body = page(title, content);
}

/** Offices of this machine come and go with their subdomains, and none is registered here. */
function letOwnAddressesIn(provider: Provider): void {
  const client = provider.Client.prototype as unknown as Record<string, (uri: string) => boolean>;
  for (const name of ['redirectUriAllowed', 'postLogoutRedirectUriAllowed'])
    client[name] = (uri) => ownAddress.test(uri);
}

/** A command that signs in asks whether the person has confirmed its code: every five seconds, unless the provider says otherwise. */
function letCommandsAskOften(provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.oidc?.route === 'device_authorization' && ctx.status === 200)
      ctx.body = { ...(ctx.body as object), interval: 0.2 };
  });
}
