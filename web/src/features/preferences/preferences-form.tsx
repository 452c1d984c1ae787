import { channels } from '@ballot-beacon/contract/messages';
import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import './preferences.css';
import { type FormEvent, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { SessionData } from '../../api/critical-data.ts';
import { useFormats } from '../../shell/formats.ts';
import { offeredChannels } from '../../shell/offered-channels.ts';
import { usePage } from '../../shell/page-context.ts';
import { useSignals } from '../../shell/signals.ts';
import { useTexts } from '../../shell/texts.ts';
import { useFocusAfter } from '../../shell/use-focus-after.ts';
import { useIsGone } from '../../shell/use-is-gone.ts';
import { useRegion } from '../../shell/use-region.ts';
import { Button } from '../../ui/button.tsx';
import { fieldId } from '../../ui/field.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Channels } from './channels.tsx';
import { ContactProof } from './contact-proof.tsx';
import { beginCall, bringForm, changeForm, keepDraft, recallDraft } from './draft.ts';
import { findErrors, shownErrors } from './errors.ts';
import { changePreferences, createPreferences, isEdited, preferencesFields } from './form.ts';
import { HoursSection } from './hours-section.tsx';
import { LanguageSection } from './language-section.tsx';
import { findChanges, optOutOfAll, settleHours } from './patch.ts';
import {
  announceOutcome,
  createPreferencesMachine,
  type PreferencesServices,
} from './preferences.machine.ts';
import { expiredAtSave, savePreferences } from './save.ts';

interface PreferencesFormProps {
  critical: SessionData;
  /** The level of its heading in the page around it. */
  heading: 'h1' | 'h2';
  /** Called when a save has gone through. */
  onSaved?: () => void;
}

/**
 * The contact preferences, on their own page and beside the ballots; nothing where the office sends no news. Where the
 * office hides the addresses, a code comes first.
 */
export function PreferencesForm(props: PreferencesFormProps) {
  const { voter } = props.critical;
  useFocusAfter(voter.hidden_contacts !== undefined, 'preferences-title');
  return voter.hidden_contacts ? <ContactProof {...props} /> : <Preferences {...props} />;
}

function Preferences({ critical, heading: Heading, onSaved }: PreferencesFormProps) {
  const { t, language } = useTexts();
  const { branding } = usePage();
  const signals = useSignals();
  const form = useRef<HTMLFormElement>(null);
  const [state, send] = useReducer(
    changePreferences,
    null,
    () =>
      recallDraft(signals, critical.voter) ??
      createPreferences(critical.voter, {
        offered: branding.languages.map((entry) => entry.language),
        page: language,
      }),
  );
  const [wereHoursReset, setHoursReset] = useState(false);
  const isRunning = useIsRunning();
  useWarningBeforeLoss(isEdited(state));
  useEffect(() => keepDraft(signals, state), [signals, state]);
  useEffect(() => bringForm(signals, send), [signals]);
  const isGone = useIsGone();

  const { voter } = critical;
  const offered = new Set<string>(offeredChannels(critical, branding));

  // The machine is made once; what its services need is read when they run.
  const formats = useFormats();
  const now = useRef({ critical, state, onSaved, formats, offered });
  now.current = { critical, state, onSaved, formats, offered };
  const isOptOut = useRef(false);
  const [machine] = useState(() => {
    const announceVoter = (voter: VoterInformation) =>
      signals.send({ type: 'CRITICAL_DATA_READY', critical: { ...now.current.critical, voter } });
    const services: PreferencesServices = {
      save: async (request) => {
        isOptOut.current = request.type === 'OPT_OUT_OF_ALL';
        const isWanted = beginCall(signals);
        const outcome = await savePreferences(
          request.type === 'SUBMIT'
            ? request.patch
            : optOutOfAll(now.current.state.values.languagePreference),
          { ...branding, offered: now.current.offered },
          !now.current.critical.voter.is_confirmed,
          (when) => now.current.formats.time(when),
        );
        // The machine ended with its form; the voter, on another screen by now, still has to know.
        if (isGone.current && isWanted()) announceOutcome(services, outcome);
        return outcome;
      },
      announceSaved: (voter) => {
        changeForm(signals, { type: isOptOut.current ? 'reset' : 'saved', voter });
        announceVoter(voter);
        signals.send({ type: 'ACTIVITY' });
        if (!isGone.current) now.current.onSaved?.();
      },
      announceRefused: (messages) => {
        changeForm(signals, { type: 'refuse', messages });
        announceVoter({ ...now.current.critical.voter, validation_messages: messages });
      },
      showAlerts: (alerts) => signals.send({ type: 'UPDATE_GLOBAL_ALERTS', alerts }),
      announceLogout: () =>
        signals.send({ type: 'LOGOUT', alerts: [expiredAtSave], isEnded: true }),
    };
    return createPreferencesMachine(services);
  });
  const [region, actor] = useRegion(machine, { input: { isReady: true } });

  // What was typed before the script arrived is in the fields, and not yet in the state.
  useLayoutEffect(() => {
    const typed = form.current && new FormData(form.current);
    for (const channel of channels) {
      const text = typed?.get(channel);
      if (typeof text === 'string' && text !== now.current.state.values[channel])
        send({ type: 'edit', channel, text });
    }
  }, []);

  if (offered.size === 0) return null;
  if (!region.matches('form'))
    return <Loading text={t('app.loading')} slowText={t('app.loadingSlow')} />;

  const isSaving = region.matches({ form: 'submitting' });
  const errors = shownErrors(state);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSaving) return;
    const values = settleHours(state.values);
    setHoursReset(values !== state.values);
    const wrong = findErrors(values);
    // What is stored of a way that the office has given up is out of sight, and not for the voter to correct.
    const hidden: readonly string[] = channels.filter((channel) => !offered.has(channel));
    const firstWrong = preferencesFields.find((field) => wrong[field] && !hidden.includes(field));
    if (firstWrong) {
      send({ type: 'touchAll' });
      document.getElementById(fieldId(firstWrong))?.focus();
      return;
    }
    send({ type: 'submit', values });
    actor.send({ type: 'SUBMIT', patch: findChanges(values, state.voter) });
  };

  return (
    <form
      className="preferences card"
      id="contact-preferences"
      aria-labelledby="preferences-title"
      noValidate
      ref={form}
      onSubmit={submit}
    >
      <div className="preferences-heading">
        <Heading id="preferences-title" tabIndex={-1}>
          {t('preferences.title')}
        </Heading>
        <p>{t('preferences.intro', { name: branding.name })}</p>
      </div>
      <Channels state={state} errors={errors} offered={offered} send={send} />
      <HoursSection
        state={state}
        errors={errors}
        wasReset={wereHoursReset}
        send={(action) => {
          setHoursReset(false);
          send(action);
        }}
      />
      <LanguageSection chosen={state.values.languagePreference} errors={errors} send={send} />
      <p>
        <Link href="/messages">{t('messages.title')}</Link>
      </p>
      <div className="preferences-buttons">
        {/* Without the script a submit would put the address into the page's own address. */}
        <Button type="submit" look="primary" busy={isSaving} disabled={!isRunning}>
          {t(voter.is_confirmed ? 'preferences.update' : 'preferences.confirm')}
        </Button>
        {voter.is_confirmed ? (
          <Button
            className="preferences-opt-out"
            disabled={!isRunning}
            aria-disabled={isSaving}
            aria-haspopup="dialog"
            onClick={() => {
              if (!isSaving) signals.send({ type: 'OPEN_MODAL', modal: 'unsubscribeFromAll' });
            }}
          >
            {t('preferences.optOutOfAll')}
          </Button>
        ) : (
          <Button
            disabled={!isRunning}
            aria-disabled={isSaving}
            onClick={() => {
              if (isSaving) return;
              setHoursReset(false);
              send({ type: 'reset', voter: state.voter });
            }}
          >
            {t('preferences.reset')}
          </Button>
        )}
        <p className="visually-hidden" role="status">
          {isSaving && t('preferences.saving')}
        </p>
      </div>
    </form>
  );
}

/** False in the page as the server sent it. */
function useIsRunning(): boolean {
  const [isRunning, setRunning] = useState(false);
  useEffect(() => setRunning(true), []);
  return isRunning;
}

/** The browser asks before a reload or a closed tab takes what was typed and not saved. */
function useWarningBeforeLoss(isAtRisk: boolean): void {
  useEffect(() => {
    if (!isAtRisk) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isAtRisk]);
}
