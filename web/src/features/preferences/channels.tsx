import { type Channel, channels } from '@ballot-beacon/contract/messages';
import { usePage } from '../../shell/page-context.ts';
import { useSignals } from '../../shell/signals.ts';
import { formatPhone } from '../../shell/support-notice.tsx';
import { useTexts } from '../../shell/texts.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { Words } from '../../ui/words.tsx';
import { Choice, ContactField } from './contact-field.tsx';
import type { FieldErrors } from './errors.ts';
import type { PreferencesAction, PreferencesState } from './form.ts';
import { readPhone } from './phones.ts';
import { wordsOfErrors } from './words.ts';

interface ChannelsProps {
  state: PreferencesState;
  errors: FieldErrors;
  /** The ways in which this office sends news. */
  offered: ReadonlySet<string>;
  send: (action: PreferencesAction) => void;
}

const icons: Record<Channel, IconName> = { email: 'envelope', sms: 'message', voice: 'phone' };

export function Channels({ state, errors, offered, send }: ChannelsProps) {
  const { t } = useTexts();
  const { values } = state;
  const isOn = { email: values.emailOptIn, sms: values.smsOptIn, voice: values.voiceOptIn };
  return channels
    .filter((channel) => offered.has(channel))
    .map((channel) => (
      <fieldset className="preferences-section" key={channel}>
        <legend>
          <Icon name={icons[channel]} />
          {t(`preferences.${channel}.title`)}
        </legend>
        <Choice
          name={`${channel}-opt-in`}
          label={t(`preferences.${channel}.optIn`)}
          isOn={isOn[channel]}
          onChange={(isNowOn) => send({ type: 'optIn', channel, isOn: isNowOn })}
        />
        <ContactField
          name={channel}
          type={channel === 'email' ? 'email' : 'tel'}
          autoComplete={channel === 'email' ? 'email' : 'tel-national'}
          label={t(`preferences.${channel}.label`)}
          clearLabel={t(`preferences.${channel}.clear`)}
          canClear={values[channel] !== '' || isOn[channel]}
          value={values[channel]}
          errors={wordsOfErrors(errors[channel], t)}
          status={<Known channel={channel} state={state} />}
          onEdit={(text) => send({ type: 'edit', channel, text })}
          onLeave={() => send({ type: 'touch', field: channel })}
          onClear={() => send({ type: 'clear', channel })}
        />
        <Terms channel={channel} />
      </fieldset>
    ));
}

type Knowledge = 'good' | 'waiting' | 'bad';
const knowledgeIcons: Record<Knowledge, IconName> = {
  good: 'checkCircle',
  waiting: 'clock',
  bad: 'caution',
};

/** The state of the stored address; nothing while it is being changed. */
function Known({ channel, state }: { channel: Channel; state: PreferencesState }) {
  const { t } = useTexts();
  const { branding } = usePage();
  const { values, voter } = state;
  const said = (): [Knowledge, string] | null => {
    if (channel === 'email') {
      if (values.email === '' || values.email !== voter.email) return null;
      if (voter.is_valid_email === false) return ['bad', t('preferences.email.bad')];
      return voter.is_valid_email
        ? ['good', t('preferences.email.confirmed')]
        : ['waiting', t('preferences.email.waiting')];
    }
    const code = branding.short_code;
    const number = readPhone(values[channel]);
    if (channel === 'sms') {
      if (number === null || number !== readPhone(voter.phone_sms)) return null;
      if (voter.sms_status === 'active') return ['good', t('preferences.sms.active')];
      if (voter.sms_status === 'pending')
        return ['waiting', t('preferences.sms.waiting', { code })];
      return voter.sms_status === 'opted-out'
        ? ['bad', t('preferences.sms.stopped', { code })]
        : null;
    }
    if (number === null) return null;
    if (number === readPhone(voter.pending_voice)) {
      if (!values.voiceOptIn || !branding.from_voice) return null;
      const phone = formatPhone(branding.from_voice);
      return ['waiting', t('preferences.voice.waiting', { phone })];
    }
    return number === readPhone(voter.phone_voice)
      ? ['good', t('preferences.voice.confirmed')]
      : null;
  };
  const known = said();
  if (!known) return null;
  const [look, words] = known;
  return (
    <p className="contact-known" data-look={look}>
      <Icon name={knowledgeIcons[look]} />
      <Words text={words} />
    </p>
  );
}

/** What a voter agrees to by opting in. */
function Terms({ channel }: { channel: Channel }) {
  const { t } = useTexts();
  const { branding } = usePage();
  const signals = useSignals();
  if (channel === 'sms')
    return (
      <p className="preferences-hint">
        {t('preferences.sms.hint', { code: branding.short_code })}{' '}
        <a
          href="/voter/sms-policy"
          onClick={(event) => {
            event.preventDefault();
            signals.send({ type: 'OPEN_MODAL', modal: 'smsPolicy' });
          }}
        >
          {t('preferences.sms.terms')}
        </a>
      </p>
    );
  if (channel === 'voice' && branding.from_voice)
    return (
      <p className="preferences-hint">
        <Words text={t('preferences.voice.hint', { phone: formatPhone(branding.from_voice) })} />
      </p>
    );
  return null;
}
