import type { PushPassword, ScanPush } from '@ballot-beacon/contract/office/scan-push';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../../../web/src/ui/button.tsx';
import { Failure } from '../../shell/failure.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useRefresh } from '../../shell/refresh.ts';
import { Scroll } from '../../shell/scroll.tsx';
import { useSession } from '../../shell/session.tsx';
import { formatInstant, t } from '../../words/index.ts';

/** Where USPS pushes scans, and the password with which it does, shown once after it is made. */
export function ScanPushScreen() {
  const { act } = useSession();
  const found = useQuery({ queryKey: ['scan-push'], queryFn: () => act('getScanPush', {}) });
  return (
    <>
      <p>
        <Link href="/settings">← {t('nav.settings')}</Link>
      </p>
      <h1>{t('scanPush.title')}</h1>
      <p className="help">{t('scanPush.help')}</p>
      <Loaded query={found}>{(push) => <Push push={push} />}</Loaded>
    </>
  );
}

function Push({ push }: { readonly push: ScanPush }) {
  const { act, session } = useSession();
  const make = useMutation({
    mutationFn: () => act('makePushPassword', { body: { made_at: push.made_at } }),
    onSettled: useRefresh('scan-push'),
    // It is not kept in the page's memory once the screen is left.
    gcTime: 0,
  });
  const start = () => {
    if (make.isPending) return;
    if (push.made_at !== null && !window.confirm(t('scanPush.renew.sure'))) return;
    make.mutate();
  };
  return (
    <section className="panel card" aria-labelledby="push">
      <h2 id="push">{t('scanPush.link')}</h2>
      <Scroll label={t('scanPush.link')}>
        <table className="table">
          <tbody>
            <tr>
              <th scope="row">{t('scanPush.url')}</th>
              <td>
                <code>{push.url}</code>
              </td>
            </tr>
            <tr>
              <th scope="row">{t('scanPush.user')}</th>
              <td>
                <code>{push.user}</code>
              </td>
            </tr>
          </tbody>
        </table>
      </Scroll>
      <div aria-live="polite">{make.data && <Password made={make.data} />}</div>
      <Failure error={make.error} />
      <p>
        {push.made_at
          ? t('scanPush.made', { at: formatInstant(push.made_at, session) })
          : t('scanPush.none')}
      </p>
      <p className="buttons">
        <Button look={push.made_at ? 'secondary' : 'primary'} busy={make.isPending} onClick={start}>
          {t(push.made_at ? 'scanPush.renew' : 'scanPush.make')}
        </Button>
      </p>
    </section>
  );
}

function Password({ made: { password } }: { readonly made: PushPassword }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <div className="notice notice-good">
      <p>
        {t('scanPush.password')}: <code>{password}</code>
      </p>
      <p>{t('scanPush.shown')}</p>
      <p>
        <Button
          onClick={() => {
            void navigator.clipboard?.writeText(password).then(() => setCopied(true));
          }}
        >
          {t('scanPush.copy')}
        </Button>{' '}
        {isCopied && t('scanPush.copied')}
      </p>
    </div>
  );
}
