import * as z from 'zod/mini';

/** What a person may do in an office's console. */
export const permissions = {
  counts: 'See counts: ballots by status, messages by outcome, files that wait',
  files: 'See imported files, why one waits, and its report',
  import: 'Upload files, see what they would do, and import them',
  codes: 'Make the QR codes of ballots, with which voters sign in',
  release: 'Approve, return or correct a file that another person imported',
  voters: 'Find a voter, and see the ballots and messages on record',
  confidential: 'Find a confidential voter by voter ID, and see the ballots on record',
  words:
    'Write the words and pages that voters read, and change the logo, the photograph, the color and the outage notice',
  people: 'Invite and remove people, and change their roles',
  settings:
    'Change the settings, elections, deadlines and switches of the office, and stop misuse of its page',
  log: 'See who did what in the office',
} as const;

export type Permission = keyof typeof permissions;

/** What each role may do. A person may have several roles in an office, and others in another. */
export const roles = {
  viewer: { title: 'Viewer', may: ['counts'] },
  clerk: { title: 'Clerk', may: ['counts', 'voters'] },
  'confidential-clerk': {
    title: 'Clerk for confidential voters',
    may: ['counts', 'voters', 'confidential'],
  },
  importer: { title: 'Importer', may: ['counts', 'files', 'import', 'codes'] },
  releaser: { title: 'Releaser', may: ['counts', 'files', 'release'] },
  editor: { title: 'Editor', may: ['counts', 'words'] },
  admin: { title: 'Administrator', may: ['counts', 'people', 'settings', 'log'] },
  'state-observer': { title: 'State observer', may: ['counts'] },
} as const satisfies Record<string, { title: string; may: readonly Permission[] }>;

export const Role = z.enum([
  'viewer',
  'clerk',
  'confidential-clerk',
  'importer',
  'releaser',
  'editor',
  'admin',
  'state-observer',
]);
export type Role = z.infer<typeof Role>;

export const roleNames = Role.options;

export function isRole(word: unknown): word is Role {
  return Role.safeParse(word).success;
}

/** Whether one of these roles has the permission. */
export function mayDo(given: readonly Role[], permission: Permission): boolean {
  return given.some((role) => (roles[role].may as readonly Permission[]).includes(permission));
}

/** Every permission of these roles, in the order of the table. */
export function permissionsOf(given: readonly Role[]): Permission[] {
  return (Object.keys(permissions) as Permission[]).filter((one) => mayDo(given, one));
}
