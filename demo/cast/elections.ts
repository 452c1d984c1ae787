import type { BallotStatus } from '../../contract/src/statuses.ts';
import type { ExpectedBallot } from './member.ts';

export const special = (status: BallotStatus): ExpectedBallot => ({
  election: '217',
  status,
  isCurrent: true,
});
export const town = (status: BallotStatus): ExpectedBallot => ({
  election: '218',
  status,
  isCurrent: true,
});
export const saltmarsh = (status: BallotStatus): ExpectedBallot => ({
  election: '219',
  status,
  isCurrent: true,
});
export const general = (status: BallotStatus): ExpectedBallot => ({
  election: '216',
  status,
  isCurrent: false,
});
export const primary = (status: BallotStatus): ExpectedBallot => ({
  election: '213',
  status,
  isCurrent: false,
});
export const lakeSpecial = (status: BallotStatus): ExpectedBallot => ({
  election: '65',
  status,
  isCurrent: true,
});
export const lakeGeneral = (status: BallotStatus): ExpectedBallot => ({
  election: '64',
  status,
  isCurrent: false,
});
