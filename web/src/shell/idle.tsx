import './idle.css';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { call } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { createIdleMachine, type IdleServices, idleLimit } from './idle.machine.ts';
import { useSession } from './session-context.ts';
import { type Signals, useSignals } from './signals.ts';
import { recall, remember } from './tab-memory.ts';
import { useTexts } from './texts.ts';
import { useRegion } from './use-region.ts';

/** The server is notified of an active voter at most this often, in milliseconds: far more often than a session ends. */
const pingEvery = 5 * 60_000;
/** Activities closer together than this, in milliseconds, count as one. */
const noteEvery = 1000;
const doings = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const;

/** Logs out a voter who has left, and asks two minutes before (decisions, Login). Shows nothing until then. */
export function IdleWatch() {
  const session = useSession();
  const signals = useSignals();
  const [machine] = useState(() => createIdleMachine(createServices(signals)));
  const [state, region] = useRegion(machine, { input: { isSignedIn: session !== null } });
  const isWatching = state.matches({ on: 'watching' });

  useEffect(() => {
    if (!isWatching) return;
    let notedAt = 0;
    const note = () => {
      if (Math.abs(Date.now() - notedAt) < noteEvery) return;
      notedAt = Date.now();
      region.send({ type: 'ACTIVITY' });
    };
    for (const doing of doings)
      document.addEventListener(doing, note, { passive: true, capture: true });
    return () => {
      for (const doing of doings) document.removeEventListener(doing, note, { capture: true });
    };
  }, [isWatching, region]);

  if (!state.matches({ on: 'warning' })) return null;
  return (
    <IdleWarning
      secondsLeft={Math.max(0, Math.ceil((idleLimit - state.context.idleFor) / 1000))}
      onStay={() => region.send({ type: 'EXTEND' })}
      onLeave={() => signals.send({ type: 'LOGOUT' })}
    />
  );
}

interface IdleWarningProps {
  secondsLeft: number;
  onStay: () => void;
  onLeave: () => void;
}

/** Enter, Space and Escape each keep the voter signed in. */
function IdleWarning({ secondsLeft, onStay, onLeave }: IdleWarningProps) {
  const { t } = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const stay = useRef<HTMLButtonElement>(null);
  // With the layout, so that a dialog that made room has closed before, and opens again after, each with the focus in its place.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    stay.current?.focus();
    return () => element?.close();
  }, []);
  const stayOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onStay();
  };
  const minutes = Math.floor(secondsLeft / 60);
  const seconds = String(secondsLeft % 60).padStart(2, '0');
  // Read out at intervals, not each second.
  const spoken = secondsLeft > 60 ? 120 : secondsLeft > 30 ? 60 : secondsLeft > 10 ? 30 : 10;
  return (
    <dialog
      className="idle-warning"
      ref={dialog}
      aria-labelledby="idle-title"
      aria-describedby="idle-text"
      onKeyDown={stayOnEscape}
      onCancel={(event) => {
        event.preventDefault();
        onStay();
      }}
    >
      <h2 id="idle-title">{t('idle.title')}</h2>
      <p id="idle-text">{t('idle.text')}</p>
      <p className="idle-clock" aria-hidden="true">
        {minutes}:{seconds}
      </p>
      <p className="visually-hidden" role="status">
        {t('idle.secondsLeft', { count: spoken })}
      </p>
      <div className="idle-buttons">
        <Button look="primary" ref={stay} onClick={onStay}>
          {t('idle.stay')}
        </Button>
        <Button onClick={onLeave}>{t('topBar.logOut')}</Button>
      </div>
    </dialog>
  );
}

/** Activity within these milliseconds of a call needs no ping of its own: the last touch of a sign-in, for instance. */
const alreadyReported = 5_000;

function createServices(signals: Signals): IdleServices {
  return {
    everySecond(onTick) {
      // The server has just seen the sign-in or page that started the watch.
      remember('lastPing', String(Date.now()));
      const timer = setInterval(onTick, 1000);
      // Browsers slow down the timers of hidden tabs: check again when the tab returns.
      document.addEventListener('visibilitychange', onTick);
      window.addEventListener('pageshow', onTick);
      return () => {
        clearInterval(timer);
        document.removeEventListener('visibilitychange', onTick);
        window.removeEventListener('pageshow', onTick);
      };
    },
    idleFor: () => Date.now() - readTime('lastActivity'),
    noteActivity: () => remember('lastActivity', String(Date.now())),
    keepServerAwake(isUrgent) {
      const lastPing = readTime('lastPing');
      const lastActivity = readTime('lastActivity');
      const isDue =
        Date.now() - lastPing >= pingEvery &&
        lastActivity > lastPing + alreadyReported &&
        Date.now() - lastActivity < idleLimit;
      if (!isDue && !isUrgent) return;
      remember('lastPing', String(Date.now()));
      // Listeners for ended sessions handle a session that the server has ended.
      void call('checkSession', {});
    },
    announceTimeout: () =>
      signals.send({
        type: 'LOGOUT',
        alerts: [{ type: 'notice', messages: [{ key: 'idle.loggedOut', important: true }] }],
      }),
    coverModals: (isCovered) =>
      signals.send({ type: isCovered ? 'COVER_MODALS' : 'UNCOVER_MODALS' }),
  };
}

/** A time to come is one of before the clock was put back. */
function readTime(key: 'lastActivity' | 'lastPing'): number {
  const now = Date.now();
  const time = Number(recall(key) ?? 0);
  if (time <= now) return time;
  remember(key, String(now));
  return now;
}
