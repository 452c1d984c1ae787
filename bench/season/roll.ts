import { addDays, type Day } from '../../demo/generator/calendar.ts';
import { inventName, type Name } from '../../demo/generator/names.ts';
import { createRandom } from '../../demo/generator/random.ts';
import { electionDay } from './model.ts';

/** A voter, with what changes on the roll during the season. */
interface RollVoter {
  readonly name: Name;
  readonly birthdate: Day;
  readonly street: number;
  readonly zipcode: string;
  readonly registeredOn: Day;
  /** The law keeps the record from being shown. */
  readonly isConfidential: boolean;
  /** Inactive from the start, such as a voter whose mail came back two years ago. */
  readonly wasInactive: boolean;
  /** '' for never, as are the days after it. */
  readonly movedOn: Day;
  readonly renamedOn: Day;
  readonly newLastname: string;
  readonly removedOn: Day;
  readonly reinstatedOn: Day;
}

/** A voter as the roll has it on a morning. */
export interface VoterNow {
  readonly voter: number;
  readonly name: Name;
  readonly birthdate: Day;
  readonly address: string;
  readonly zipcode: string;
  readonly isActive: boolean;
  readonly isConfidential: boolean;
}

/** Draws a roll. A few register, move, marry or leave during the season, and on one day many become inactive. */
export function drawRoll(seed: string, voters: number): RollVoter[] {
  const random = createRandom(`${seed} roll`);
  const maintainedOn = addDays(electionDay, -random.between(-8, 50));
  return Array.from({ length: voters }, () => {
    const year = random.between(1930, 2007);
    const during = () => addDays(electionDay, -random.between(-8, 52));
    const name = inventName(random, year);
    const wasInactive = random.chance(0.06);
    return {
      ...{ name, wasInactive, isConfidential: random.chance(0.006) },
      birthdate: addDays(`${year}-01-01`, random.between(0, 364)),
      street: random.between(1, 9_999),
      zipcode: String(34_500 + random.between(0, 60)),
      registeredOn: random.chance(0.02) ? addDays(electionDay, -random.between(29, 52)) : '',
      movedOn: random.chance(0.015) ? during() : '',
      renamedOn: random.chance(0.004) ? during() : '',
      newLastname: inventName(random, year).lastname,
      removedOn: random.chance(0.004) ? during() : random.chance(0.015) ? maintainedOn : '',
      reinstatedOn: wasInactive && random.chance(0.04) ? during() : '',
    };
  });
}

export function* votersOn(roll: readonly RollVoter[], morning: Day): Generator<VoterNow> {
  for (const [voter, one] of roll.entries()) {
    if (one.registeredOn >= morning) continue;
    const happened = (on: Day) => on !== '' && on < morning;
    yield {
      voter,
      name: happened(one.renamedOn) ? { ...one.name, lastname: one.newLastname } : one.name,
      birthdate: one.birthdate,
      address: `${one.street + (happened(one.movedOn) ? 1 : 0)} Heron Way`,
      zipcode: happened(one.movedOn) ? '34599' : one.zipcode,
      isActive: (!one.wasInactive || happened(one.reinstatedOn)) && !happened(one.removedOn),
      isConfidential: one.isConfidential,
    };
  }
}
