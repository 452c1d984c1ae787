import type { FrameLocator, Page } from '@playwright/test';

export interface GoogleDouble {
  /** The languages its script was asked for, in order. */
  readonly languages: string[];
  /** The box that a voter ticks. */
  readonly frame: FrameLocator;
  tick(): Promise<void>;
  /** Two minutes have passed. */
  expire(): Promise<void>;
}

/** Stands in for Google's script and frame at the edge of the network, under the addresses of the real ones. */
export async function interceptGoogle(page: Page): Promise<GoogleDouble> {
  const languages: string[] = [];
  await page.route('https://www.google.com/recaptcha/api.js?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    languages.push(query.get('hl') ?? '');
    return route.fulfill({
      contentType: 'text/javascript',
      body: `(${script})(${JSON.stringify(query.get('onload'))})`,
    });
  });
  await page.route('https://www.google.com/recaptcha/api2/anchor*', (route) =>
    route.fulfill({ contentType: 'text/html', body: anchor }),
  );
  const frame = page.frameLocator('iframe[title="reCAPTCHA"]');
  return {
    languages,
    frame,
    tick: () => frame.getByRole('checkbox').check(),
    expire: () =>
      page.evaluate(() => {
        window.dispatchEvent(new Event('test-expire'));
      }),
  };
}

const anchor = `<!doctype html><html lang="en"><title>reCAPTCHA</title>
<label><input type="checkbox"> I'm not a robot</label>
<script>
const box = document.querySelector('input');
box.onchange = () => parent.postMessage('ticked', '*');
addEventListener('message', () => { box.checked = false; });
</script></html>`;

interface Options {
  sitekey: string;
  callback: (answer: string) => void;
  'expired-callback': () => void;
}

/** Runs in the page. */
function script(onload: string) {
  const frames: HTMLIFrameElement[] = [];
  const api = {
    render(element: HTMLElement, options: Options): number {
      const frame = document.createElement('iframe');
      frame.title = 'reCAPTCHA';
      frame.width = '304';
      frame.height = '78';
      frame.src = `https://www.google.com/recaptcha/api2/anchor?k=${options.sitekey}`;
      element.append(frame);
      frames.push(frame);
      window.addEventListener('message', ({ source }) => {
        if (source === frame.contentWindow) options.callback(`ticked-${crypto.randomUUID()}`);
      });
      window.addEventListener('test-expire', () => {
        if (frame.isConnected) options['expired-callback']();
      });
      return frames.length - 1;
    },
    reset(box: number) {
      frames[box]?.contentWindow?.postMessage('reset', '*');
    },
  };
  const global = window as unknown as Record<string, unknown>;
  global.grecaptcha = api;
  (global[onload] as () => void)();
}
