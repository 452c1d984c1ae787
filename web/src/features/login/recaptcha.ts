/** The part of Google's script that we use (https://developers.google.com/recaptcha/docs/display). */
export interface Recaptcha {
  /** Draws the box into an empty element. @returns its number, for {@link reset} */
  render(element: HTMLElement, options: RecaptchaOptions): number;
  reset(box: number): void;
}

export interface RecaptchaOptions {
  readonly sitekey: string;
  readonly theme: 'light' | 'dark';
  readonly size: 'normal' | 'compact';
  /** Hears the answer, good for two minutes and one question to Google. */
  readonly callback: (answer: string) => void;
  readonly 'expired-callback': () => void;
  /** Google cannot be reached any more. */
  readonly 'error-callback': () => void;
}

declare global {
  interface Window {
    grecaptcha?: Recaptcha | undefined;
    onRecaptcha?: (() => void) | undefined;
  }
}

/** What blocks the second half of the script says nothing; in milliseconds. */
const patience = 20_000;

let loaded: { language: string; script: HTMLScriptElement; api: Promise<Recaptcha> } | null = null;

/**
 * Fetches Google's script in a language, once; another language needs the script anew, as it knows but one.
 *
 * @param language Google's code (https://developers.google.com/recaptcha/docs/language).
 * @throws Error when the script is blocked or does not come within 20 s; the next call tries again.
 */
export function loadRecaptcha(language: string): Promise<Recaptcha> {
  if (loaded?.language === language) return loaded.api;
  loaded?.script.remove();
  delete window.grecaptcha;

  const script = document.createElement('script');
  const query = new URLSearchParams({ onload: 'onRecaptcha', render: 'explicit', hl: language });
  script.src = `https://www.google.com/recaptcha/api.js?${query}`;
  script.async = true;
  const api = new Promise<Recaptcha>((resolve, reject) => {
    const fail = () => {
      clearTimeout(timer);
      reject(new Error('The reCAPTCHA script did not load'));
    };
    const timer = setTimeout(fail, patience);
    script.onerror = fail;
    window.onRecaptcha = () => {
      clearTimeout(timer);
      if (window.grecaptcha) resolve(window.grecaptcha);
      else fail();
    };
  });
  const mine = { language, script, api };
  loaded = mine;
  api.catch(() => {
    script.remove();
    if (loaded === mine) loaded = null;
  });
  document.head.append(script);
  return api;
}
