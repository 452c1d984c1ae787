import { useEffect, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { Words } from '../ui/words.tsx';
import { type Alert, type AlertType, wordsOf } from './alerts.ts';
import { globalAlertMachine } from './global-alert.machine.ts';
import { useTexts } from './texts.ts';
import { useRegion } from './use-region.ts';

const icons: Record<AlertType, IconName> = {
  error: 'stop',
  notice: 'info',
  success: 'checkCircle',
};

/** The page-wide alerts. New ones are read out and scrolled into view; the focus stays where the voter left it. */
export function AlertBanner() {
  const { t } = useTexts();
  const [state, region] = useRegion(globalAlertMachine);
  const { alerts } = state.context;
  const banner = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (alerts.length > 0) banner.current?.scrollIntoView({ block: 'nearest' });
  }, [alerts]);

  return (
    <div className="alerts" role="alert" ref={banner}>
      {state.matches('opened') && (
        <div className="alerts-inner">
          {alerts.map((alert, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: alerts are replaced as a whole, never reordered
            <AlertBox alert={alert} key={index} />
          ))}
          <Button
            look="quiet"
            className="alerts-close"
            aria-label={t('alert.close')}
            onClick={() => region.send({ type: 'CLOSE_ALL' })}
          >
            <Icon name="close" />
          </Button>
        </div>
      )}
    </div>
  );
}

function AlertBox({ alert }: { alert: Alert }) {
  const { t } = useTexts();
  return (
    <div className="alert" data-type={alert.type}>
      <Icon name={icons[alert.type]} />
      <div>
        <span className="visually-hidden">{t(`alert.label.${alert.type}`)}: </span>
        {alert.messages.map((message) => {
          const words = wordsOf(message, t);
          if (message.important)
            return (
              <strong className="alert-label" key={words}>
                {words}
              </strong>
            );
          return (
            <p key={words}>
              {message.href ? <a href={message.href}>{words}</a> : <Words text={words} />}
            </p>
          );
        })}
      </div>
    </div>
  );
}
