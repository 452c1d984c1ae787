import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../../web/src/ui/button.tsx';
import { Finish } from '../../shell/finish.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useSession } from '../../shell/session.tsx';
import { nameOf, t } from '../../words/index.ts';

/** What waits to be sent and when the last of it leaves, once a person asks: the server has to look at all of it. */
export function QueuePanel() {
  const { act } = useSession();
  const [isAsked, setAsked] = useState(false);
  const queue = useQuery({
    queryKey: ['queue'],
    queryFn: () => act('getQueue', {}),
    enabled: isAsked,
  });
  const ask = () => {
    if (isAsked) void queue.refetch();
    else setAsked(true);
  };
  return (
    <section className="panel card" aria-labelledby="queue">
      <h2 id="queue">{t('queue.title')}</h2>
      <p className="help">{t('queue.help')}</p>
      <div aria-live="polite">
        {isAsked && (
          <Loaded query={queue}>
            {({ senders }) =>
              senders.length === 0 ? (
                <p>{t('queue.none')}</p>
              ) : (
                <ul className="todo">
                  {senders.map(({ channel, is_shared: isShared, messages, finish }, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: one sender per channel and place in the list
                    <li key={`${channel} ${index}`}>
                      <strong>
                        {nameOf('channel', channel)}: {t('queue.messages', { count: messages })}
                      </strong>
                      {isShared && ` ${t('queue.shared')}`}. <Finish finish={finish} />
                    </li>
                  ))}
                </ul>
              )
            }
          </Loaded>
        )}
      </div>
      <p className="buttons">
        <Button busy={queue.isFetching} onClick={ask}>
          {t(isAsked ? 'queue.again' : 'queue.look')}
        </Button>
      </p>
    </section>
  );
}
