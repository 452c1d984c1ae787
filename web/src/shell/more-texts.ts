/** Fetches what the page came without, and has it shown. */
type FetchTexts = () => Promise<void>;

let fetchTexts: FetchTexts | undefined;
let fetching: Promise<void> | undefined;

/**
 * The sign-in page comes without the texts of what follows it. A module knows of it, since what they are for is fetched
 * outside of the page's tree too.
 *
 * @returns what ends it
 */
export function expectMoreTexts(fetch: FetchTexts): () => void {
  fetchTexts = fetch;
  return () => {
    fetchTexts = fetching = undefined;
  };
}

/** Settles once the page has all texts of its language. After a failure the next try asks again. */
export function allTexts(): Promise<void> {
  fetching ??= fetchTexts?.().catch((error: unknown) => {
    fetching = undefined;
    throw error;
  });
  return fetching ?? Promise.resolve();
}
