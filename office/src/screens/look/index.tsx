import type { Appearance } from '@ballot-beacon/contract/office/appearance';
import { officeCalls } from '@ballot-beacon/contract/office/calls';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure } from '../../shell/failure.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useRefresh } from '../../shell/refresh.ts';
import { useSession } from '../../shell/session.tsx';
import { VoterPage } from '../../shell/voter-page.tsx';
import { t } from '../../words/index.ts';
import { ColorPanel } from './color.tsx';
import { Images } from './images.tsx';
import { OutagePanel } from './outage.tsx';

/** How the office's page looks beside its words: the outage notice, the color and the images. */
export function LookScreen() {
  const { act } = useSession();
  const appearance = useQuery({
    queryKey: ['appearance'],
    queryFn: () => act('getAppearance', {}),
  });
  return (
    <>
      <h1>{t('look.title')}</h1>
      <p className="help">{t('look.help')}</p>
      <Loaded query={appearance}>{(data) => <Look {...data} />}</Loaded>
      <Images />
    </>
  );
}

function Look(now: Appearance) {
  const { color, outage } = now;
  const { act } = useSession();
  /** Chosen to be looked at, and not saved. */
  const [chosen, setChosen] = useState<string>();
  const [noticeTried, setNoticeTried] = useState<'on' | 'off'>();
  const work = useMutation({
    mutationFn: (change: () => Promise<unknown>) => change(),
    onSettled: useRefresh('appearance'),
  });
  /** @param question asked first: every voter sees the change at once */
  const change = (question: string, run: () => Promise<unknown>) => {
    if (!work.isPending && window.confirm(question)) work.mutate(run);
  };
  const changeColor = (to: string) =>
    change(t('look.color.sure', { color: to }), async () => {
      await act('changeColor', { body: { from: color.now, to } });
      setChosen(undefined);
    });
  const query = new URLSearchParams({
    ...{ screen: 'login', language: 'english' },
    ...(chosen && { color: chosen }),
    ...(noticeTried && { outage: noticeTried }),
  });
  return (
    <>
      <div aria-live="polite">
        {work.isSuccess && <p className="notice notice-good">{t('look.done')}</p>}
      </div>
      <Failure error={work.error} />
      <OutagePanel
        {...outage}
        isBusy={work.isPending}
        tried={noticeTried}
        onTry={setNoticeTried}
        onSet={(to) =>
          change(t(`look.outage.sure.${to}`), async () => {
            await act('setOutage', { body: { to } });
            setNoticeTried(undefined);
          })
        }
        onUndo={(id) =>
          change(t('look.outage.undo.sure'), () => act('undoOutage', { body: { audit_id: id } }))
        }
      />
      <ColorPanel
        {...color}
        isBusy={work.isPending}
        chosen={chosen}
        onChoose={setChosen}
        onChange={changeColor}
      />
      <section className="panel card preview-panel">
        <h2>{t('text.preview')}</h2>
        <p className="help">
          {chosen || noticeTried ? t('look.preview.tried') : t('look.preview.now')}
        </p>
        <VoterPage
          title={t('text.preview')}
          address={`${officeCalls.previewAppearance.path}?${query}`}
          version={JSON.stringify(now)}
        />
      </section>
    </>
  );
}
