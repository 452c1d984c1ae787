import { isSamePerson } from '../audit/index.ts';

/** Who imported a file, as its import's record says. */
export interface Importer {
  /** `person:ISSUER|SUBJECT`, or `operator:NAME` for a name that was typed at the command line. */
  readonly actor: string;
  /** Of a person, the name on record; otherwise what was typed. */
  readonly name: string;
}

/**
 * Whether somebody imported the file. People are compared by issuer and subject. A typed name proves nobody, so every person
 * of that name counts as the importer.
 */
export function isImporter(importer: Importer, one: Importer): boolean {
  return importer.actor === one.actor || isSamePerson(importer.name, one.name);
}
