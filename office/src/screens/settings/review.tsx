import type { ChangedSetting } from '@ballot-beacon/contract/office/settings';
import { useEffect, useRef } from 'react';
import { Button } from '../../../../web/src/ui/button.tsx';
import { Scroll } from '../../shell/scroll.tsx';
import { t } from '../../words/index.ts';
import { describeValue, fieldName } from './describe.ts';

/** What would change, before it does. */
export function Review({
  changes,
  hasImages,
  unreached,
  isBusy,
  onSave,
  onBack,
}: {
  readonly changes: readonly ChangedSetting[];
  /** The file names images, which are not part of it. */
  readonly hasImages: boolean;
  /** Voters whom no message would reach any more. */
  readonly unreached: number;
  readonly isBusy: boolean;
  readonly onSave: () => void;
  readonly onBack: () => void;
}) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <section className="panel card">
      <h2 ref={title} tabIndex={-1}>
        {t('settings.preview')}
      </h2>
      <p>{t(changes.length === 0 ? 'settings.preview.none' : 'settings.preview.text')}</p>
      {unreached > 0 && (
        <p className="notice notice-bad">{t('settings.preview.unreached', { count: unreached })}</p>
      )}
      {hasImages && <p>{t('settings.preview.images')}</p>}
      {changes.length > 0 && (
        <Scroll label={t('settings.preview')}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t('settings.preview.setting')}</th>
                <th scope="col">{t('settings.preview.from')}</th>
                <th scope="col">{t('settings.preview.to')}</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ at, from, to }) => (
                <tr key={at}>
                  <th scope="row">{fieldName(at)}</th>
                  <td>{describeValue(at, from)}</td>
                  <td>{describeValue(at, to)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      <p className="buttons">
        {changes.length > 0 && (
          <Button look="primary" busy={isBusy} onClick={onSave}>
            {t('settings.save')}
          </Button>
        )}
        <Button look="quiet" onClick={onBack}>
          {t('settings.back')}
        </Button>
      </p>
    </section>
  );
}
