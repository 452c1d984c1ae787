/**
 * What Node starts an API with. V8 lets the space for new objects grow to three times this number of MB and keeps it; by itself it
 * chooses more, which an API with 10,000 open dashboards never needs: 280 instead of 361 MB, and as quick (`npm run bench -- live`).
 */
export const apiFlags = ['--max-semi-space-size=16'];
