import type { Db } from '../../platform/postgres.ts';
import { readActor } from './actors.ts';
import { findNames, type Identity } from './people-store.ts';

/** Names of people by issuer and subject, and typed names as they are. @param db bound to the account */
export async function nameActors(
  db: Db,
  actors: readonly string[],
): Promise<(actor: string) => string> {
  // A page of the log names the same few people again and again.
  const identities = [...new Set(actors)]
    .map(readActor)
    .filter((one): one is Identity => one !== undefined);
  const known = await findNames(db, identities);
  return (actor) => {
    const identity = readActor(actor);
    if (!identity) return actor === 'system' ? 'Ballot Beacon' : actor.replace(/^operator:/, '');
    const found = known.find(
      ({ issuer, subject }) => issuer === identity.issuer && subject === identity.subject,
    );
    return found?.name ?? identity.subject;
  };
}
