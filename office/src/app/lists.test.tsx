import { expect, test } from 'vitest';
import { BallotsScreen } from '../screens/ballots/index.tsx';
import { FixesScreen } from '../screens/fixes/index.tsx';
import { LogScreen } from '../screens/log/index.tsx';
import { MessagesScreen } from '../screens/messages/index.tsx';
import { ReportsScreen } from '../screens/reports/index.tsx';
import { TextsScreen } from '../screens/texts/index.tsx';
import { showScreen } from '../shell/show-screen.tsx';

const screens = {
  ...{ ballots: BallotsScreen, fixes: FixesScreen, log: LogScreen, messages: MessagesScreen },
  ...{ reports: ReportsScreen, texts: TextsScreen },
};
/** What is asked for is seen without an answer, too. */
const answers = {
  ...{ listBallots: 503, listFixes: 503, getFixReport: 503, listLog: 503, listMessages: 503 },
  ...{ getReport: 503, listTexts: 503 },
};

// One list under the heading of another would be believed.
test.each<[keyof typeof screens, string, string, string]>([
  ['ballots', '?election=2', '?election=1', 'ballots?election=1'],
  [
    ...(['ballots', '?election=2&status=sent', '?election=2&status=none'] as const),
    'ballots?election=2&status=none',
  ],
  ['ballots', '?election=2', '?election=2&before=70', 'ballots?election=2&before=70'],
  ['messages', '?channel=email', '?channel=sms', 'messages?channel=sms'],
  ['messages', '?outcome=sent', '', 'messages'],
  ['messages', '', '?before=70', 'messages?before=70'],
  ['log', '?area=files', '?area=security', 'log?area=security'],
  ['log', '', '?order=oldest', 'log?order=oldest'],
  ['reports', '?election=1', '?election=2', 'report?report=status&election=2'],
  ['reports', '', '?report=fixes', 'report?report=fixes'],
  ['texts', '', '?language=spanish', 'texts?language=spanish'],
  ['texts', '?channel=sms', '', 'texts?language=english'],
  ['fixes', '', '?state=fixed', 'fixes?state=fixed&sort=deadline&direction=ascending'],
  ['fixes', '', '?by=language', 'fix-report?by=language'],
])('who is at the %s of %j and goes to %j is shown %s', async (name, before, at, asked) => {
  const Screen = screens[name];
  const shown = await showScreen(<Screen />, answers, {
    ...{ before: `/${name}${before}`, at: `/${name}${at}` },
  });
  expect(shown.asked).toEqual([`GET /api/office/${asked}`]);
});
