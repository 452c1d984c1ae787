import type { UploadAnswer } from '@ballot-beacon/contract/office/uploads';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from '../../../../web/src/ui/button.tsx';
import { Failure } from '../../shell/failure.tsx';
import { useRefresh } from '../../shell/refresh.ts';
import { useSession } from '../../shell/session.tsx';
import { t } from '../../words/index.ts';

/** Has the file read in another way: by another format, for an election, or as the whole roll. */
export function ReadingForm({ upload }: { upload: UploadAnswer }) {
  const { act } = useSession();
  const choices = useQuery({ queryKey: ['uploads'], queryFn: () => act('listUploads', {}) });
  const check = useMutation({
    mutationFn: (form: FormData) => {
      const text = (name: string) => String(form.get(name) ?? '') || undefined;
      return act('checkUpload', {
        params: { upload_id: upload.upload_id },
        body: {
          format: text('format'),
          election: text('election'),
          is_full: form.has('is_full') || undefined,
        },
      });
    },
    onSettled: useRefresh('upload', upload.upload_id),
  });
  if (!upload.is_own || !choices.data) return null;
  const { formats, elections } = choices.data;
  return (
    <section className="panel panel-wide card" aria-labelledby="reading">
      <h2 id="reading">{t('upload.reading.title')}</h2>
      <p className="help">{t('upload.reading.help')}</p>
      <Failure error={check.error} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!check.isPending) check.mutate(new FormData(event.currentTarget));
        }}
      >
        <div className="field">
          <label className="field-label" htmlFor="format">
            {t('upload.reading.format')}
          </label>
          <select
            className="field-input"
            id="format"
            name="format"
            defaultValue={upload.format ?? ''}
          >
            <option value="">{t('upload.reading.recognize')}</option>
            {formats.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label className="field-label" htmlFor="election">
            {t('upload.reading.election')}
          </label>
          <select
            className="field-input"
            id="election"
            name="election"
            defaultValue={upload.election ?? ''}
          >
            <option value="">{t('upload.reading.ofRows')}</option>
            {elections.map(({ number, name }) => (
              <option key={number} value={number}>
                {name} ({number})
              </option>
            ))}
          </select>
        </div>
        <div className="ticks">
          <label>
            <input type="checkbox" name="is_full" defaultChecked={upload.is_full} />
            <span>{t('upload.reading.full')}</span>
          </label>
        </div>
        <Button type="submit" busy={check.isPending}>
          {t('upload.reading.check')}
        </Button>
      </form>
    </section>
  );
}
