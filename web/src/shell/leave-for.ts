/**
 * Goes on to a page that the server makes. Where the browser restores the page that was left (Back on most phones), it stands as
 * it was: it loads anew, instead of waiting for what has come already.
 */
export function leaveFor(address: string): void {
  window.addEventListener('pageshow', ({ persisted }) => {
    // Else it is this page that has just been loaded, while the voter goes on.
    if (persisted) location.reload();
  });
  location.assign(address);
}
