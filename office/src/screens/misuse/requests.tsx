import type { WaitingRequests } from '@ballot-beacon/contract/office/misuse';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../../../../web/src/ui/button.tsx';
import { Failure } from '../../shell/failure.tsx';
import { useRefresh } from '../../shell/refresh.ts';
import { Scroll } from '../../shell/scroll.tsx';
import { useSession } from '../../shell/session.tsx';
import { formatInstant, formatNumber, nameOf, t } from '../../words/index.ts';

type Decision = 'send' | 'discard';

/** Requests to confirm an address that wait above the office's daily limit, and the decision on them. */
export function RequestsPanel({ requests }: { readonly requests: readonly WaitingRequests[] }) {
  const { act, session } = useSession();
  const decide = useMutation({
    mutationFn: async ({ one, decision }: { one: WaitingRequests; decision: Decision }) => {
      const { channel, last_id: lastId } = one;
      const body = { decision, last_id: lastId ?? 0 };
      const { messages } = await act('decideRequests', { params: { channel }, body });
      return t(decision === 'send' ? 'misuse.sent' : 'misuse.discarded', { count: messages });
    },
    onSettled: useRefresh(),
  });
  const start = (one: WaitingRequests, decision: Decision) => {
    const question = t(`misuse.${decision}.sure`, { count: one.waiting });
    if (!decide.isPending && window.confirm(question)) decide.mutate({ one, decision });
  };
  return (
    <section className="panel card" aria-labelledby="requests">
      <h2 id="requests">{t('misuse.requests')}</h2>
      <p className="help">{t('misuse.requests.help')}</p>
      <div aria-live="polite">
        {decide.data && <p className="notice notice-good">{decide.data}</p>}
      </div>
      <Failure error={decide.error} />
      <Scroll label={t('misuse.requests')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('misuse.channel')}</th>
              <th scope="col">{t('misuse.today')}</th>
              <th scope="col" className="number">
                {t('misuse.waiting')}
              </th>
              <th scope="col" className="number">
                {t('misuse.voters')}
              </th>
              <th scope="col" className="number">
                {t('misuse.addresses')}
              </th>
              <th scope="col">{t('misuse.since')}</th>
              <th scope="col">{t('misuse.decide')}</th>
            </tr>
          </thead>
          <tbody>
            {requests.map((one) => {
              const channel = nameOf('channel', one.channel);
              const times = [one.first_at, one.last_at].flatMap((at) =>
                at ? [formatInstant(at, session)] : [],
              );
              return (
                <tr key={one.channel}>
                  <th scope="row">{channel}</th>
                  <td>{t('misuse.today.of', { today: one.today, limit: one.limit })}</td>
                  <td className="number">{formatNumber(one.waiting)}</td>
                  <td className="number">{formatNumber(one.voters)}</td>
                  <td className="number">{formatNumber(one.addresses)}</td>
                  <td>{[...new Set(times)].join(' – ')}</td>
                  <td>
                    {one.waiting > 0 && (
                      <p className="buttons">
                        {(['send', 'discard'] as const).map((decision) => (
                          <Button
                            key={decision}
                            busy={decide.isPending}
                            aria-label={t(`misuse.${decision}Of`, { channel })}
                            onClick={() => start(one, decision)}
                          >
                            {t(`misuse.${decision}`)}
                          </Button>
                        ))}
                      </p>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}
