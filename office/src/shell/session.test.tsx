import { expect, test } from 'vitest';
import { useSession } from './session.tsx';
import { serve, showScreen } from './show-screen.tsx';
import { SignInAgain } from './sign-in.tsx';

type Act = ReturnType<typeof useSession>['act'];

async function readAct(): Promise<Act> {
  let act: Act | undefined;
  const Screen = () => {
    act = useSession().act;
    return null;
  };
  await showScreen(<Screen />);
  return act as Act;
}

const noteCall = { note_id: 1, at: '2026-11-20T05:30:00Z', who: 'Ina Wolf', text: 'Asks.' };
const noteOf = (voter_id: number, text = 'Asks.') =>
  ['noteCall', { params: { voter_id }, body: { text } }] as const;

test('what is asked for twice at once is done once, and again once it is done', async () => {
  const act = await readAct();
  const server = serve({ noteCall, getToday: 503 });
  try {
    const both = await Promise.all([act(...noteOf(5)), act(...noteOf(5))]);
    expect(both).toEqual([noteCall, noteCall]);
    expect(server.asked).toEqual(['POST /api/office/voters/5/notes']);
    await act(...noteOf(5));
    expect(server.asked).toHaveLength(2);
  } finally {
    server.close();
  }
});

test('the same for two voters at once is done for both, and so is something else for one', async () => {
  const act = await readAct();
  const server = serve({ noteCall });
  try {
    await Promise.all([act(...noteOf(5)), act(...noteOf(6)), act(...noteOf(5, 'Moved.'))]);
    expect(server.asked).toEqual([5, 6, 5].map((id) => `POST /api/office/voters/${id}/notes`));
  } finally {
    server.close();
  }
});

test.each([
  ['passkey', null, ['Sign in with a passkey']],
  ['passkey', 'County login', ['Sign in with a passkey']],
  ['provider', 'County login', ['Sign in with County login']],
] as const)(
  'who signed in by %s, where the provider is %j, signs in again by %j',
  async (method, provider, ways) => {
    const { html } = await showScreen(
      <SignInAgain {...{ method, provider }} onSignedIn={() => {}} />,
    );
    const buttons = [...html.matchAll(/<button[^>]*>(.*?)<\/button>/gs)].map(([, name = '']) =>
      name.replaceAll(/<[^>]*>/g, ''),
    );
    expect(buttons).toEqual(ways);
  },
);
