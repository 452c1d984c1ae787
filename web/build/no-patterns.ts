/** In place of the parser that wouter brings for patterns such as `/ballots/:id`: the page's routes have none. */
export function parse(pattern: string): never {
  throw new Error(
    `Routes are found by findScreen (src/app/routes.ts), not by a pattern: ${pattern}`,
  );
}
