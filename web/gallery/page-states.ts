import { ownMessages } from '../../testing/own-messages.ts';
import { fewFigures, performanceFigures } from '../../testing/performance-figures.ts';

/** States of the pages about messages and figures, and of a confidential voter. */
export const pageStates = {
  'pages/performance': {
    path: '/performance',
    answers: { 'GET /api/voter/performance': { status: 200, body: performanceFigures } },
  },
  'pages/performance, small office': {
    path: '/performance',
    answers: { 'GET /api/voter/performance': { status: 200, body: fewFigures } },
  },
  'pages/What we sent you': {
    path: '/messages',
    ballots: ['sent'],
    answers: { 'GET /api/voter/message': { status: 200, body: ownMessages } },
  },
  'pages/What we sent you, nothing yet': {
    path: '/messages',
    ballots: ['sent'],
    answers: { 'GET /api/voter/message': { status: 200, body: { messages: [], consents: [] } } },
  },
  'dashboard/confidential voter': {
    path: '/dashboard',
    ballots: ['sent'],
    voter: { is_confidential: true, address: '', city: '', zipcode: '' },
  },
} as const;
