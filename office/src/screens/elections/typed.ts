import {
  type ElectionChange,
  electionKinds,
  type ListedElection,
  type NewElection,
} from '@ballot-beacon/contract/office/elections';

/** An election as its form has it: empty where nothing is said. */
export interface Typed {
  readonly number: string;
  readonly name: string;
  readonly date: string;
  readonly isActive: boolean;
  readonly rule: '' | 'received' | 'postmarked';
  readonly by: string;
  readonly time: string;
  readonly place: string;
  readonly kind: string;
  readonly certifiedOn: string;
  readonly canvassedOn: string;
}

/** What was typed, and as the form began: what somebody else changes meanwhile is not this person's change. */
export interface Draft {
  readonly typed: Typed;
  readonly before: Typed;
}

export const nothingTyped: Typed = {
  ...{ number: '', name: '', date: '', isActive: false, rule: '', by: '', time: '', place: '' },
  ...{ kind: '', certifiedOn: '', canvassedOn: '' },
};

export function toTyped(election: ListedElection): Typed {
  const { return_deadline: deadline } = election;
  return {
    ...{ number: election.number, name: election.name, date: election.election_date },
    ...{ isActive: election.is_active, rule: deadline?.rule ?? '', by: deadline?.date ?? '' },
    ...{ time: deadline?.time ?? '', place: deadline?.place ?? '', kind: election.kind ?? '' },
    ...{ certifiedOn: election.certified_on ?? '', canvassedOn: election.canvassed_on ?? '' },
  };
}

export function toElection(typed: Typed): NewElection {
  const { number, name, date, isActive, rule, by, time, place } = typed;
  return {
    ...{ number, name, election_date: date, is_active: isActive },
    return_deadline: rule === '' ? null : { rule, date: by, time: time || null, place },
    kind: electionKinds.find((one) => one === typed.kind) ?? null,
    certified_on: typed.certifiedOn || null,
    canvassed_on: typed.canvassedOn || null,
  };
}

/** What differs alone, so that nobody's other change is overwritten. */
export function changeTo(before: NewElection, after: NewElection): ElectionChange {
  const names = Object.keys(after) as (keyof NewElection)[];
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]))
      .map((name) => [name, after[name]]),
  );
}
