export { createViewCounter, type ViewCounter } from './counter.ts';
