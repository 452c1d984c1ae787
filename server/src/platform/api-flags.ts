/**
 * What Node starts an API with. V8 lets the space for new objects grow to three times this number of MB and keeps it; by itself it
 * chooses more, which an API with 10,000 open dashboards never needs: 280 instead of 361 MB, and as quick (`npm run bench -- live`).
 */
export const apiFlags = ['--max-semi-space-size=16'];

/**
 * What an API has in its environment beside. The C library keeps what a process frees in an arena for each of its threads, by itself in
 * up to eight for each core: 316 instead of 353 MB at full load (`npm run bench -- api`), and 278 instead of 300 at an upload of a
 * million rows, of whose pieces the console makes several copies (`npm run bench -- upload`).
 */
export const apiEnvironment = { MALLOC_ARENA_MAX: '2' };
