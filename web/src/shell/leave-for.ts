/**
 * Goes on to a page that the server makes. Where the browser restores the page that was left (Back on most phones), it stands as
 * it was: it loads anew, instead of waiting for what has come already.
 */
export function leaveFor(address: string): void {
  window.addEventListener('pageshow', () => location.reload(), { once: true });
  location.assign(address);
}
