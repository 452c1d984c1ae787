import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import type { Permission } from '@ballot-beacon/contract/office/roles';
import { useIsMutating } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { Button } from '../../../web/src/ui/button.tsx';
import { Icon } from '../../../web/src/ui/icons.tsx';
import { Mark } from '../../../web/src/ui/mark.tsx';
import { BallotsScreen } from '../screens/ballots/index.tsx';
import { CodesScreen } from '../screens/codes/index.tsx';
import { DeadlinesScreen } from '../screens/elections/deadlines.tsx';
import { ElectionsScreen } from '../screens/elections/index.tsx';
import { FileScreen } from '../screens/files/file.tsx';
import { FilesScreen } from '../screens/files/index.tsx';
import { UploadScreen } from '../screens/files/upload.tsx';
import { FixesScreen } from '../screens/fixes/index.tsx';
import { FlagsScreen } from '../screens/flags/index.tsx';
import { LogScreen } from '../screens/log/index.tsx';
import { LookScreen } from '../screens/look/index.tsx';
import { MessagesScreen } from '../screens/messages/index.tsx';
import { MessageScreen } from '../screens/messages/message.tsx';
import { MisuseScreen } from '../screens/misuse/index.tsx';
import { PeopleScreen } from '../screens/people/index.tsx';
import { ReportsScreen } from '../screens/reports/index.tsx';
import { SettingsScreen } from '../screens/settings/index.tsx';
import { ScanPushScreen } from '../screens/settings/scan-push.tsx';
import { TextsScreen } from '../screens/texts/index.tsx';
import { TextScreen } from '../screens/texts/text.tsx';
import { TodayScreen } from '../screens/today/index.tsx';
import { VotersScreen } from '../screens/voters/index.tsx';
import { VoterScreen } from '../screens/voters/voter.tsx';
import { Failure } from '../shell/failure.tsx';
import { signOut } from '../shell/sign-out.ts';
import { useLeaveWarning } from '../shell/typed.ts';
import { t, type WordKey } from '../words/index.ts';
import { CommandLogin } from './command-login.tsx';

interface Page {
  readonly path: string;
  readonly title: WordKey;
  /** One of these. */
  readonly needs: readonly Permission[];
  /** Opened by a link of another screen or of the command line. */
  readonly isUnlisted?: true;
}

const pages: readonly Page[] = [
  { path: '/', title: 'nav.today', needs: ['counts'] },
  { path: '/files', title: 'nav.files', needs: ['files'] },
  { path: '/fixes', title: 'nav.fixes', needs: ['counts'] },
  { path: '/voters', title: 'nav.voters', needs: ['voters'] },
  { path: '/messages', title: 'nav.messages', needs: ['voters'] },
  { path: '/reports', title: 'nav.reports', needs: ['counts'] },
  { path: '/texts', title: 'nav.texts', needs: ['words'] },
  { path: '/look', title: 'nav.look', needs: ['words'] },
  { path: '/codes', title: 'nav.codes', needs: ['codes', 'confidential'] },
  { path: '/people', title: 'nav.people', needs: ['people'] },
  { path: '/elections', title: 'nav.elections', needs: ['settings'] },
  { path: '/flags', title: 'nav.flags', needs: ['settings'] },
  { path: '/settings', title: 'nav.settings', needs: ['settings'] },
  { path: '/misuse', title: 'nav.misuse', needs: ['settings'] },
  { path: '/log', title: 'nav.log', needs: ['log'] },
  { path: '/ballots', title: 'nav.ballots', needs: ['voters'], isUnlisted: true },
  { path: '/command-login', title: 'commandLogin.title', needs: ['counts'], isUnlisted: true },
];

function mayOpen({ permissions }: OfficeSession, { needs }: Page): boolean {
  return needs.some((one) => permissions.includes(one));
}

interface ScreensProps {
  session: OfficeSession;
  /** Called with the provider's own address for signing out, if there is one. */
  onSignedOut: (providerAddress: string | null) => void;
}

/** The bar with the pages that the person may open, and the screen that the address names. */
export function Screens({ session, onSignedOut }: ScreensProps) {
  const [isSigningOut, setSigningOut] = useState(false);
  const [isStillSignedIn, setStillSignedIn] = useState(false);
  const leave = () => {
    setSigningOut(true);
    setStillSignedIn(false);
    signOut()
      .then(onSignedOut, () => setStillSignedIn(true))
      .finally(() => setSigningOut(false));
  };
  const [path] = useLocation();
  const page = pages.findLast((one) => path === one.path || path.startsWith(`${one.path}/`));
  const title = page ? t(page.title) : t('app.notFound.title');
  useEffect(() => {
    document.title = `${title} · ${session.office} · ${t('app.title')}`;
  }, [title, session.office]);
  useLeaveWarning();
  const isWorking = useIsMutating() > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: of each change of the screen, and each end of a work
  useEffect(
    () => () => {
      // What had the focus has left with the screen before, or with what was done.
      if (document.activeElement === document.body) document.getElementById('content')?.focus();
    },
    [path, isWorking],
  );
  return (
    <>
      <a className="skip" href="#content">
        {t('app.skip')}
      </a>
      <header className="bar">
        <p className="bar-office">
          <Mark className="bar-mark" />
          <span>{session.office}</span>
        </p>
        <nav aria-label={t('app.nav')}>
          <ul className="bar-pages">
            {pages
              .filter((one) => mayOpen(session, one) && !one.isUnlisted)
              .map((one) => (
                <li key={one.path}>
                  <Link href={one.path} aria-current={one === page ? 'page' : undefined}>
                    {t(one.title)}
                  </Link>
                </li>
              ))}
          </ul>
        </nav>
        <p className="bar-person">
          <Icon name="person" />
          <span>{session.name}</span>
          <Button look="quiet" busy={isSigningOut} onClick={leave}>
            {t('app.signOut')}
          </Button>
        </p>
      </header>
      <main id="content" className="content" tabIndex={-1}>
        <Failure text={isStillSignedIn ? t('app.signOutFailed') : ''} />
        {page && !mayOpen(session, page) ? (
          <Message title="app.notAllowed.title" text="app.notAllowed.text" />
        ) : (
          <Switch>
            <Route path="/">
              <TodayScreen />
            </Route>
            <Route path="/files">
              <FilesScreen />
            </Route>
            <Route path="/files/uploads/:id">
              {({ id }) => <UploadScreen key={id} uploadId={Number(id)} />}
            </Route>
            <Route path="/files/:id">
              {({ id }) => <FileScreen key={id} importId={Number(id)} />}
            </Route>
            <Route path="/fixes">
              <FixesScreen />
            </Route>
            <Route path="/voters">
              <VotersScreen />
            </Route>
            <Route path="/voters/:id">
              {({ id }) => <VoterScreen key={id} voterId={Number(id)} />}
            </Route>
            <Route path="/messages">
              <MessagesScreen />
            </Route>
            <Route path="/messages/:id">
              {({ id }) => <MessageScreen key={id} messageId={Number(id)} />}
            </Route>
            <Route path="/reports">
              <ReportsScreen />
            </Route>
            <Route path="/texts">
              <TextsScreen />
            </Route>
            <Route path="/texts/:text/:language">
              {({ text, language }) => (
                <TextScreen key={`${text} ${language}`} {...{ text, language }} />
              )}
            </Route>
            <Route path="/look">
              <LookScreen />
            </Route>
            <Route path="/codes">
              <CodesScreen />
            </Route>
            <Route path="/people">
              <PeopleScreen />
            </Route>
            <Route path="/elections/deadlines/:open?">
              {({ open }) => <DeadlinesScreen open={open} />}
            </Route>
            <Route path="/elections/:open?">{({ open }) => <ElectionsScreen open={open} />}</Route>
            <Route path="/flags">
              <FlagsScreen />
            </Route>
            <Route path="/settings/usps-scans">
              <ScanPushScreen />
            </Route>
            <Route path="/settings/:group?">
              {({ group }) => <SettingsScreen group={group} />}
            </Route>
            <Route path="/misuse">
              <MisuseScreen />
            </Route>
            <Route path="/log">
              <LogScreen />
            </Route>
            <Route path="/ballots">
              <BallotsScreen />
            </Route>
            <Route path="/command-login">
              <CommandLogin />
            </Route>
            <Route>
              <Message title="app.notFound.title" text="app.notFound.text" />
            </Route>
          </Switch>
        )}
      </main>
    </>
  );
}

function Message({ title, text }: { title: WordKey; text: WordKey }): ReactNode {
  return (
    <>
      <h1>{t(title)}</h1>
      <p>{t(text)}</p>
    </>
  );
}
