/** A person whom the local provider lets in without a password. */
export interface LocalPerson {
  /** The subject of the identity. */
  readonly id: string;
  readonly name: string;
  readonly groups: readonly string[];
  /** The token names the person alone; the groups come to whom asks for them. */
  readonly isAskedForGroups?: boolean;
  /** The token has everything, and a question for more is not answered. */
  readonly isTokenAll?: boolean;
}

/** One invented person per role. README.md's table names them. */
export const localPeople: readonly LocalPerson[] = [
  { id: 'vera', name: 'Vera Stone', groups: ['viewers'] },
  { id: 'carl', name: 'Carl Reed', groups: ['clerks'] },
  { id: 'cora', name: 'Cora Finch', groups: ['confidential-clerks'] },
  { id: 'ina', name: 'Ina Wolf', groups: ['importers'] },
  { id: 'rosa', name: 'Rosa Kim', groups: ['releasers'] },
  { id: 'eddie', name: 'Eddie Marsh', groups: ['editors'] },
  { id: 'ada', name: 'Ada Wu', groups: ['admins'] },
  { id: 'olga', name: 'Olga Page', groups: ['observers'] },
];

/** Which group has which role, as OFFICE_PROVIDERS says it. */
export const localGroups = [
  { group: 'viewers', roles: ['viewer'] },
  { group: 'clerks', roles: ['clerk'] },
  { group: 'confidential-clerks', roles: ['confidential-clerk'] },
  { group: 'importers', roles: ['importer'] },
  { group: 'releasers', roles: ['releaser'] },
  { group: 'editors', roles: ['editor'] },
  { group: 'admins', roles: ['admin'] },
  { group: 'observers', roles: ['state-observer'] },
] as const;
