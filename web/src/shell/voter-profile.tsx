import './voter-profile.css';
import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icons.tsx';
import { Words } from '../ui/words.tsx';
import { LogOutButton } from './log-out-button.tsx';
import { usePage } from './page-context.ts';
import { formatPhone, telOf } from './support-notice.tsx';
import { useTexts } from './texts.ts';
import { useRegion } from './use-region.ts';
import { voterProfileMachine } from './voter-profile.machine.ts';

/** The button with the voter's name, and the panel it opens: below it on a wide screen, across the screen on a phone. */
export function VoterProfile({ voter }: { voter: VoterInformation }) {
  const { t } = useTexts();
  const [state, profile] = useRegion(voterProfileMachine);
  const isOpen = state.matches('opened');
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && root.current?.contains(event.target)) return;
      profile.send({ type: 'CLOSE' });
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
    };
  }, [isOpen, profile]);

  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    profile.send({ type: 'CLOSE' });
    button.current?.focus();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens for Escape from the controls inside
    <div className="profile" ref={root} onKeyDown={closeOnEscape}>
      <button
        type="button"
        className="button button-quiet top-bar-button"
        ref={button}
        aria-expanded={isOpen}
        aria-controls="profile-panel"
        onClick={() => profile.send({ type: 'TOGGLE' })}
      >
        <Icon name="person" />
        <bdi className="profile-name">{nameOf(voter)}</bdi>
        <Icon name="chevron" className="icon-small" />
      </button>
      <section
        className="profile-panel"
        id="profile-panel"
        hidden={!isOpen}
        aria-labelledby="profile-title"
      >
        <h2 id="profile-title">{t('profile.title')}</h2>
        <VoterFacts voter={voter} />
        <CountyInfo />
        <ProfileActions
          hasPastBallots={state.context.pastBallots > 0}
          onDone={() => profile.send({ type: 'CLOSE' })}
        />
      </section>
    </div>
  );
}

function VoterFacts({ voter }: { voter: VoterInformation }) {
  const { t } = useTexts();
  const facts = [
    ['profile.name', nameOf(voter)],
    ['profile.address', voter.address],
    ['profile.city', voter.city],
    ['profile.state', voter.state],
    ['profile.zipcode', voter.zipcode],
  ] as const;
  return (
    <dl className="profile-facts">
      {facts
        .filter(([, value]) => value !== '')
        .map(([key, value]) => (
          <div key={key}>
            <dt>{t(key)}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
    </dl>
  );
}

/** How to reach the office, or the office's own words in place of it (product spec §2, Shell). */
function CountyInfo() {
  const { t } = useTexts();
  const { branding } = usePage();
  const ownWords = t('profile.countyInfo.html');
  return (
    <div className="profile-county">
      <h3>{t('profile.county', { county: branding.name })}</h3>
      {ownWords ? (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the server lets through only what is on the allow-list
        <div dangerouslySetInnerHTML={{ __html: ownWords }} />
      ) : (
        <>
          {branding.contact_phone && (
            <a href={telOf(branding.contact_phone)}>
              <Icon name="phone" />
              <Words text={formatPhone(branding.contact_phone)} />
            </a>
          )}
          {branding.contact_email && (
            <a href={`mailto:${branding.contact_email}`}>
              <Icon name="envelope" />
              <Words text={branding.contact_email} />
            </a>
          )}
        </>
      )}
    </div>
  );
}

/** The phone's way around the page: shown on small screens only. */
function ProfileActions({
  hasPastBallots,
  onDone,
}: {
  hasPastBallots: boolean;
  onDone: () => void;
}) {
  const { t } = useTexts();
  const [, navigate] = useLocation();
  const goTo = (which: string) => {
    onDone();
    // The dashboard reads the tab's title out of the history, shows it and brings it into sight.
    navigate('/dashboard', { state: { tab: t(`dashboard.${which}`), which } });
  };
  const tabs = ['current', ...(hasPastBallots ? ['previous'] : [])];
  return (
    <div className="profile-actions">
      {tabs.map((which) => (
        <Button key={which} onClick={() => goTo(which)}>
          {t(`dashboard.${which}`)}
        </Button>
      ))}
      <LogOutButton />
    </div>
  );
}

function nameOf({ firstname, middlename, lastname, suffix }: VoterInformation): string {
  return [firstname, middlename, lastname, suffix].filter(Boolean).join(' ');
}
