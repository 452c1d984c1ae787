import type { Site } from '../sites/index.ts';

/**
 * The page's Content-Security-Policy: nothing inline but style sheets of a known hash, nothing from elsewhere but
 * reCAPTCHA where the office chose it.
 */
export function contentSecurityPolicy(site: Site, styleHashes: readonly string[]): string {
  const isRecaptcha = site.branding.captcha.kind === 'recaptcha';
  const google = isRecaptcha
    ? ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/']
    : [];
  const frameAncestors =
    site.kind === 'account' ? site.account.settings.frame_ancestors.map(originOf) : [];
  return Object.entries({
    'default-src': ["'none'"],
    'script-src': ["'self'", ...google],
    'worker-src': ["'self'"],
    'style-src': ["'self'", ...styleHashes],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'", ...google],
    'font-src': ["'self'"],
    'manifest-src': ["'self'"],
    ...(isRecaptcha && { 'frame-src': google }),
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': frameAncestors.length > 0 ? frameAncestors : ["'none'"],
  })
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ');
}

function originOf(url: string): string {
  return new URL(url).origin;
}
