import type { OfficeCall, OfficeCallName } from '@ballot-beacon/contract/office/calls';
import { officeCalls, officeErrorCodes } from '@ballot-beacon/contract/office/calls';
import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { type Answer, CallError, call, type Input } from '../api/client.ts';
import { t } from '../words/index.ts';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';
import { SignInAgain } from './sign-in.tsx';
import { announceSignIn, onSignIn } from './sign-ins.ts';

/** Makes a call of the console, after another sign-in where the session ended or the call asks for one. */
type Act = <Name extends OfficeCallName>(name: Name, input: Input<Name>) => Promise<Answer<Name>>;

const SessionContext = createContext<{ session: OfficeSession; act: Act } | undefined>(undefined);

/** Who is signed in, and how to make calls in that person's name. */
export function useSession(): { readonly session: OfficeSession; readonly act: Act } {
  const known = use(SessionContext);
  if (!known) throw new Error('useSession() needs a SessionProvider above it.');
  return known;
}

interface Question {
  readonly why: 'ended' | 'proof';
  answer(isSignedIn: boolean): void;
}

/**
 * Keeps the screens as they are, with all that was typed, while the person signs in again: because the session ended, or
 * because a call needs a fresh proof. Where another person signs in, here or in another tab, the screens become that
 * person's: nobody acts under a name that is not shown.
 */
export function SessionProvider({
  session,
  provider,
  onSession,
  children,
}: {
  session: OfficeSession;
  /** The name of the office's identity provider; null without one. */
  provider: string | null;
  onSession: (session: OfficeSession) => void;
  children: ReactNode;
}) {
  const [question, setQuestion] = useState<Question>();
  const [problem, setProblem] = useState('');
  // Several calls that are refused at once ask one question.
  const asked = useRef<Promise<boolean>>(undefined);
  // Who signed in instead of the person who was asked.
  const other = useRef<OfficeSession>(undefined);
  // After a sign-out nobody is there to be asked, while a file may still be on its way.
  const isGone = useRef(false);
  // Changes that are not answered yet, by what they ask for.
  const underWay = useRef(new Map<string, Promise<unknown>>());
  // What begins when the server has noted that the person is there.
  const onActivity = useRef<() => void>(undefined);
  const queries = useQueryClient();

  const ask = useCallback((why: Question['why']) => {
    asked.current ??= new Promise<boolean>((resolve) => {
      setProblem('');
      setQuestion({ why, answer: resolve });
    }).finally(() => {
      asked.current = undefined;
      setQuestion(undefined);
    });
    return asked.current;
  }, []);

  const act = useCallback<Act>(
    async (name, input) => {
      const { method, isActivity = true }: OfficeCall = officeCalls[name];
      const make = async () => {
        try {
          const answer = await call(name, input);
          if (isActivity) onActivity.current?.();
          return answer;
        } catch (error) {
          const why = reasonToAsk(error);
          if (!why || isGone.current || !(await ask(why))) throw error;
          return call(name, input);
        }
      };
      if (method === 'GET' || input.body instanceof ArrayBuffer) return make();
      // A second press before the page knows of the first asks for nothing new.
      const key = name + JSON.stringify(input);
      const known = underWay.current.get(key) as ReturnType<typeof make> | undefined;
      const made = known ?? make().finally(() => underWay.current.delete(key));
      underWay.current.set(key, made);
      return made;
    },
    [ask],
  );

  const onSignedIn = (next: OfficeSession) => {
    const isOther = next.person_id !== session.person_id;
    other.current = isOther ? next : undefined;
    if (isOther && asked.current) {
      setProblem(t('app.proof.otherPerson', { name: session.name }));
      return;
    }
    onSession(next);
    question?.answer(true);
    if (!isOther) void queries.invalidateQueries();
  };
  const onSignedInHere = (next: OfficeSession) => {
    announceSignIn(next);
    onSignedIn(next);
  };
  const onAnnounced = useEffectEvent((personId: number) => {
    if (personId === session.person_id && !asked.current) return;
    void call('getOfficeSession', {}).then(onSignedIn, () => {});
  });
  const onGone = useEffectEvent(() => question?.answer(false));
  useEffect(() => {
    isGone.current = false;
    const stop = onSignIn(onAnnounced);
    return () => {
      stop();
      isGone.current = true;
      onGone();
    };
  }, []);
  const close = () => {
    question?.answer(false);
    if (other.current) onSession(other.current);
  };

  return (
    <SessionContext value={{ session, act }}>
      {children}
      {!question && <IdleWarning {...{ session, act, onActivity }} />}
      {question && (
        <Dialog
          title={t(question.why === 'ended' ? 'app.ended.title' : 'app.proof.title')}
          onClose={close}
        >
          <p>{t(question.why === 'ended' ? 'app.ended.text' : 'app.proof.text')}</p>
          <Failure text={problem} />
          <SignInAgain method={session.method} provider={provider} onSignedIn={onSignedInHere} />
        </Dialog>
      )}
    </SessionContext>
  );
}

function reasonToAsk(error: unknown): Question['why'] | undefined {
  if (!(error instanceof CallError)) return undefined;
  if (error.status === 401) return 'ended';
  return error.code === officeErrorCodes.proofNeeded ? 'proof' : undefined;
}

const warningMs = 2 * 60_000;

/** Asks before a session without activity ends. What a person does on the page is activity only once it calls the server. */
function IdleWarning({
  session,
  act,
  onActivity,
}: {
  session: OfficeSession;
  act: Act;
  onActivity: RefObject<(() => void) | undefined>;
}) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    // Who stays is asked again as late as before.
    if (isLate) return;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setLate(true), session.idle_seconds * 1000 - warningMs);
    };
    wait();
    onActivity.current = wait;
    return () => {
      clearTimeout(timer);
      onActivity.current = undefined;
    };
  }, [session.idle_seconds, onActivity, isLate]);
  if (!isLate) return null;
  const stay = () => {
    setLate(false);
    // The first is activity, and the second asks for a sign-in where it came too late.
    void act('getOfficeOptions', {})
      .then(() => act('getToday', {}))
      .catch(() => {});
  };
  return (
    <Dialog title={t('app.idle.title')} onClose={stay}>
      <p>{t('app.idle.text')}</p>
      <button type="button" className="button button-primary" onClick={stay}>
        {t('app.idle.stay')}
      </button>
    </Dialog>
  );
}
