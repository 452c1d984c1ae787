import type { FlagState, ListedFlag } from '@ballot-beacon/contract/office/flags';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from '../../../../web/src/ui/button.tsx';
import { Failure } from '../../shell/failure.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useRefresh } from '../../shell/refresh.ts';
import { useSession } from '../../shell/session.tsx';
import { formatInstant, t } from '../../words/index.ts';

/** Parts of the voter's page that are on, off or as usual. */
export function FlagsScreen() {
  const { act } = useSession();
  const flags = useQuery({ queryKey: ['flags'], queryFn: () => act('listFlags', {}) });
  const change = useMutation({
    mutationFn: async ({
      flag,
      to,
    }: {
      flag: ListedFlag;
      to: 'on' | 'off' | 'default' | 'undo';
    }) => {
      const { key, last_change: last } = flag;
      if (to !== 'undo') await act('setFlag', { params: { key }, body: { to } });
      else if (last) await act('undoFlag', { params: { key }, body: { audit_id: last.audit_id } });
      return flag;
    },
    onSettled: useRefresh('flags'),
  });
  return (
    <>
      <h1>{t('flags.title')}</h1>
      <p className="help">{t('flags.help')}</p>
      <div aria-live="polite">
        {change.data && (
          <p className="notice notice-good">
            {t('flags.done', { flag: t(`flag.${change.data.key}`) })}
          </p>
        )}
      </div>
      <Failure error={change.error} />
      <Loaded query={flags}>
        {({ flags: all, is_elsewhere: isElsewhere }) => (
          <>
            {isElsewhere && <p className="notice">{t('flags.elsewhere')}</p>}
            {all.map((flag) => (
              <Flag
                key={flag.key}
                flag={flag}
                isBusy={change.isPending}
                onChange={(to) => {
                  if (!change.isPending) change.mutate({ flag, to });
                }}
              />
            ))}
          </>
        )}
      </Loaded>
    </>
  );
}

function Flag({
  flag: { key, state, default_value: usual, last_change: last },
  isBusy,
  onChange,
}: {
  readonly flag: ListedFlag;
  readonly isBusy: boolean;
  readonly onChange: (to: 'on' | 'off' | 'default' | 'undo') => void;
}) {
  const { session } = useSession();
  const name = t(`flag.${key}`);
  const nameOf = (one: FlagState) =>
    one === 'default'
      ? t('flags.usual', { value: t(usual ? 'flags.on' : 'flags.off') })
      : t(`flags.state.${one}`);
  return (
    <section className="panel card">
      <h2>{name}</h2>
      <p className="help">{t(`flag.${key}.help`)}</p>
      <p>
        <strong>{t('flags.now', { state: nameOf(state) })}</strong>
      </p>
      <p className="buttons">
        {(['on', 'off', 'default'] as const).map((one) => (
          <Button
            key={one}
            look={one === state ? 'primary' : 'secondary'}
            busy={isBusy}
            aria-pressed={one === state}
            aria-label={t('flags.turn', { flag: name, state: nameOf(one) })}
            onClick={() => {
              if (one !== state) onChange(one);
            }}
          >
            {nameOf(one)}
          </Button>
        ))}
      </p>
      {last && (
        <p className="soft">
          {t('flags.last', {
            ...{ at: formatInstant(last.at, session), who: last.who },
            ...{ from: nameOf(last.from), to: nameOf(last.to) },
          })}{' '}
          <Button
            look="quiet"
            busy={isBusy}
            aria-label={t('flags.undoOf', { flag: name })}
            onClick={() => onChange('undo')}
          >
            {t('flags.undo')}
          </Button>
        </p>
      )}
    </section>
  );
}
