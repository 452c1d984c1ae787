import { expect, test } from 'vitest';
import { type OfficeCall, type OfficeCallName, officeCalls } from './calls.ts';
import { messageOutcomeNames, outcomeOf } from './messages.ts';

const calls = Object.entries(officeCalls) as [OfficeCallName, OfficeCall][];
const namesOf = (isMeant: (call: OfficeCall) => boolean) =>
  calls.filter(([, call]) => isMeant(call)).map(([name]) => name);

// Written out, as the roles are: with one word changed in the table of calls, somebody sees or does what is not theirs.
const allowed: Readonly<Record<OfficeCall['access'], readonly OfficeCallName[]>> = {
  anyone: [
    ...(['getOfficeOptions', 'startPasskeySignIn', 'createOfficeSession'] as const),
    ...(['startProviderSignIn', 'createProviderSession', 'deleteOfficeSession'] as const),
    ...(['readInvitation', 'startInvitation', 'acceptInvitation'] as const),
  ],
  'signed-in': ['getOfficeSession', 'createCommandSession'],
  counts: [
    ...(['listCodeElections', 'getToday', 'getFixReport', 'getReport', 'downloadReport'] as const),
    ...(['downloadChart', 'downloadChartPng', 'downloadChartPdf', 'getQueue'] as const),
  ],
  files: ['listFiles', 'getFile'],
  import: [
    ...(['downloadRejects', 'listUploads', 'startUpload', 'getUpload', 'sendPiece'] as const),
    ...(['checkUpload', 'importUpload', 'deleteUpload'] as const),
  ],
  codes: ['createBallotCodes', 'createBallotSheet'],
  release: ['releaseFile', 'returnFile', 'correctFile'],
  voters: [
    ...(['listFixes', 'createFixLetters', 'listMessages', 'getMessage', 'listBallots'] as const),
    ...(['findVoters', 'getVoterRecord', 'showVoterPage', 'unlockVoter'] as const),
    ...(['signVoterOut', 'noteCall', 'sendVoterMessageAgain'] as const),
  ],
  confidential: ['createLetterCodes', 'createLetterSheet', 'revokeLetterCode'],
  words: [
    ...(['listTexts', 'getText', 'saveDraft', 'discardDraft', 'publishDraft'] as const),
    ...(['undoText', 'reviewText', 'removeReleaseNote', 'previewText'] as const),
    ...(['sampleMessage', 'downloadTranslations', 'importTranslations'] as const),
    ...(['listImages', 'replaceImage', 'removeImage', 'undoImage', 'getAppearance'] as const),
    ...(['changeColor', 'setOutage', 'undoOutage', 'previewAppearance'] as const),
  ],
  people: [
    ...(['listPeople', 'invitePerson', 'reinvitePerson', 'changeRoles'] as const),
    ...(['removePerson', 'readmitPerson'] as const),
  ],
  settings: [
    ...(['getSettings', 'checkSettings', 'changeSettings', 'downloadSettings'] as const),
    ...(['listElections', 'addElection', 'changeElection', 'removeElection'] as const),
    ...(['listFixDeadlines', 'changeFixDeadlines', 'listFlags', 'setFlag', 'undoFlag'] as const),
    ...(['getScanPush', 'makePushPassword', 'getMisuse', 'decideRequests'] as const),
    'endVoterSessions',
  ],
  log: ['listLog', 'downloadLog'],
};

test.each(Object.entries(allowed))('open to %s are: %j', (access, names) => {
  expect(namesOf((call) => call.access === access)).toEqual(names);
});

test('every call is open to one of them', () => {
  expect(Object.values(allowed).flat().toSorted()).toEqual(calls.map(([name]) => name).toSorted());
});

test('what voters see at once, who may what, and what signs anybody in needs a fresh sign-in', () => {
  expect(namesOf(({ needsProof }) => needsProof === true)).toEqual([
    ...['createCommandSession', 'invitePerson', 'reinvitePerson', 'changeRoles', 'removePerson'],
    ...['readmitPerson', 'changeSettings', 'changeElection', 'changeFixDeadlines', 'setFlag'],
    ...['undoFlag', 'makePushPassword', 'decideRequests', 'endVoterSessions', 'publishDraft'],
    ...['undoText', 'replaceImage', 'removeImage', 'undoImage', 'changeColor', 'setOutage'],
    ...['undoOutage', 'createBallotCodes', 'createBallotSheet', 'createLetterCodes'],
    ...['createLetterSheet', 'createFixLetters', 'releaseFile', 'returnFile', 'correctFile'],
  ]);
});

test('what a screen asks for by itself keeps nobody signed in', () => {
  expect(namesOf(({ isActivity }) => isActivity === false)).toEqual([
    ...['getOfficeSession', 'getToday', 'getFile', 'listUploads', 'getUpload'],
  ]);
});

test('a message counts as what became of it', () => {
  const states = {
    waiting: ['created', 'held'],
    sent: ['sending', 'sent'],
    delivered: ['delivered'],
    failed: ['failed-permanent', 'failed-temporary-exhausted', 'outcome-unknown'],
    unsent: ['superseded', 'withdrawn', 'expired'],
  } as const;
  expect(messageOutcomeNames).toEqual(Object.keys(states));
  for (const [outcome, all] of Object.entries(states))
    expect(all.map(outcomeOf)).toEqual(all.map(() => outcome));
});
