export { changeRoles, removePerson } from './change-people.ts';
export { invitationUrl, invite } from './invite.ts';
export { nameActors } from './names.ts';
export {
  hasPeople,
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
} from './visits.ts';
