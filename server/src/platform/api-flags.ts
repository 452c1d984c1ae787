/**
 * What Node starts an API with. V8 lets the space for new objects grow to three times this number of MB and keeps it; by itself it
 * chooses more, which an API with 10,000 open dashboards never needs: 280 instead of 361 MB, and as quick (`npm run bench -- live`).
 */
export const apiFlags = ['--max-semi-space-size=16'];

/**
 * What a process of the console has in its environment beside. Each piece of an upload is copied several times, and the C library
 * keeps what it frees in an arena for each thread: 278 instead of 300 MB at a file of a million rows (`npm run bench -- upload`).
 */
export const consoleEnvironment = { MALLOC_ARENA_MAX: '2' };
