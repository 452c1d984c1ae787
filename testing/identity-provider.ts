import { type LocalProvider, startLocalProvider } from '../dev/local-provider/provider.ts';
import type { TestBrowser } from './api.ts';

export { type LocalProvider, startLocalProvider };

/** A browser at the identity provider: it keeps the cookies of the provider, so that the provider knows it again. */
export interface ProviderVisitor {
  /** Signs in at the provider's page. @returns the address with which the provider sends the browser back to the office */
  signIn(address: string, personId: string): Promise<URL>;
  /** Opens an address of a device's sign-in and confirms the code. @returns the last page */
  confirmCode(address: string, personId: string): Promise<string>;
}

export function visitProvider(provider: LocalProvider): ProviderVisitor {
  const cookies = new Map<string, string>();

  async function request(address: URL, form?: Record<string, string>): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(address, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }

  /** Follows redirects and fills in what is asked, until the provider sends the browser elsewhere or asks no more. */
  async function walk(start: URL, personId: string): Promise<URL | string> {
    let at = start;
    let answer = await request(at);
    let hasSaidWho = false;
    for (let steps = 0; steps < 20; steps += 1) {
      const next = answer.headers.get('location');
      if (next !== null) {
        at = new URL(next, at);
        if (at.origin !== provider.issuer) return at;
        answer = await request(at);
        continue;
      }
      const html = await answer.text();
      if (at.pathname.startsWith('/interaction/')) {
        hasSaidWho = true;
        answer = await request(at, { person: personId });
      } else if (hasSaidWho && html.includes('type="text"')) {
        // The code is asked for again of a person who was refused.
        return html;
      } else if (html.includes('<form')) {
        at = new URL(/action="([^"]+)"/.exec(html)?.[1] ?? '', at);
        answer = await request(at, hiddenFields(html));
      } else return html;
    }
    throw new Error(`The provider asks on and on, lately at ${at.href}.`);
  }

  return {
    async signIn(address, personId) {
      const end = await walk(new URL(address), personId);
      if (typeof end === 'string') throw new Error(`The provider says: ${end}`);
      return end;
    },
    async confirmCode(address, personId) {
      return String(await walk(new URL(address), personId));
    },
  };
}

function hiddenFields(html: string): Record<string, string> {
  const inputs = html.matchAll(/<input[^>]*name="(?<name>[^"]+)"[^>]*?value="(?<value>[^"]*)"/g);
  return Object.fromEntries(
    [...inputs].map(({ groups }) => [groups?.name ?? '', groups?.value ?? '']),
  );
}

/** Signs somebody in to the console of the browser's host by the provider, as the console's page does. */
export async function signInByProvider(
  browser: TestBrowser,
  visitor: ProviderVisitor,
  personId: string,
  { again = false }: { readonly again?: boolean } = {},
) {
  const start = await browser.post('/api/office/provider-sign-in', { again });
  if (start.statusCode !== 200) return start;
  const { search } = await visitor.signIn(start.json<{ url: string }>().url, personId);
  return browser.post('/api/office/provider-session', { answer: search });
}
