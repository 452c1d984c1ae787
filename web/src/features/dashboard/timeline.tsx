import './timeline.css';
import type { StatusHistoryStep } from '@ballot-beacon/contract/ballot-status-progress';
import { useTexts } from '../../shell/texts.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { lookOfStep, type StepLook } from './status-look.ts';
import { When } from './when.tsx';

const marks: Record<StepLook, IconName> = {
  completed: 'check',
  incomplete: 'clock',
  caution: 'caution',
  halted: 'stop',
};

/** Every step with its date and who reported it, folded away under Details. */
export function Timeline({
  steps,
  isExplained,
}: {
  steps: readonly StatusHistoryStep[];
  /** Whether what a status means stands below it. */
  isExplained: (status: string) => boolean;
}) {
  const { t } = useTexts();
  return (
    <details className="timeline">
      <summary>
        <Icon name="chevron" className="timeline-chevron" />
        <span>{t('dashboard.details')}</span>
        <span className="timeline-hint">{t('dashboard.detailsHint')}</span>
      </summary>
      <ol>
        {steps.map((step, index) => {
          const look = lookOfStep(step);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a status can happen twice
            <li data-look={look} key={`${step.status}-${index}`}>
              <Icon name={marks[look]} />
              <div>
                <p className="timeline-name">
                  {step.display_name}
                  <span className="visually-hidden"> ({t(`dashboard.step.${look}`)})</span>
                </p>
                <p className="timeline-when">
                  {step.datetime ? (
                    <When value={step.datetime} withTime={step.datetime.length > 10} />
                  ) : (
                    t(step.is_reached ? 'dashboard.noDate' : 'dashboard.step.incomplete')
                  )}
                  {step.kind && <span> · {t(`dashboard.kind.${step.kind}`)}</span>}
                </p>
                {step.is_reached && isExplained(step.status) && <p>{step.display_description}</p>}
              </div>
            </li>
          );
        })}
      </ol>
    </details>
  );
}
