import { moverName } from '../server/src/modules/moves/index.ts';
import { createTestApi, type TestApi } from './api.ts';
import { type Beacon, createBeacon } from './beacon.ts';

/** Two cells, each with an API and a command line of its own; that of the east can move offices to the west. */
export interface TwoCells {
  readonly east: TestApi;
  readonly west: TestApi;
  readonly inEast: Beacon;
  readonly inWest: Beacon;
  close(): Promise<void>;
}

export async function createTwoCells(): Promise<TwoCells> {
  // The tests' own connections have the owner's login, as the move has.
  process.env.PGAPPNAME = moverName;
  const east = await createTestApi();
  const west = await createTestApi();
  // Voters of an office on its way are asked to come back.
  east.expectFailures(/"code":"57P03"/);
  const inEast = createBeacon(east.test.url, { environment: { MOVE_DATABASE_URL: west.test.url } });
  const inWest = createBeacon(west.test.url);
  return {
    ...{ east, west, inEast, inWest },
    async close() {
      inEast.remove();
      inWest.remove();
      await east.close();
      await west.close();
      delete process.env.PGAPPNAME;
    },
  };
}
