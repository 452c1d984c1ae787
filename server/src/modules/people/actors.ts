import type { Actor } from '../audit/index.ts';
import type { Identity } from './people-store.ts';

/** How the audit and the record of an import name a person: by issuer and subject. */
export function actorOf({ issuer, subject }: Identity): Actor {
  return `person:${issuer}|${subject}`;
}

/** The person that {@link actorOf} names; undefined for a name that was typed at the command line, and for the product. */
export function readActor(actor: string): Identity | undefined {
  const parts = /^person:([^|]+)\|(.+)$/s.exec(actor);
  return parts ? { issuer: parts[1] ?? '', subject: parts[2] ?? '' } : undefined;
}
