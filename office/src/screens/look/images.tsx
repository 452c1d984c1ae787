import { type ImageKind, mostImageBytes } from '@ballot-beacon/contract/office/images';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from '../../../../web/src/ui/button.tsx';
import { Failure } from '../../shell/failure.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useRefresh } from '../../shell/refresh.ts';
import { useSession } from '../../shell/session.tsx';
import { t } from '../../words/index.ts';

/** The office's logo and photograph, each with a way to replace and to remove it. */
export function Images() {
  const { act } = useSession();
  const images = useQuery({ queryKey: ['images'], queryFn: () => act('listImages', {}) });
  const work = useMutation({
    mutationFn: (change: () => Promise<string>) => change(),
    onSettled: useRefresh('images'),
  });
  const replace = (kind: ImageKind, file: File) =>
    work.mutate(async () => {
      if (file.size > mostImageBytes[kind])
        throw new Error(t('image.tooLarge', { size: sizeOf(kind) }));
      await act('replaceImage', { params: { kind }, body: await file.arrayBuffer() });
      return t('image.saved');
    });
  const remove = (kind: ImageKind) => {
    if (!window.confirm(t('image.sure'))) return;
    work.mutate(async () => {
      await act('removeImage', { params: { kind } });
      return t('image.removed');
    });
  };
  const undo = (kind: ImageKind, from: string | null) => {
    if (!window.confirm(t('image.undo.sure'))) return;
    work.mutate(async () => {
      await act('undoImage', { params: { kind }, body: { from } });
      return t('image.undone');
    });
  };
  return (
    <section className="panel card" aria-labelledby="images">
      <h2 id="images">{t('images.title')}</h2>
      <p className="help">{t('images.help')}</p>
      <div aria-live="polite">{work.data && <p className="notice notice-good">{work.data}</p>}</div>
      <Failure error={work.error} />
      <Loaded query={images}>
        {({ images: all }) =>
          all.map(({ kind, address, undo: last }) => (
            <div className="field" key={kind}>
              <label className="field-label" htmlFor={`image-${kind}`}>
                {t(`image.${kind}`, { size: sizeOf(kind) })}
              </label>
              {address ? (
                <img className="office-image" src={address} alt={t(`image.alt.${kind}`)} />
              ) : (
                <p className="soft">{t('image.none')}</p>
              )}
              <input
                className="field-input"
                id={`image-${kind}`}
                type="file"
                accept="image/png,image/jpeg,image/webp,image/svg+xml"
                disabled={work.isPending}
                onChange={(event) => {
                  const [file] = event.currentTarget.files ?? [];
                  if (file) replace(kind, file);
                  // The same file can be chosen again, after it was corrected.
                  event.currentTarget.value = '';
                }}
              />
              {last && (
                <Button look="quiet" onClick={() => undo(kind, address)}>
                  {t(`image.undo.${last}`, { kind: t(`image.kind.${kind}`) })}
                </Button>
              )}
              {address && (
                <Button look="quiet" onClick={() => remove(kind)}>
                  {t(`image.remove.${kind}`)}
                </Button>
              )}
            </div>
          ))
        }
      </Loaded>
    </section>
  );
}

function sizeOf(kind: ImageKind): string {
  const kilobytes = mostImageBytes[kind] / 1024;
  return kilobytes < 1024 ? `${kilobytes} kB` : `${kilobytes / 1024} MB`;
}
