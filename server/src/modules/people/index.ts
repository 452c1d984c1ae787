export { actorOf } from './actors.ts';
export { changeRoles, readmitPerson, removePerson } from './change-people.ts';
export {
  type CommandPerson,
  type CommandSignIn,
  findCommandSession,
  hasIdentities,
  signInByConsole,
  signInByDevice,
  signOutOfCommands,
} from './command-sign-in.ts';
export { SignInFailed } from './identity-provider.ts';
export { invitationUrl, invite } from './invite.ts';
export { nameActors } from './names.ts';
export { listPersons, type PersonRow } from './people-store.ts';
export { registerPeopleRoutes } from './routes.ts';
export {
  createOfficeCookies,
  createOfficeVisits,
  type OfficeApi,
  type OfficeSession,
  type OfficeVisit,
  type SignedInVisit,
} from './visits.ts';
