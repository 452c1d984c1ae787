export { changeRoles, removePerson } from './change-people.ts';
export { invitationUrl, invite } from './invite.ts';
export {
  findNames,
  hasPeople,
  type Identity,
  listPersons,
  type PersonRow,
} from './people-store.ts';
export { registerPeopleRoutes } from './routes.ts';
export {
  actorOf,
  createOfficeCookies,
  createOfficeVisits,
  type OfficeApi,
  type OfficeSession,
  type OfficeVisit,
  readActor,
} from './visits.ts';
