import { moveDemoDays, weeksSinceDemo } from '../server/src/demo-days.ts';

/** A day, or a text with days, of the demo's autumn as a demo that is loaded now has it. */
export function asOfNow(text: string): string {
  return moveDemoDays(text, weeksSinceDemo(new Date()));
}
